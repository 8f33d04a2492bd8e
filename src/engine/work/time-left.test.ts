import { expect, it } from 'vitest';
import { decodeStop } from '../../clients/index.ts';
import { DEFAULT_CONFIG } from '../../config/config.ts';
import type { Project } from '../project.ts';
import { timeForChecks, timeForReview } from './time-left.ts';

const CLAUDE = { session_id: 's', prompt_id: 'p' };
const CODEX = { session_id: 's', turn_id: 't' };
const projectWith = (timeoutS: number, now = 0): Project => {
  const config = { ...DEFAULT_CONFIG, review: { ...DEFAULT_CONFIG.review, timeoutMs: timeoutS * 1000 } };
  return { root: '/p', home: '/p/.holdfast', env: {}, now, cli: 'holdfast', config };
};

it.each<[string, object, number | null, number, number, number | string]>([
  ['as long as the settings allow', CLAUDE, 7200, 600, 0, 600],
  ['to a minute before the client ends the hook', CLAUDE, 7200, 7200, 0, 7140],
  ['to that minute of a short hook', CLAUDE, 300, 600, 0, 240],
  ['within 600 s where Claude Code does not say', CLAUDE, null, 7000, 0, 540],
  ['within 600 s where Codex does not say', CODEX, null, 7000, 0, 540],
  ['within two hours where a person fires the hook', {}, null, 7000, 0, 7000],
  ['a minute at least', CLAUDE, 120, 600, 0, 60],
  ['never in less', CLAUDE, 119, 600, 0, 'never'],
  ['never in a client of which nobody knows the limit', { session_id: 's' }, 7200, 600, 0, 'never'],
  ['its own time, after another of the same stop', CLAUDE, 7200, 600, 600, 600],
  ['what the client leaves, after another', CLAUDE, 7200, 600, 6900, 240],
  ['a minute at least, after another', CLAUDE, 7200, 600, 7080, 60],
  ['nothing in less, after another', CLAUDE, 7200, 600, 7081, 'used-up'],
  ['what is left where the hook itself took a moment', CLAUDE, 120, 600, 0.5, 59.5],
])('a review may take %s', (_, payload, limitS, timeoutS, sinceS, seconds) => {
  const { stop } = decodeStop({ ...payload }, null, limitS);
  const time = timeForReview(stop, projectWith(timeoutS), sinceS * 1000);
  expect(time.kind === 'until' ? time.deadline / 1000 - sinceS : time.kind).toBe(seconds);
});

it.each([
  ['to a minute before the client ends the hook', CLAUDE, 600, 0, 540],
  ['a second at least', CLAUDE, 600, 539, 540],
  ['nothing in less', CLAUDE, 600, 539.001, null],
  ['nothing in a client that gives no more than a minute', CLAUDE, 60, 0, null],
  ['within two hours where a person fires the hook', {}, null, 0, 7140],
])('the checks may take %s', (_, payload, limitS, sinceS, until) => {
  const { stop } = decodeStop({ ...payload }, null, limitS);
  expect(timeForChecks(stop, projectWith(1), sinceS * 1000)).toBe(until && until * 1000);
  if (until !== null) expect(timeForChecks(stop, projectWith(1, 5), 0)).toBe(until * 1000 + 5);
});

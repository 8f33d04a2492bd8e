import { expect, test } from 'vitest';
import { decodeStop } from '../../clients/index.ts';
import { DEFAULT_CONFIG } from '../../config/config.ts';
import type { Project } from '../project.ts';
import { timeForChecks, timeForReview } from './time-left.ts';

const projectWith = (timeoutMs: number): Project => ({
  root: '/p',
  home: '/p/.holdfast',
  env: {},
  now: 0,
  cli: 'holdfast',
  config: { ...DEFAULT_CONFIG, review: { ...DEFAULT_CONFIG.review, timeoutMs } },
});

/** Seconds, for a review that begins `sinceS` after the stop did. */
function timeFor(payload: object, passed: number | null, timeoutS: number, sinceS = 0): number | string {
  const { stop } = decodeStop({ ...payload }, null, passed);
  const time = timeForReview(stop, projectWith(timeoutS * 1000), sinceS * 1000);
  return time.kind === 'until' ? time.deadline / 1000 - sinceS : time.kind;
}

const inClaude = { session_id: 's', prompt_id: 'p' };

test('a review takes what the config allows and ends a minute before the client ends the hook', () => {
  expect(timeFor(inClaude, 7200, 600)).toBe(600);
  expect(timeFor(inClaude, 7200, 7200)).toBe(7140);
  expect(timeFor(inClaude, 300, 600)).toBe(240);
});

test('without a limit passed on, 600 s are assumed in Claude Code and Codex, and 7200 when the hook is fired by hand', () => {
  expect(timeFor(inClaude, null, 7000)).toBe(540);
  expect(timeFor({ session_id: 's', turn_id: 't' }, null, 7000)).toBe(540);
  expect(timeFor({}, null, 7000)).toBe(7000);
});

test('for less than a minute none is started', () => {
  expect(timeFor(inClaude, 120, 600)).toBe(60);
  expect(timeFor(inClaude, 119, 600)).toBe('never');
});

test('none is started in a client of which nobody knows the limit', () => {
  expect(timeFor({ session_id: 's' }, 7200, 600)).toBe('never');
});

test('a later review of the same stop has its own timeout, within what the client leaves', () => {
  expect(timeFor(inClaude, 7200, 600, 600)).toBe(600);
  expect(timeFor(inClaude, 7200, 600, 6900)).toBe(240);
  expect(timeFor(inClaude, 7200, 2, 7000)).toBe(2);
});

test('with less than a minute left of this stop none is started in it', () => {
  expect(timeFor(inClaude, 7200, 600, 7080)).toBe(60);
  expect(timeFor(inClaude, 7200, 600, 7081)).toBe('used-up');
  expect(timeFor(inClaude, 7200, 2, 9000)).toBe('used-up');
  expect(timeFor(inClaude, 120, 600, 0.9)).toBeCloseTo(59.1);
});

test.each([
  ['all but a minute of what the client gives', 600, 0, 540],
  ['what is left of it', 600, 500, 540],
  ['a second at least', 600, 539, 540],
  ['nothing where less than that is left', 600, 539.001, null],
  ['nothing in a client that gives no more than a minute', 60, 0, null],
  ['a second where it gives one more', 61, 0, 1],
])('the checks have %s', (_, limitS, sinceS, until) => {
  const { stop } = decodeStop({ ...inClaude }, null, limitS);
  const end = timeForChecks(stop, projectWith(1), sinceS * 1000);
  expect(end).toBe(until === null ? null : until * 1000);
});

test('the checks have two hours but a minute where the hook is fired by hand, counted from the stop on', () => {
  const { stop } = decodeStop({}, null, null);
  expect(timeForChecks(stop, projectWith(1), 0)).toBe(7_140_000);
  expect(timeForChecks(stop, { ...projectWith(1), now: 5 }, 0)).toBe(7_140_005);
});

test('time is counted up to now where nobody says otherwise', () => {
  const { stop } = decodeStop({ ...inClaude }, null, 600);
  expect([timeForReview(stop, projectWith(1)), timeForChecks(stop, projectWith(1))]).toEqual([
    { kind: 'used-up' },
    null,
  ]);
});

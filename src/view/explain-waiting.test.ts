import { describe, expect, test } from 'vitest';
import type { StopEntry } from '../store/journal-lines.ts';
import { because } from './explain-stop.ts';
import { waitInShort } from './explain-waiting.ts';

const HOUR = 3_600_000;
const since = Date.UTC(2026, 10, 16, 22);
const now = since + HOUR / 2;

const work = { for: 'work', since, until: since + 2 * HOUR, what: '' };
const shown = { marker: 'm', turn: 't' };
const asked = { for: 'person', since, until: since + 168 * HOUR, what: '', shown };
const limit = { for: 'limit', since, until: since + HOUR, what: 'rate_limit' };
const reviewer = { ...limit, what: 'usage-limit', reviewer: 'toy' };

const guard = {
  memory: { noProgress: 0, noTools: 0, toolsUnknown: 0, released: false, held: true },
  movement: { state: false, artifacts: false, tools: 'yes', waited: true },
  limits: { unmoved: 3, tools: 12, unknown: 12 },
  result: 'hold',
};

function stop(result: 'waits' | 'goes-on', question: object, more: Partial<StopEntry> = {}): StopEntry {
  const asking = { now, step: 'hold', waiting: null, work: null, answered: null, limits: { work: 2 * HOUR } };
  return {
    ...{ schema: 2, time: '2026-11-16T22:30:00.000Z', event: 'stop', client: 'claude-code', session: 's1' },
    ...{ turn: null, workflow: 'toy', run: 'a', state: {}, facts: {}, guard: null },
    ...{ notice: false, error: null, milliseconds: 20 },
    step: { kind: 'hold', change: null, message: { name: 'go-on', slots: {} }, notice: null },
    answer: result === 'waits' ? 'allow' : 'hold',
    waiting: { ...asking, ...question, result },
    ...more,
  };
}

const reason = (entry: StopEntry): string => because(entry, null);

describe('a stop at which the run waited', () => {
  test.each([
    [
      'for work',
      stop('waits', { work: 'work' }),
      'What the agent left running in the background wakes it when it ends, so it was not held: the run waits, until 2026-11-17 00:30 UTC at the latest.',
      'waits for work',
    ],
    [
      'for an answer, when the question was shown',
      stop('waits', { waiting: { ...asked, shown: null } }),
      'The agent has a question for you, which this stop showed. The run waits for your answer: give it in that session (`holdfast status` shows the question).',
      'waits for your answer',
    ],
    [
      'for an answer, later',
      stop('waits', { waiting: asked, answered: 'no' }),
      'The run still waits for your answer to its question: give it in that session (`holdfast status` shows the question).',
      'waits for your answer',
    ],
    [
      'for a reviewer',
      stop('waits', { waiting: reviewer, step: 'review' }),
      'A review is due, but toy is at a usage limit: the first stop after 2026-11-16 23:00 UTC runs it. Nothing was counted.',
      'waits for a limit',
    ],
    [
      'for a reviewer that does not say how long',
      stop('waits', { waiting: { ...reviewer, until: null }, step: 'review', now: since }),
      'A review is due, but toy is at a usage limit: the first stop after 2026-11-16 22:10 UTC tries it. Nothing was counted.',
      'waits for a limit',
    ],
    [
      'for another prompt, its client holding no more',
      stop('waits', { waiting: { ...asked, pause: true, capped: true } }),
      'Its client honours no more holds after this prompt: the run waits for the next one. Type anything in that session.',
      'waits for your answer',
    ],
    [
      'with a claim that is kept',
      stop('waits', { work: 'work', step: 'prove' }),
      'What the agent left running in the background wakes it when it ends, so it was not held: the run waits, until 2026-11-17 00:30 UTC at the latest. Its claim is kept: the checks run once it goes on.',
      'waits for work',
    ],
    [
      'for a reviewer with a long name',
      stop('waits', { waiting: { ...reviewer, reviewer: 'r'.repeat(41) }, step: 'review' }),
      `A review is due, but ${'r'.repeat(39)}… is at a usage limit: the first stop after 2026-11-16 23:00 UTC runs it. Nothing was counted.`,
      'waits for a limit',
    ],
  ])('%s', (_, entry, why, short) => {
    expect(reason(entry)).toBe(why);
    expect(waitInShort(entry)).toBe(short);
  });
});

describe('a stop at which it went on', () => {
  const late = { now: since + 999 * HOUR };
  test.each([
    ['after work', { waiting: work }, 'What it had waited for in the background has ended.'],
    [
      'though work runs',
      { waiting: work, work: 'work', ...late },
      'Something still runs in the background, but the time to wait for it (wait.work) is used up.',
    ],
    ['after an answer', { waiting: asked, answered: 'yes' }, 'Its question was answered.'],
    [
      'without an answer',
      { waiting: asked, answered: 'no', ...late },
      'Nobody answered its question in time (wait.person), so it no longer waits.',
    ],
    ['after a limit', { waiting: limit }, 'Its session is back from a usage limit.'],
    [
      'after an error',
      { waiting: { ...limit, what: 'server_error' } },
      'Its session is back from an error (server_error).',
    ],
    [
      'after a pause',
      { waiting: { ...asked, pause: true }, answered: 'yes' },
      'A person has had their turn.',
    ],
    ['after a pause that nobody ended', { waiting: { ...asked, pause: true }, answered: 'no', ...late }, ''],
    [
      'with an answer that came too late',
      { waiting: asked, answered: 'yes', ...late },
      'Nobody answered its question in time (wait.person), so it no longer waits.',
    ],
    [
      'after an error with a long name',
      { waiting: { ...limit, what: 'w'.repeat(41) } },
      `Its session is back from an error (${'w'.repeat(39)}…).`,
    ],
    ['after a reviewer’s limit', { waiting: reviewer, ...late }, 'The usage limit of toy should be over.'],
    ['beside a reviewer’s limit, which a hold does not care about', { waiting: reviewer }, ''],
  ])('%s', (_, question, over) => {
    const entry = stop('goes-on', question);
    expect(reason(entry)).toBe(`${over} It said "go on".`.trim());
    expect(waitInShort(entry)).toBeNull();
  });

  test('after calls of holdfast wait, no hold was counted', () => {
    const waited = 'The agent has waited with `holdfast wait` since the last hold, so no hold was counted.';
    const entry = stop('goes-on', {}, { guard });
    expect(reason(entry)).toBe(`It said "go on". ${waited}`);
    const moved = { ...guard, movement: { ...guard.movement, state: true } };
    expect(reason({ ...entry, guard: moved })).toContain('Moved since the last hold: the state');
  });
});

test.each([undefined, null, 'waits', {}, { result: 'waits', waiting: {} }])(
  'a record that is none says nothing: %j',
  (waiting) => {
    const { waiting: _, ...entry } = stop('goes-on', {});
    expect(reason({ ...entry, ...(waiting === undefined ? {} : { waiting }) })).toBe('It said "go on".');
  },
);

import { describe, expect, it } from 'vitest';
import type { RecordedStep } from '../../../engine/recorded-step.ts';
import { isName, isSlot, slotsIn, whyNoPattern } from '../language/names.ts';
import { isRunId } from '../names.ts';
import { explain } from './explain.ts';

const SLOTS = {
  state: 'green',
  hold: 2,
  most: 60,
  check: 'test',
  review: 'look',
  failures: 3,
  what: 'state',
};
const step = (kind: string, name: string, change: object = {}, slots: object = {}): RecordedStep => ({
  kind,
  said: { name, slots: { ...SLOTS, ...slots } },
  change: { ...change },
});

describe('why a flow held', () => {
  it.each([
    [
      { to: 'green', by: 0 },
      {},
      'Line 1 of its state held, so the flow went on to green and the agent was held there (hold 2 of at most 60).',
    ],
    [
      { to: 'ask', by: 'otherwise' },
      {},
      'No line held, and the holds of the visit were used up, so the flow went on to ask and the agent was held there (hold 2 of at most 60).',
    ],
    [
      { to: 'ask', by: null },
      {},
      'A line of its state held, so the flow went on to ask and the agent was held there (hold 2 of at most 60).',
    ],
    [{ to: null }, {}, 'No line of green held, so the agent was held there again (hold 2 of at most 60).'],
    [
      { to: null },
      { nearMiss: 'place' },
      "A signal in the agent's last message did not count (it was not on a line of its own), and no line of green held, so it was held there again (hold 2 of at most 60).",
    ],
    [
      { to: null },
      { nearMiss: 'code' },
      "A signal in the agent's last message did not count (it was code or in a comment), and no line of green held, so it was held there again (hold 2 of at most 60).",
    ],
    [
      { to: null },
      { nearMiss: 'spelling' },
      "A signal in the agent's last message did not count (it was not spelled exactly), and no line of green held, so it was held there again (hold 2 of at most 60).",
    ],
    [
      { to: null },
      { nearMiss: 'weather' },
      "A signal in the agent's last message did not count (weather), and no line of green held, so it was held there again (hold 2 of at most 60).",
    ],
  ])('is said of %j with %j', (change, slots, words) => {
    expect(explain(step('hold', 'say', change, slots))).toBe(words);
  });
});

describe('why a flow let the agent go', () => {
  it.each([
    [
      'paused',
      { by: 0 },
      {},
      "Line 1 of its state held, so the flow is paused in green: it is a person's turn.",
    ],
    ['completed', { by: 1 }, {}, 'Line 2 of its state held, so the flow is complete, in green.'],
    [
      'let-go',
      { by: 'otherwise' },
      {},
      'No line held, and the holds of the visit were used up, so the flow let the agent go, in green.',
    ],
    ['limit', {}, {}, 'The run has used up its 60 holds, in green.'],
    ['differs', {}, {}, 'The definition is not what it was at the first stop, so the run ended.'],
    [
      'check-lost',
      {},
      { end: 'untrusted' },
      'The check test is not trusted, so nobody can tell how the flow goes on, and the run ended.',
    ],
    [
      'check-lost',
      {},
      { end: 'missing' },
      'The check test cannot run, so nobody can tell how the flow goes on, and the run ended.',
    ],
    [
      'no-time',
      {},
      {},
      'There was no time at this stop for the check test, so the stop was allowed; the next one tries again.',
    ],
    [
      'review-failed',
      {},
      {},
      'The review look ended without a verdict (try 3 of 3), so the stop was allowed; the next one tries again.',
    ],
    [
      'review-given-up',
      {},
      {},
      'The review look ended without a verdict 3 times in a row, so the run ended.',
    ],
    ['unreadable', {}, {}, 'The state of the run could not be read.'],
    ['constructor', {}, {}, null],
  ])('is said of %s with %j and %j', (name, change, slots, words) => {
    expect(explain(step('allow', name, change, slots))).toBe(words);
  });

  it('is that it was paused or over where nothing was said', () => {
    expect(explain({ kind: 'allow', said: null, change: {} })).toBe(
      'The flow is paused or over, so the agent may stop.',
    );
    expect(explain({ kind: 'look', said: null, change: {} })).toBeNull();
  });
});

describe('a name in a flow', () => {
  it.each(['a', 'a-1', 'a'.repeat(40)])('may be %j', (name) => {
    expect(isName(name)).toBe(true);
  });

  it.each(['', 'A', '1a', '-a', 'a_b', 'a b', 'a'.repeat(41), 'a\n'])('may not be %j', (name) => {
    expect(isName(name)).toBe(false);
  });

  it('of a run may be longer', () => {
    expect([isRunId('a'.repeat(80)), isRunId('a'.repeat(81)), isRunId('')]).toEqual([true, false, false]);
  });

  it('in double braces is a slot, whether there is one of that name or not', () => {
    expect(slotsIn('{{task}} {{ x }} {{}} {{a\nb}} {c}')).toEqual(['task', ' x ', '']);
    expect(['task', 'visits', 'holds', 'checks', 'findings'].every(isSlot)).toBe(true);
    expect(isSlot('other')).toBe(false);
  });
});

describe('a pattern of files', () => {
  it.each(['src/**', 'a..b', '.github/**', '.gitignore', '.holdfastly', `${'a'.repeat(200)}`, 'x/.git/y'])(
    'may be %j',
    (glob) => {
      expect(whyNoPattern(glob)).toBeNull();
    },
  );

  it.each([
    ['', 'a pattern of files is missing'],
    [' ', 'a pattern of files is missing'],
    ['a'.repeat(201), 'a pattern of files is at most 200 letters long'],
    ['a\0', 'a pattern of files has no such letter'],
  ])('may not be %j: %s', (glob, why) => {
    expect(whyNoPattern(glob)).toBe(why);
  });

  it.each(['/etc', '~/x', '\\x', 'C:\\x', 'c:/x', '..', '../x', 'a/../b', '{a,..}/b', 'a\\..\\b'])(
    'leads out as %j',
    (glob) => {
      expect(whyNoPattern(glob)).toBe(
        `"${glob}" leads out of the project: write it relative to the project, without ".."`,
      );
    },
  );

  it.each(['.git', '.git/config', '.holdfast/x', './.git', '././.holdfast'])(
    'is no content as %j',
    (glob) => {
      expect(whyNoPattern(glob)).toBe(`"${glob}" is no content of the project`);
    },
  );
});

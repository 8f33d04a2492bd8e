import { describe, expect, it } from 'vitest';
import type { RecordedStep } from '../../../engine/recorded-step.ts';
import { elapsed, shorten } from '../summary.ts';
import { explain } from './explain.ts';

const hold = (name: string, change: object = {}): RecordedStep => ({
  kind: 'hold',
  said: { name, slots: { round: 3, max: 4, plan: 'missing' } },
  change: { ...change },
});
const allowed = (log: unknown): RecordedStep => ({ kind: 'allow', said: null, change: { log } });

describe('why a claudex loop held', () => {
  it.each([
    ['draft', 'PLAN.md has to be drafted first: it is missing.'],
    ['round', 'Round 3 of 4 is to be reviewed.'],
    ['wait', 'The review of round 3 is still running, and the agent was asked to wait for it.'],
    ['complete', 'The agent found nothing material left, so the summary was due.'],
    ['stopped', 'All 4 rounds were spent, so the summary was due.'],
    ['review', 'The diff is to be reviewed.'],
    ['other', null],
  ])('is said of %s', (name, words) => {
    expect(explain(hold(name))).toBe(words);
  });

  it.each([
    [3, ''],
    [4, ''],
    ['2', ''],
    [2, ' Round 2 was not: `holdfast claudex status` says how its runner ended.'],
    [1, ' Rounds 1 to 2 were not: `holdfast claudex status` says how their runners ended.'],
  ])('names the rounds that are owed from %j', (owedFrom, words) => {
    expect(explain(hold('round', { runner: { owedFrom } }))).toBe(`Round 3 of 4 is to be reviewed.${words}`);
  });

  it('has nothing to name where nothing was said', () => {
    expect(explain({ kind: 'hold', said: null, change: {} })).toBeNull();
  });
});

describe('why a claudex loop let the agent go', () => {
  it.each([
    ['malformed-id', 'The state file has a name that is no loop’s, so it was set aside.'],
    ['elsewhere', 'The stop came from outside the folder the loop was started in.'],
    ['unknown-mode', 'The loop is in a mode this version does not know.'],
    ['unknown-phase', 'The loop is in a phase this version does not know.'],
    ['runner-in-background', 'The review runs in the background; the client wakes the agent when it ends.'],
    ['runner-running', 'The review still runs, and the agent had been asked to wait for it.'],
    ['summary-given', 'The summary had been given, so the loop is done.'],
    ['finished', 'The loop was done already.'],
    ['review-finished', 'The review of the diff is written.'],
    ['review-missing', 'The review of the diff ended without writing its files.'],
    ['cancelled', 'The loop was cancelled.'],
    ['errored', 'The loop had ended with an error.'],
    ['constructor', null],
    [7, null],
  ])('is said of %s', (why, words) => {
    expect(explain(allowed({ why }))).toBe(words);
  });

  it('is not known without a log', () => {
    expect(explain(allowed('finished'))).toBeNull();
    expect(explain({ kind: 'allow', said: null, change: {} })).toBeNull();
  });
});

describe('how long a loop took', () => {
  const MINUTE = 60_000;
  it.each([
    [null, 'unknown'],
    [MINUTE, 'less than a minute'],
    [0, 'less than a minute'],
    [-29_999, 'less than a minute'],
    [-30_000, '1 min'],
    [-59 * MINUTE, '59 min'],
    [-60 * MINUTE, '1 h 0 min'],
    [-125 * MINUTE, '2 h 5 min'],
  ])('is said of a start at %s', (started, words) => {
    expect(elapsed(started, 0)).toBe(words);
  });
});

describe('a long text', () => {
  it('is cut by whole characters, and only where it is longer', () => {
    expect(shorten('abc', 3)).toBe('abc');
    expect(shorten('abcd', 3)).toBe('abc …');
    expect(shorten('😀😀', 2)).toBe('😀😀');
    expect(shorten('😀😀😀', 2)).toBe('😀😀 …');
    expect(shorten('', 0)).toBe('');
  });
});

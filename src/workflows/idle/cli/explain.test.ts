import { describe, expect, it } from 'vitest';
import type { RecordedStep } from '../../../engine/recorded-step.ts';
import { explain } from './explain.ts';

const hold = (slots: Record<string, string | number> = {}): RecordedStep => ({
  kind: 'hold',
  said: { name: 'continue', slots: { iteration: 2, max: 10, ...slots } },
  change: {},
});
const ended = (change: object): RecordedStep => ({ kind: 'allow', said: null, change: { ...change } });
const notice = (name: string): RecordedStep => ({
  kind: 'allow',
  said: { name, slots: { max: 7 } },
  change: {},
});
const passed = { name: 'test', end: 'passed' };
const broken = { name: 'test', end: 'missing' };

describe('why a loop held', () => {
  it.each([
    [{}, "No completion signal was in the agent's last message, so iteration 2 of 10 began."],
    [
      { claim: 'refused' },
      'The agent claimed to be done, and the claim was refused, so iteration 2 of 10 began.',
    ],
    [
      { until: 'test' },
      'The check test, which would end the loop, does not pass yet, so iteration 2 of 10 began.',
    ],
    [
      { nearMiss: 'place' },
      "A completion signal in the agent's last message did not count (it was not on a line of its own), so iteration 2 of 10 began.",
    ],
    [
      { nearMiss: 'code' },
      "A completion signal in the agent's last message did not count (it was code or in a comment), so iteration 2 of 10 began.",
    ],
    [
      { nearMiss: 'spelling' },
      "A completion signal in the agent's last message did not count (it was not spelled exactly), so iteration 2 of 10 began.",
    ],
    [
      { nearMiss: 'weather' },
      "A completion signal in the agent's last message did not count (weather), so iteration 2 of 10 began.",
    ],
  ])('is said for a hold with %j', (slots: Record<string, string>, words) => {
    expect(explain(hold(slots))).toBe(words);
  });

  it('names the check that took the place of a signal, whether it passed or could not run', () => {
    expect(explain(hold({ claim: 'refused' }), passed)).toBe(
      'The check test, which ends the loop, passed, but the claim was refused, so iteration 2 of 10 began.',
    );
    expect(explain(hold({ claim: 'refused' }), broken)).toBe(
      'The check test, which was to end the loop, could not run, but the claim was refused, so iteration 2 of 10 began.',
    );
  });

  it('is said of a refused claim before anything else', () => {
    expect(explain(hold({ claim: 'refused', until: 'test', nearMiss: 'code' }))).toContain(
      'claimed to be done',
    );
    expect(explain(hold({ until: 'test', nearMiss: 'code' }))).toContain('The check test');
  });
});

describe('why a loop let the agent go', () => {
  it.each([
    ['maximum', 'The loop has reached its 7 iterations.'],
    [
      'maximum-inner',
      'The inner loop has reached its 7 iterations; `holdfast idle resume` goes on with those around it.',
    ],
    [
      'stale',
      'Nothing was written to the loop for more than two hours in which it did not wait for anything, so it is taken for forgotten.',
    ],
    ['corrupt', 'The iteration count was not a number, so the loop was ended.'],
    ['lost', 'The loop’s state could not be found in its log.'],
    ['unreadable', 'The loop’s state could not be read.'],
    ['unknown-mode', 'The loop is of a kind this version does not know.'],
    ['constructor', null],
  ])('is said for the notice %s', (name, words) => {
    expect(explain(notice(name))).toBe(words);
  });

  it('is the signal, or the check that took its place', () => {
    const done = ended({ event: 'DONE', reason: 'STUCK' });
    expect(explain(done)).toBe('The agent gave the signal STUCK, so the loop is done.');
    expect(explain(done, passed)).toBe('The check test, which ends the loop, passed, so the loop is done.');
    expect(explain(done, broken)).toBe(
      'The check test, which was to end the loop, could not run, so the loop is done.',
    );
  });

  it('is said of an inner loop with the one around it', () => {
    const inner = ended({ event: 'STATE' });
    expect(explain(inner)).toBe(
      'The agent gave the signal of the inner loop; the loop around it goes on at the next stop.',
    );
    expect(explain(inner, passed)).toBe(
      'The check test, which ends the loop, passed, so the inner loop is done; the loop around it goes on at the next stop.',
    );
  });

  it.each([{}, { event: 'DONE' }, { event: 'ABORT', reason: 'X' }])(
    'is that it was over already, where nothing was posted that says more: %j',
    (change) => {
      expect(explain(ended(change))).toBe('The loop was over already.');
    },
  );
});

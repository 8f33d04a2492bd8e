import { describe, expect, it } from 'vitest';
import { end, start, stop } from '../../test/export/lines.ts';
import type { JournalEntry } from '../store/journal-lines.ts';
import { spanId, traceId } from './ids.ts';
import { Runs } from './runs.ts';
import { NOTHING_SAID, type RunState } from './state.ts';

const sender = { instance: 'i', secret: 's' };
const NAME = 'idle:a';
const entry = (line: object): JournalEntry => line as JournalEntry;
const adopt = { ...start(0), event: 'adopt' };
const runs = (known: Record<string, RunState> = {}): Runs => new Runs(known, sender, 'p');
const KNOWN: RunState = {
  ...{ began: 'k0', part: 'k1', since: 3, over: false, work: { a: 1 }, waits: 4 },
  ...{ said: { checks: true, findings: true }, tokens: 5, reviewTokens: 6 },
};
const NEW: RunState = {
  ...{ began: 'k', part: 'k', since: 9, over: false, work: {}, waits: null },
  ...{ said: NOTHING_SAID, tokens: 0, reviewTokens: 0 },
};

describe('the run that a line is about', () => {
  it.each<[string, object, RunState | null, RunState]>([
    ['its start, first of all', start(0), null, NEW],
    ['another line, first of all', stop(0), null, { ...NEW, tokens: null }],
    ['its start once more', start(0), KNOWN, NEW],
    ['a stop of a run that is known', stop(0), KNOWN, KNOWN],
    ['an adoption while it goes on', adopt, KNOWN, KNOWN],
  ])('%s', (_, line, known, wanted) => {
    const before = known === null ? {} : { [NAME]: known };
    expect(runs(before).at(entry(line), NAME, 'k', 9)).toEqual(wanted);
  });

  const over = { ...KNOWN, over: true };
  const goesOn = { ...KNOWN, part: 'k', since: 9, over: false };
  it.each<[string, object, RunState]>([
    ['is adopted', adopt, goesOn],
    ['is held', stop(0, 'hold'), goesOn],
    ['is allowed to stop', stop(0, 'allow'), over],
    ['ends once more', end(0, 'completed'), over],
  ])('that was over, and %s', (_, line, wanted) => {
    expect(runs({ [NAME]: over }).at(entry(line), NAME, 'k', 9)).toEqual(wanted);
  });
});

it('a run’s trace is its first line’s, and the span above is its part’s', () => {
  const trace = traceId(sender, 'p', NAME, 'k0');
  expect(runs().placeOf(NAME, KNOWN)).toEqual({ trace, parent: spanId(trace, 'k1', 'run') });
});

it('of all runs the fifty that moved last are remembered', () => {
  const all = runs();
  for (let number = 0; number < 50; number++) all.keep(`idle:${number}`, KNOWN);
  expect(Object.keys(all.table)).toHaveLength(50);
  all.keep('idle:0', { ...KNOWN, tokens: 9 });
  expect(Object.keys(all.table)).toHaveLength(50);
  all.keep('idle:50', KNOWN);
  const names = Object.keys(all.table);
  expect(names).toHaveLength(50);
  expect(names).not.toContain('idle:1');
  expect(names.slice(-2)).toEqual(['idle:0', 'idle:50']);
  expect(all.table['idle:0']).toEqual({ ...KNOWN, tokens: 9 });
});

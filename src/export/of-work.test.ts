import { describe, expect, it } from 'vitest';
import { wait, work } from '../../test/export/lines.ts';
import type { WaitEntry, WorkEntry } from '../store/journal-events.ts';
import type { RunLine } from './emitted.ts';
import { spanId } from './ids.ts';
import { ofWait, ofWork, withoutWork } from './of-work.ts';
import type { RunState } from './state.ts';

const RUN: RunState = {
  ...{ began: 'k0', part: 'k1', since: 3, over: false, work: {}, waits: null },
  ...{ said: { checks: false, findings: true }, tokens: null, reviewTokens: 0 },
};
const lineOf = <Entry>(entry: object, run: Partial<RunState> = {}): RunLine<Entry> => ({
  ...{ entry: entry as Entry, key: 'k', time: 10_000, place: { trace: 't', parent: 'up' } },
  ...{ run: { ...RUN, ...run }, about: { about: 'it' }, labels: { label: 'l' }, paths: false },
});
const began = (attempt: string, what = 'check') =>
  work(0, { what: 'began', work: what, attempt, name: 'tests', deadline: null });
const ended = (more: object = {}) =>
  work(0, {
    ...{ what: 'ended', work: 'check', attempt: 'a', name: 'tests', end: 'passed', code: 0 },
    ...{ milliseconds: 1500, ...more },
  });
const emitted = (entry: object, run: Partial<RunState> = {}) => ofWork(lineOf<WorkEntry>(entry, run));

describe('work that was begun', () => {
  it('is remembered with when that was', () => {
    expect(emitted(began('a'), { work: { b: 5 } })).toEqual({
      ...{ spans: [], counts: [], run: { ...RUN, work: { b: 5, a: 10_000 } } },
    });
  });

  it('is remembered once, and of eight the one that was begun last for longest', () => {
    const seven = Object.fromEntries(Array.from({ length: 7 }, (_, index) => [`w${index}`, index]));
    expect(Object.keys(emitted(began('a'), { work: seven }).run.work)).toEqual([...Object.keys(seven), 'a']);
    const eight = { ...seven, w7: 7 };
    const names = ['w1', 'w2', 'w3', 'w4', 'w5', 'w6', 'w7', 'a'];
    expect(Object.keys(emitted(began('a'), { work: eight }).run.work)).toEqual(names);
    const again = emitted(began('w0'), { work: eight }).run.work;
    expect(Object.entries(again)).toEqual([...Object.entries(eight).slice(1), ['w0', 10_000]]);
  });
});

describe('work that has ended', () => {
  it('is forgotten', () => {
    expect(withoutWork({ ...RUN, work: { a: 1, b: 2 } }, 'a')).toEqual({ ...RUN, work: { b: 2 } });
    expect(withoutWork({ ...RUN, work: { b: 2 } }, 'a')).toEqual({ ...RUN, work: { b: 2 } });
  });

  it('says nothing more of a review, whose end is a line of its own', () => {
    const run = { work: { a: 1, b: 2 } };
    expect(emitted(ended({ work: 'review' }), run)).toEqual({
      ...{ spans: [], counts: [], run: { ...RUN, work: { b: 2 } } },
    });
  });

  it('is a span from when it began, where that is known', () => {
    const what = { 'holdfast.check': 'tests', 'holdfast.check.end': 'passed' };
    expect(emitted(ended(), { work: { a: 7000, b: 2 } })).toEqual({
      spans: [
        {
          ...{ trace: 't', id: spanId('t', 'k', 'check'), parent: 'up', name: 'check' },
          ...{ start: 7000, end: 8500, isCall: true, error: null },
          attributes: { about: 'it', ...what, 'process.exit.code': 0 },
        },
      ],
      counts: [
        ['checks', 1, { label: 'l', ...what, 'holdfast.check.from': 'run' }],
        ['checkDuration', 1.5, { label: 'l', ...what }],
      ],
      run: { ...RUN, work: { b: 2 }, said: { checks: true, findings: true } },
    });
  });

  it('ends with its line, where its begin is not known', () => {
    expect(emitted(ended(), { work: {} }).spans[0]).toMatchObject({ start: 8500, end: 10_000 });
    // What every object has is no work that was begun.
    const named = ended({ attempt: 'constructor', milliseconds: null });
    expect(emitted(named).spans[0]).toMatchObject({ start: 10_000, end: 10_000 });
  });

  it.each([
    ['failed', 'failed'],
    ['timed-out', 'timed-out'],
    ['no word', 'other'],
  ])('has its error where it is %s', (end, error) => {
    const [span] = emitted(ended({ end, code: null })).spans;
    expect(span?.error).toBe(error);
    expect(span?.attributes).toEqual({
      ...{ about: 'it', 'holdfast.check': 'tests', 'holdfast.check.end': error },
    });
  });
});

describe('a wait', () => {
  const waited = (entry: object, run: Partial<RunState> = {}) => ofWait(lineOf<WaitEntry>(entry, run));

  it('that began is remembered', () => {
    expect(waited(wait(0, 'began'))).toEqual({ spans: [], counts: [], run: { ...RUN, waits: 10_000 } });
  });

  it('that ended is a span from its begin', () => {
    const what = { 'holdfast.wait.for': 'person' };
    expect(waited(wait(0, 'ended'), { waits: 4000 })).toEqual({
      spans: [
        {
          ...{ trace: 't', id: spanId('t', 'k', 'wait'), parent: 'up', name: 'wait' },
          ...{ start: 4000, end: 10_000, isCall: false, error: null },
          attributes: { about: 'it', ...what },
        },
      ],
      counts: [['waits', 1, { label: 'l', ...what }]],
      run: { ...RUN, waits: null },
    });
  });

  it('never begins after its end', () => {
    expect(waited(wait(0, 'ended'), { waits: 10_001 }).spans[0]).toMatchObject({ start: 10_000 });
  });

  it('whose begin no line said is not said again', () => {
    expect(waited(wait(0, 'ended'))).toEqual({ spans: [], counts: [], run: RUN });
  });
});

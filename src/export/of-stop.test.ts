import { describe, expect, it } from 'vitest';
import { stop } from '../../test/export/lines.ts';
import type { StopEntry } from '../store/journal-lines.ts';
import type { Emitted, RunLine } from './emitted.ts';
import { spanId } from './ids.ts';
import { attributesOfStop, countStop, ofStop } from './of-stop.ts';
import { NOTHING_SAID, type RunState } from './state.ts';

const RUN: RunState = {
  ...{ began: 'k0', part: 'k1', since: 3000, over: false, work: {}, waits: null },
  ...{ said: NOTHING_SAID, tokens: null, reviewTokens: 0 },
};
const LABELS = { label: 'l' };
const entryOf = (more: object = {}, answer: 'hold' | 'allow' = 'hold'): StopEntry =>
  stop(0, answer, more as Record<string, unknown>) as StopEntry;
const lineOf = (more: object, run: Partial<RunState> = {}): RunLine<StopEntry> => ({
  ...{ entry: entryOf(more), key: 'k', time: 10_000, place: { trace: 't', parent: 'up' } },
  ...{ run: { ...RUN, ...run }, about: { about: 'it' }, labels: LABELS, paths: false },
});
const stopped = (more: object = {}, run: Partial<RunState> = {}): Emitted => ofStop(lineOf(more, run));
const STOP_ID = spanId('t', 'k', 'stop');
const HELD = { ...LABELS, 'holdfast.answer': 'hold' };
const COUNTS = [
  ['stops', 1, HELD],
  ['holds', 1, LABELS],
  ['stopDuration', 0.0425, HELD],
];

describe('a stop', () => {
  it('is a span of its run, and counted', () => {
    expect(stopped()).toEqual({
      spans: [
        {
          ...{ trace: 't', id: STOP_ID, parent: 'up', name: 'stop', start: 10_000, end: 10_042.5 },
          ...{ isCall: false, error: null },
          attributes: { about: 'it', 'holdfast.answer': 'hold', 'holdfast.step': 'iteration' },
        },
      ],
      ...{ counts: COUNTS, run: RUN },
    });
  });

  it('is counted as a hold or as none, and with its error', () => {
    expect(countStop(entryOf(), LABELS)).toEqual(COUNTS);
    const allowed = { ...LABELS, 'holdfast.answer': 'allow' };
    expect(countStop(entryOf({ error: 'TypeError: /home/me', milliseconds: 2000 }, 'allow'), LABELS)).toEqual(
      [
        ['stops', 1, allowed],
        ['errors', 1, { ...LABELS, 'error.type': 'TypeError' }],
        ['stopDuration', 2, allowed],
      ],
    );
  });

  it('has said what lines of their own had said before it', () => {
    expect(stopped({}, { said: { checks: true, findings: true } }).run).toEqual(RUN);
  });

  it('is an error of our own where there was one', () => {
    expect(stopped({ error: 'TypeError: x' }).spans[0]).toMatchObject({
      ...{ error: 'TypeError', attributes: { 'error.type': 'TypeError' } },
    });
  });
});

describe('of a stop is sent', () => {
  const attributes = (more: object, paths = false) => {
    const { 'holdfast.answer': answer, ...rest } = attributesOfStop(entryOf(more), paths);
    expect(answer).toBe('hold');
    return rest;
  };
  const NO_STEP = { step: null };

  it.each<[object, object]>([
    [NO_STEP, {}],
    [{ step: 'hold' }, {}],
    [{ step: { kind: 'hold' } }, { 'holdfast.step': 'hold' }],
    [{ step: { kind: 'hold', message: { name: 'm' }, notice: { name: 'n' } } }, { 'holdfast.step': 'm' }],
    [{ step: { kind: 'allow', notice: { name: 'n' } } }, { 'holdfast.step': 'n' }],
    [{ step: { kind: 'allow', message: 'text' } }, { 'holdfast.step': 'allow' }],
    [{ step: { message: { name: 'a b' } } }, { 'holdfast.step': 'other' }],
    [{ ...NO_STEP, unstepped: 'client-cap' }, {}],
    [{ ...NO_STEP, unstepped: 'no-reviewer' }, { 'holdfast.review.missing': true }],
    [{ ...NO_STEP, error: 'RangeError: x' }, { 'error.type': 'RangeError' }],
    [{ ...NO_STEP, error: ': x' }, { 'error.type': 'other' }],
    [{ ...NO_STEP, error: 'x'.repeat(50) }, { 'error.type': 'x'.repeat(40) }],
  ])('%j as %j', (more, wanted) => {
    expect(attributes(more)).toEqual(wanted);
  });

  it('an error’s text only where paths were asked for', () => {
    const error = 'Error: /home/me';
    expect(attributes({ ...NO_STEP, error }, true)).toEqual({
      ...{ 'error.type': 'Error', 'exception.message': error },
    });
    expect(attributes(NO_STEP, true)).toEqual({});
  });
});

describe('checks on the line of a stop', () => {
  const check = (name: string, more: object = {}) => ({
    ...{ name, end: 'passed', code: 0, milliseconds: 1000, from: 'run', ...more },
  });
  const proof = (...checks: object[]) => ({
    ...{ claim: 'stands', worth: 'proven', why: [], checks, protectedChanged: 0 },
  });
  const facts = {
    proof: proof(
      check('one', { milliseconds: 2000 }),
      check('two', { from: 'receipt', milliseconds: null }),
      check('three', { end: 'failed', code: null }),
    ),
    until: proof(check('four')),
  };
  const line = { facts, milliseconds: 3500 };
  const countsOf = ({ counts }: Emitted) =>
    counts.slice(3).map(([name, value, labels]) => [name, value, labels['holdfast.check']]);

  it('are spans that end with the stop, one after the other', () => {
    const { spans } = stopped(line);
    const about = (name: string, end: string) => ({
      ...{ about: 'it', 'holdfast.check': name, 'holdfast.check.end': end },
    });
    const all = { trace: 't', parent: STOP_ID, name: 'check', isCall: true };
    expect(spans.slice(1)).toEqual([
      {
        ...{ ...all, id: spanId('t', 'k', 'check 2'), start: 12_500, end: 13_500, error: null },
        attributes: { ...about('four', 'passed'), 'process.exit.code': 0 },
      },
      {
        ...{ ...all, id: spanId('t', 'k', 'check 1'), start: 11_500, end: 12_500, error: 'failed' },
        attributes: about('three', 'failed'),
      },
      {
        // None begins before its stop.
        ...{ ...all, id: spanId('t', 'k', 'check 0'), start: 10_000, end: 11_500, error: null },
        attributes: { ...about('one', 'passed'), 'process.exit.code': 0 },
      },
    ]);
  });

  it('are counted, those with a receipt too', () => {
    expect(countsOf(stopped(line))).toEqual([
      ['checks', 1, 'one'],
      ['checkDuration', 2, 'one'],
      ['checks', 1, 'two'],
      ['checks', 1, 'three'],
      ['checkDuration', 1, 'three'],
      ['checks', 1, 'four'],
      ['checkDuration', 1, 'four'],
    ]);
  });

  it('that lines of their own have said are left out', () => {
    const emitted = stopped(line, { said: { checks: true, findings: false } });
    expect(emitted.spans).toHaveLength(1);
    expect(countsOf(emitted)).toEqual([['checks', 1, 'two']]);
  });
});

describe('findings on the line of a stop', () => {
  const line = { facts: { listed: { high: 2 } } };
  it('are counted where no line of their own has said them', () => {
    expect(stopped(line).counts.slice(3)).toEqual([
      ['findings', 2, { ...LABELS, 'holdfast.severity': 'high' }],
    ]);
    expect(stopped(line, { said: { checks: false, findings: true } }).counts).toEqual(COUNTS);
  });

  it('are none where the facts are none', () => {
    expect(stopped({ facts: [{ listed: { high: 2 } }] }).counts).toEqual(COUNTS);
  });
});

describe('a wait that a stop ended', () => {
  const waiting = (more: object = {}, since = 4000) => ({
    waiting: {
      ...{ now: 9, step: 'hold', work: null, answered: 'yes', limits: { work: 5 }, result: 'goes-on' },
      waiting: { for: 'person', since, until: null, what: 'w' },
      ...more,
    },
  });

  it('is a span from its begin, and counted', () => {
    const what = { 'holdfast.wait.for': 'person' };
    const { spans, counts } = stopped(waiting());
    expect(spans.slice(1)).toEqual([
      {
        ...{ trace: 't', id: spanId('t', 'k', 'wait'), parent: 'up', name: 'wait' },
        ...{ start: 4000, end: 10_000, isCall: false, error: null },
        attributes: { about: 'it', ...what },
      },
    ]);
    expect(counts.slice(3)).toEqual([['waits', 1, { ...LABELS, ...what }]]);
    expect(stopped(waiting({}, 10_001)).spans[1]).toMatchObject({ start: 10_000 });
  });

  it.each<[string, object, Partial<RunState>]>([
    ['where it goes on waiting', waiting({ result: 'waits' }), {}],
    ['where there was none', waiting({ waiting: null }), {}],
    ['where it cannot be read', { waiting: {} }, {}],
    ['where a line of its own said that it began', waiting(), { waits: 5 }],
  ])('is none %s', (_, more, run) => {
    const { spans, counts } = stopped(more, run);
    expect(spans).toHaveLength(1);
    expect(counts).toEqual(COUNTS);
  });
});

describe('the tokens of an agent', () => {
  const budget = (tokens: number, limit: number | null = 5000) => ({
    budget: {
      ...{ stage: 'open', due: 'hold', result: 'goes-on' },
      limits: { tokens: limit, timeMs: null, reviews: null, usd: null },
      spent: { tokens, cacheRead: 0, timeMs: 0, reviews: 0, usd: 0 },
    },
  });
  const used = (count: number) => [
    ['tokens', count, { ...LABELS, 'holdfast.tokens.by': 'agent', 'gen_ai.token.type': 'all' }],
  ];

  it.each<[string, object, Partial<RunState>, unknown[], Partial<RunState>]>([
    ['since the stop before', budget(100), { tokens: 60 }, used(40), { tokens: 100 }],
    ['without those of reviews', budget(100), { tokens: 60, reviewTokens: 30 }, used(10), { tokens: 100 }],
    ['none', budget(100), { tokens: 60, reviewTokens: 40 }, [], { tokens: 100 }],
    ['fewer than before', budget(10), { tokens: 60 }, [], { tokens: 10 }],
    ['from the start on', budget(100), { tokens: 0 }, used(100), { tokens: 100 }],
    ['of before anybody looked', budget(100), { reviewTokens: 7 }, [], { tokens: 100 }],
    [
      'without a limit',
      budget(100, null),
      { tokens: 60, reviewTokens: 7 },
      [],
      { tokens: 60, reviewTokens: 7 },
    ],
    ['without a budget', {}, { tokens: 60, reviewTokens: 7 }, [], { tokens: 60, reviewTokens: 7 }],
  ])('%s', (_, more, run, counted, after) => {
    const emitted = stopped(more, run);
    expect(emitted.counts.slice(3)).toEqual(counted);
    expect(emitted.run).toEqual({ ...RUN, ...after });
  });
});

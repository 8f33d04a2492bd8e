// A recorded decision about a plan, decided once more: what is read of a record, and what is none.

import { describe, expect, it } from 'vitest';
import { NO_UNTIL, UNASKED } from '../../../engine/proof/asked.ts';
import { NO_VERDICTS } from '../../../store/records.ts';
import { PHASES } from '../phases.ts';
import { readRecord, redecide } from './replay.ts';

const STATE = {
  ...{ kind: 'known', maxReviews: 8, currentTask: '1', phase: 'complete-task', iteration: 0 },
  ...{ next: 'code-review', model: 'opus', clean: 0, tdd: false, unsound: [] },
};
/** As a journal of the first version has them. */
const FACTS = {
  ...{ plan: 'p', handFired: false, violations: [], folder: 'seal', planWritten: true, taskWritten: true },
  ...{ review: null, nextNumber: 1, tasks: { ids: ['1', '2'], leftOut: 0, plain: false } },
  ...{ pending: { others: true, current: false }, verdict: null, failedReviews: 0 },
};
const NEWER = {
  ...{ reviewNumber: 2, reviewModel: 'opus', listed: { high: 0, medium: 1, low: 2 } },
  ...{ floor: { severity: 'high', from: 3 }, reviewers: { pair: ['opus', 'codex'], standIn: null } },
  ...{ noVerdict: { kind: 'timed-out', code: null }, proof: UNASKED, until: NO_UNTIL },
};
const STEP = {
  kind: 'review',
  review: {
    ...{ reviewer: 'claude', kind: 'code-review', number: 1, model: 'opus' },
    file: '.taskie/plans/p/task-1-review-1.md',
  },
};
const reads = (state: object, facts: object): boolean =>
  readRecord({ ...STATE, ...state }, { ...FACTS, ...facts }) !== null;

describe('a record of a plan', () => {
  it('is decided as it was', () => {
    expect(redecide(STATE, FACTS)).toEqual(STEP);
  });

  it('of an early version has no proof, which counts as unasked', () => {
    expect(readRecord(STATE, FACTS)).toEqual({
      state: STATE,
      facts: { ...FACTS, proof: UNASKED, until: NO_UNTIL },
    });
  });

  it('has all that later versions added', () => {
    expect(readRecord(STATE, { ...FACTS, ...NEWER })).toEqual({
      state: STATE,
      facts: { ...FACTS, ...NEWER },
    });
  });

  it.each(['absent', 'broken'])('may be of a state that is %s', (kind) => {
    expect(readRecord({ kind }, FACTS)?.state).toEqual({ kind });
    expect(redecide({ kind }, FACTS)).toMatchObject({ kind: 'allow' });
  });

  it.each([...PHASES, 'other', null])('may be of the phase %s, and have it next', (phase) => {
    expect([reads({ phase }, {}), reads({ next: phase }, {})]).toEqual([true, true]);
  });

  it.each<[object, object]>([
    [{ currentTask: null, iteration: null, unsound: ['tdd'], tdd: true }, {}],
    [{}, { review: { number: 0, answered: true }, nextNumber: null, tasks: null, pending: null }],
    [{}, { violations: ['a'], tasks: { ids: [], leftOut: 3, plain: true } }],
    ...['clean', 'findings', 'none', 'failed'].map((verdict): [object, object] => [{}, { verdict }]),
    ...NO_VERDICTS.map((kind): [object, object] => [{}, { noVerdict: { kind, code: 7 } }]),
    [{}, { floor: { severity: 'medium', from: 0 } }],
    [{}, { floor: null, listed: null, reviewers: null, proof: null, until: null }],
    [{}, { reviewers: { pair: ['a', 'b'], standIn: 'codex' } }],
  ])('may have %j and %j', (state, facts) => {
    expect(reads(state, facts)).toBe(true);
  });
});

describe('it is none', () => {
  const states: object[] = [
    ...[{ kind: 'new' }, { kind: undefined }, { maxReviews: -1 }, { maxReviews: 1.5 }, { maxReviews: '8' }],
    ...[{ currentTask: 1 }, { phase: 'dance' }, { phase: undefined }, { next: 'dance' }, { iteration: -1 }],
    ...[
      { iteration: 'x' },
      { model: null },
      { clean: 0.5 },
      { tdd: 'no' },
      { unsound: 'tdd' },
      { unsound: [1] },
    ],
  ];
  it.each(states)('with a state of %j', (state) => {
    expect(reads(state, {})).toBe(false);
  });

  const facts: object[] = [
    ...[{ plan: 1 }, { handFired: null }, { violations: 'x' }, { violations: [1] }, { folder: null }],
    ...[{ planWritten: 1 }, { taskWritten: 1 }, { review: undefined }, { review: {} }],
    ...[{ review: { number: -1, answered: true } }, { review: { number: 1, answered: 1 } }],
    ...[{ nextNumber: -1 }, { nextNumber: 'x' }, { tasks: {} }, { tasks: undefined }],
    ...[{ tasks: { ids: [1], leftOut: 0, plain: false } }, { tasks: { ids: [], leftOut: -1, plain: false } }],
    ...[{ tasks: { ids: [], leftOut: 0, plain: 0 } }, { pending: {} }, { pending: undefined }],
    ...[{ pending: { others: 1, current: true } }, { pending: { others: true, current: 1 } }],
    ...[{ verdict: 'great' }, { verdict: undefined }, { failedReviews: -1 }, { failedReviews: null }],
    ...[{ reviewNumber: -1 }, { reviewNumber: undefined }, { reviewModel: 1 }, { listed: {} }],
    ...[{ listed: { high: -1, medium: 0, low: 0 } }, { listed: { high: 0, medium: -1, low: 0 } }],
    ...[{ listed: { high: 0, medium: 0, low: -1 } }, { floor: {} }, { floor: { severity: 'low', from: 1 } }],
    ...[{ floor: { severity: 'high', from: -1 } }, { reviewers: {} }],
    ...[
      { reviewers: { pair: ['a'], standIn: null } },
      { reviewers: { pair: ['a', 'b', 'c'], standIn: null } },
    ],
    ...[{ reviewers: { pair: ['a', 1], standIn: null } }, { reviewers: { pair: [1, 'b'], standIn: null } }],
    ...[{ reviewers: { pair: ['a', 'b'], standIn: 1 } }, { noVerdict: { kind: 'luck', code: null } }],
    ...[{ noVerdict: { kind: 'killed', code: -1 } }, { noVerdict: null }, { proof: {} }, { until: 1 }],
  ];
  it.each(facts)('with facts of %j', (given) => {
    expect(reads({}, given)).toBe(false);
  });

  it.each([[null], [undefined], ['x'], [[]], [{}]])('where it is %j', (value) => {
    expect([redecide(value, FACTS), redecide(STATE, value)]).toEqual([null, null]);
    expect([readRecord(value, FACTS), readRecord(STATE, value)]).toEqual([null, null]);
  });
});

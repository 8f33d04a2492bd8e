import { describe, expect, it } from 'vitest';
import type { Json } from '../../store/json.ts';
import { readRecordedWait } from './recorded.ts';

const WAITING = { for: 'person', since: 1, until: 2, what: '' };
const QUESTION = {
  ...{ now: 5, step: 'hold', waiting: WAITING, work: null, answered: null },
  limits: { work: 60 },
};
const read = (more: object = {}) => readRecordedWait({ ...QUESTION, result: 'waits', ...more } as Json);
const waiting = (more: object) => read({ waiting: { ...WAITING, ...more } })?.question.waiting;

describe('a wait in the journal', () => {
  it('is read with what was asked', () => {
    expect(read()).toEqual({ question: QUESTION, result: 'waits' });
    expect(read({ result: 'goes-on' })?.result).toBe('goes-on');
    for (const step of ['hold', 'review', 'prove']) expect(read({ step })?.question.step).toBe(step);
    for (const answered of ['yes', 'no', null]) expect(read({ answered })?.question.answered).toBe(answered);
    expect(read({ waiting: null, work: 'work' })?.question).toMatchObject({ waiting: null, work: 'work' });
  });

  it.each([
    { for: 'work' },
    { for: 'limit', reviewer: 'critic' },
    { until: null },
    { shown: null },
    { shown: { marker: 'm', turn: 't' } },
    { shown: { marker: null, turn: null } },
    { pause: true },
    { capped: true },
    { since: 0 },
    { since: 8e15 },
  ])('is read with %j', (more) => {
    expect(waiting(more)).toEqual({ ...WAITING, ...more });
  });

  it.each([
    { for: 'rain' },
    { until: 'x' },
    { what: 1 },
    { shown: {} },
    { reviewer: 1 },
    { pause: false },
    { capped: false },
    { since: -1 },
    { since: 8e15 + 1 },
  ])('is none with %j', (more) => {
    expect(waiting(more)).toBeUndefined();
  });

  it.each([
    { now: -1 },
    { step: 'look' },
    { work: 1 },
    { answered: 'maybe' },
    { limits: {} },
    { limits: { work: -1 } },
    { result: 'holds' },
  ])('is none where it says %j', (more) => {
    expect(read(more)).toBeNull();
  });

  it('is none where there is none', () => {
    expect([readRecordedWait(undefined), readRecordedWait(null)]).toEqual([null, null]);
  });
});

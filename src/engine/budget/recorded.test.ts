import { describe, expect, it } from 'vitest';
import type { Json } from '../../store/json.ts';
import { readRecordedBudget } from './recorded.ts';

const QUESTION = {
  stage: 'open',
  limits: { tokens: 5, timeMs: null, reviews: 0, usd: 0.5 },
  spent: { tokens: 1, cacheRead: 2, timeMs: 3, reviews: 4, usd: 0.25 },
  due: 'hold',
};
const read = (more: object = {}) => readRecordedBudget({ ...QUESTION, result: 'goes-on', ...more } as Json);

describe('a budget’s answer in the journal', () => {
  it('is read with what was asked', () => {
    expect(read()).toEqual({ question: QUESTION, result: 'goes-on' });
    for (const result of ['goes-on', 'last-hold', 'pause', 'stays-paused'])
      expect(read({ result })?.result).toBe(result);
    for (const stage of ['open', 'last-hold', 'paused']) expect(read({ stage })?.question.stage).toBe(stage);
    for (const due of ['hold', 'review']) expect(read({ due })?.question.due).toBe(due);
  });

  it.each([
    ['result', { result: 'holds' }],
    ['stage', { stage: 'closed' }],
    ['due', { due: 'nothing' }],
    ['limits', { limits: { ...QUESTION.limits, usd: -1 } }],
    ['limits', { limits: { tokens: 1, timeMs: 1, reviews: 1 } }],
    ['spent', { spent: { ...QUESTION.spent, tokens: null } }],
    ['spent', { spent: { ...QUESTION.spent, usd: Number.POSITIVE_INFINITY } }],
    ['spent', { spent: { tokens: 1, timeMs: 3, reviews: 4, usd: 0 } }],
  ])('is none with another %s', (_, more) => {
    expect(read(more)).toBeNull();
  });

  it('is none where there is none', () => {
    expect([readRecordedBudget(undefined), readRecordedBudget(null), readRecordedBudget('x')]).toEqual([
      ...[null, null, null],
    ]);
  });
});

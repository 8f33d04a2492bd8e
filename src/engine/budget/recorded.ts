// A budget's answer as the journal holds it, for `why` and `replay`. Outside data, so parsed.

import * as v from 'valibot';
import type { Json } from '../../store/json.ts';
import type { BudgetAnswer, BudgetQuestion } from './rule.ts';

const amount = v.pipe(v.number(), v.finite(), v.minValue(0));
const limit = v.nullable(amount);

const recorded = v.object({
  stage: v.picklist(['open', 'last-hold', 'paused']),
  limits: v.object({ tokens: limit, timeMs: limit, reviews: limit, usd: limit }),
  spent: v.object({ tokens: amount, cacheRead: amount, timeMs: amount, reviews: amount, usd: amount }),
  due: v.picklist(['hold', 'review']),
  result: v.picklist(['goes-on', 'last-hold', 'pause', 'stays-paused']),
});

export type RecordedBudget = { question: BudgetQuestion; result: BudgetAnswer };

/** Null: the run has none, it was not asked, or it cannot be read. */
export function readRecordedBudget(value: Json | undefined): RecordedBudget | null {
  const parsed = v.safeParse(recorded, value);
  if (!parsed.success) return null;
  const { result, ...question } = parsed.output;
  return { question, result };
}

// A wait as the journal holds it, for `why` and `replay`: what was asked, and what came of it. Outside data, so parsed.

import * as v from 'valibot';
import type { Json } from '../../store/json.ts';
import type { WaitAnswer, WaitQuestion } from './wait.ts';

/** One that a date can hold. */
const time = v.pipe(v.number(), v.minValue(0), v.maxValue(8e15));

const recorded = v.object({
  now: time,
  step: v.picklist(['hold', 'review', 'prove']),
  waiting: v.nullable(
    v.object({
      for: v.picklist(['work', 'person', 'limit']),
      since: time,
      until: v.nullable(v.number()),
      what: v.string(),
      shown: v.optional(
        v.nullable(v.object({ marker: v.nullable(v.string()), turn: v.nullable(v.string()) })),
      ),
      reviewer: v.optional(v.string()),
      pause: v.optional(v.literal(true)),
      capped: v.optional(v.literal(true)),
    }),
  ),
  work: v.nullable(v.string()),
  answered: v.nullable(v.picklist(['yes', 'no'])),
  limits: v.object({ work: time }),
  result: v.picklist(['waits', 'goes-on']),
});

export type RecordedWait = { question: WaitQuestion; result: WaitAnswer['kind'] };

/** Null: there was nothing to ask about, or it cannot be read. */
export function readRecordedWait(value: Json | undefined): RecordedWait | null {
  const parsed = v.safeParse(recorded, value);
  if (!parsed.success) return null;
  const { result, ...question } = parsed.output;
  return { question, result };
}

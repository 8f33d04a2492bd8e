// What the guard weighed, as the journal holds it, for `why` and `replay`. Outside data, so parsed.

import * as v from 'valibot';
import type { Json } from '../../store/json.ts';

const recorded = v.object({
  memory: v.object({
    held: v.boolean(),
    noProgress: v.number(),
    noTools: v.number(),
    toolsUnknown: v.number(),
    released: v.boolean(),
  }),
  movement: v.object({
    state: v.boolean(),
    artifacts: v.boolean(),
    tools: v.picklist(['yes', 'no', 'unknown']),
    waited: v.optional(v.boolean(), false),
  }),
  limits: v.object({ unmoved: v.number(), tools: v.nullable(v.number()), unknown: v.number() }),
  result: v.string(),
});

export type RecordedGuard = v.InferOutput<typeof recorded>;

/** Null: it was not asked, or this is nothing that we can read. */
export function readRecordedGuard(json: Json): RecordedGuard | null {
  const parsed = v.safeParse(recorded, json);
  return parsed.success ? parsed.output : null;
}

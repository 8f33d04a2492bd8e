// A recorded decision, fed to decide once more. The journal is a file like any other, so it is parsed first.

import * as v from 'valibot';
import { proofFacts } from '../../../engine/proof/recorded.ts';
import type { Json } from '../../../store/json.ts';
import { decide } from '../decide.ts';

const count = v.union([v.number(), v.literal('corrupt')]);

const frame = v.object({
  mode: v.picklist(['loop', 'issue', 'grind', 'unknown']),
  iter: count,
  max: count,
  carryOn: v.boolean(),
});

const state = v.variant('kind', [
  v.object({ kind: v.literal('nothing') }),
  v.object({ kind: v.literal('lost') }),
  v.object({ kind: v.literal('unreadable') }),
  v.object({
    kind: v.literal('loop'),
    event: v.picklist(['STATE', 'DONE', 'ABORT']),
    updatedAt: v.nullable(v.number()),
    stack: v.array(frame),
  }),
]);

const facts = v.object({
  now: v.number(),
  // Journals up to 0.4 do not have it: nobody looked, and a loop that was stale then is so still.
  limited: v.optional(v.nullable(v.number()), 0),
  signal: v.picklist([
    'COMPLETE',
    'MAX_ITERATIONS',
    'STUCK',
    'DONE',
    'NO_MORE_ISSUES',
    'MAX_ISSUES',
    'none',
    'unread',
  ]),
  // Journals of 0.1 do not have it.
  nearMiss: v.optional(v.picklist(['none', 'place', 'code', 'spelling']), 'none'),
  seen: v.nullable(v.string()),
  // Journals up to 0.3 do not have these.
  untilCheck: v.optional(v.nullable(v.string()), null),
  ...proofFacts,
});

/** Null when the record is not of this workflow's shape. */
export function redecide(recordedState: unknown, recordedFacts: unknown): Json {
  const known = v.safeParse(state, recordedState);
  const given = v.safeParse(facts, recordedFacts);
  return known.success && given.success ? decide(known.output, given.output) : null;
}

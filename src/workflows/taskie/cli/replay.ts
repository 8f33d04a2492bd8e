// A recorded decision about a plan, fed to decide once more. The journal is a file like any other, so it is parsed first.

import * as v from 'valibot';
import { proofFacts } from '../../../engine/proof/recorded.ts';
import type { EngineFacts } from '../../../engine/step.ts';
import type { Json } from '../../../store/json.ts';
import { NO_VERDICTS } from '../../../store/records.ts';
import { decide } from '../decide.ts';
import { PHASES } from '../phases.ts';
import type { Facts, State } from '../types.ts';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const phase = v.nullable(v.picklist([...PHASES, 'other'] as const));

const state = v.variant('kind', [
  v.object({ kind: v.literal('absent') }),
  v.object({ kind: v.literal('broken') }),
  v.object({
    kind: v.literal('known'),
    maxReviews: count,
    currentTask: v.nullable(v.string()),
    phase,
    iteration: v.nullable(count),
    next: phase,
    model: v.string(),
    clean: count,
    tdd: v.boolean(),
    unsound: v.array(v.string()),
  }),
]);

const facts = v.object({
  plan: v.string(),
  spelled: v.exactOptional(v.string()),
  handFired: v.boolean(),
  violations: v.array(v.string()),
  folder: v.string(),
  planWritten: v.boolean(),
  taskWritten: v.boolean(),
  review: v.nullable(v.object({ number: count, answered: v.boolean() })),
  nextNumber: v.nullable(count),
  tasks: v.nullable(
    v.object({
      ...{ ids: v.array(v.string()), leftOut: count, plain: v.boolean() },
      ...{ unclear: v.exactOptional(count), unfinished: v.exactOptional(count) },
    }),
  ),
  pending: v.nullable(v.object({ others: v.boolean(), current: v.boolean() })),
  verdict: v.nullable(v.picklist(['clean', 'findings', 'none', 'failed'])),
  failedReviews: count,
  reviewNumber: v.exactOptional(count),
  reviewModel: v.exactOptional(v.string()),
  listed: v.exactOptional(v.nullable(v.object({ high: count, medium: count, low: count }))),
  floor: v.exactOptional(v.nullable(v.object({ severity: v.picklist(['medium', 'high']), from: count }))),
  reviewers: v.exactOptional(
    v.nullable(v.object({ pair: v.strictTuple([v.string(), v.string()]), standIn: v.nullable(v.string()) })),
  ),
  noVerdict: v.exactOptional(v.object({ kind: v.picklist(NO_VERDICTS), code: v.nullable(count) })),
  // Journals up to 0.3 do not have these.
  ...proofFacts,
});

/** Null when the record is not of this workflow's shape. */
export function redecide(recordedState: unknown, recordedFacts: unknown): Json {
  const recorded = readRecord(recordedState, recordedFacts);
  return recorded === null ? null : decide(recorded.state, recorded.facts);
}

export function readRecord(
  recordedState: unknown,
  recordedFacts: unknown,
): { state: State; facts: Facts & EngineFacts } | null {
  const parsedState = v.safeParse(state, recordedState);
  const parsedFacts = v.safeParse(facts, recordedFacts);
  if (!parsedState.success || !parsedFacts.success) return null;
  return { state: parsedState.output, facts: parsedFacts.output };
}

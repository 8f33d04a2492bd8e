// A proof as the journal holds it, for `replay`: outside data, so parsed. Where a line says nothing of it, nothing was
// asked: of a run without checks, and of every run up to 0.3.

import * as v from 'valibot';
import { NO_UNTIL, UNASKED } from './asked.ts';

export const checkFact = v.object({
  name: v.string(),
  end: v.picklist(['passed', 'failed', 'timed-out', 'cannot-run', 'untrusted']),
  code: v.nullable(v.number()),
  milliseconds: v.nullable(v.number()),
  from: v.nullable(v.picklist(['run', 'receipt'])),
  flaky: v.exactOptional(v.literal(true)),
  redBefore: v.exactOptional(v.literal(true)),
  accepted: v.exactOptional(v.picklist(['start', 'person', 'config', 'outer'])),
  failedBefore: v.exactOptional(v.literal(true)),
  why: v.exactOptional(
    v.picklist([
      'not-found',
      'not-executable',
      'no-sandbox',
      'no-time',
      'changes-files',
      'too-much-output',
      'no-folder',
    ]),
  ),
});

const proof = v.object({
  claim: v.picklist(['stands', 'refused']),
  worth: v.picklist(['proven', 'unproven', 'unasked']),
  why: v.array(
    v.picklist([
      'untrusted',
      'cannot-run',
      'failed',
      'accepted-red',
      'failed-before',
      'switched-off',
      'not-pinned',
      'changed-since',
      'refused-too-often',
    ]),
  ),
  checks: v.array(checkFact),
  protectedChanged: v.number(),
  heldForProtected: v.exactOptional(v.literal(true)),
  unchanged: v.exactOptional(v.literal(true)),
});

/** What the engine adds to the facts of a workflow that claims. */
export const proofFacts = {
  proof: v.optional(v.nullable(proof), UNASKED as v.InferOutput<typeof proof>),
  until: v.optional(v.nullable(proof), NO_UNTIL as v.InferOutput<typeof proof>),
};

/** Null: the facts say nothing that can be read of it. */
export function readProof(
  facts: unknown,
  name: 'proof' | 'until' = 'proof',
): v.InferOutput<typeof proof> | null {
  const read = v.safeParse(v.object({ [name]: proof }), facts);
  return read.success ? (read.output[name] ?? null) : null;
}

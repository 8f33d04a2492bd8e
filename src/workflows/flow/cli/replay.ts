// A recorded decision, fed to decide once more. The journal is a file like any other, so it is parsed first.

import * as v from 'valibot';
import { checkFact, proofFacts } from '../../../engine/proof/recorded.ts';
import type { Json } from '../../../store/json.ts';
import { NO_VERDICTS } from '../../../store/records.ts';
import { decide } from '../decide.ts';

const outcome = v.picklist(['completed', 'limit', 'stuck', 'released', 'cancelled']);

const condition = v.variant('kind', [
  v.object({ kind: v.literal('visits'), least: v.number() }),
  v.object({ kind: v.literal('signal'), name: v.string() }),
  v.object({ kind: v.literal('file'), glob: v.string(), is: v.picklist(['exists', 'missing', 'changed']) }),
  v.object({ kind: v.literal('check'), name: v.string(), is: v.picklist(['passed', 'failed']) }),
  v.object({ kind: v.literal('review'), name: v.string(), is: v.picklist(['clean', 'findings']) }),
]);

const target = v.object({
  to: v.string(),
  is: v.picklist(['work', 'pause', 'completed', 'let-go']),
  visits: v.number(),
  watches: v.boolean(),
});

const state = v.variant('kind', [
  v.object({ kind: v.literal('unreadable'), what: v.picklist(['definition', 'state']) }),
  v.object({ kind: v.literal('ended'), outcome }),
  v.object({
    kind: v.literal('at'),
    flow: v.string(),
    at: v.string(),
    pause: v.boolean(),
    lines: v.array(v.object({ when: v.array(condition), target })),
    limit: v.nullable(v.object({ holds: v.number(), otherwise: target })),
    visits: v.number(),
    stay: v.number(),
    held: v.number(),
    most: v.number(),
  }),
]);

const verdict = v.picklist(['clean', 'findings']);

const facts = v.object({
  run: v.string(),
  pinned: v.picklist(['same', 'differs', 'none']),
  signal: v.string(),
  nearMiss: v.picklist(['none', 'place', 'code', 'spelling']),
  seen: v.nullable(v.string()),
  files: v.nullable(v.record(v.string(), v.boolean())),
  content: v.nullable(v.string()),
  reviewed: v.nullable(v.object({ content: v.string(), verdict, number: v.number() })),
  reviews: v.number(),
  marks: v.nullable(v.object({ of: v.string(), marks: v.record(v.string(), v.string()) })),
  checks: v.exactOptional(v.record(v.string(), checkFact)),
  waitsForPerson: v.exactOptional(v.literal(true)),
  verdict: v.nullable(v.picklist(['clean', 'findings', 'none', 'failed'])),
  reviewNumber: v.exactOptional(v.number()),
  reviewContent: v.exactOptional(v.string()),
  reviewModel: v.exactOptional(v.string()),
  noVerdict: v.exactOptional(v.object({ kind: v.picklist(NO_VERDICTS), code: v.nullable(v.number()) })),
  failedReviews: v.number(),
  ...proofFacts,
});

/** Null when the record is not of this workflow's shape. */
export function redecide(recordedState: unknown, recordedFacts: unknown): Json {
  const known = v.safeParse(state, recordedState);
  const given = v.safeParse(facts, recordedFacts);
  return known.success && given.success ? decide(known.output, given.output) : null;
}

// What the journal recorded of a decision, for `replay`: parsed, since a journal is a file like any other.

import * as v from 'valibot';
import { isObject, type Json } from '../../../store/json.ts';
import { decide } from '../decide.ts';

/** Up to 0.2 the word for 'notified'. */
const OLD_NOTIFIED = 'told';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

const state = v.object({
  mode: v.picklist(['plan', 'review', 'unknown']),
  phase: v.picklist(['drafting', 'reviewing', 'summarizing', 'done', 'cancelled', 'errored', 'unknown']),
  round: count,
  maxRounds: count,
  signal: v.picklist(['none', 'no-material-findings', 'max-reached']),
});

const facts = v.object({
  id: v.picklist(['valid', 'malformed']),
  cwd: v.picklist(['inside', 'elsewhere']),
  plan: v.picklist(['missing', 'empty', 'unchanged', 'drafted', 'unread']),
  runner: v.picklist(['idle', 'running', 'in-background']),
  waited: v.pipe(
    v.picklist(['no', 'held', 'notified', OLD_NOTIFIED]),
    v.transform((word) => (word === OLD_NOTIFIED ? 'notified' : word)),
  ),
  lastReviewed: count,
  reviewFiles: v.picklist(['written', 'missing', 'unread']),
  unwarned: v.array(v.string()),
});

/** Null: not of this workflow's shape. */
export function redecide(recordedState: unknown, recordedFacts: unknown): Json {
  const known = v.safeParse(v.object({ state, facts }), { state: recordedState, facts: recordedFacts });
  return known.success ? decide(known.output.state, known.output.facts) : null;
}

/** A recorded step as today's decision would say it. */
export function inTodaysWords(step: Json): Json {
  if (!isObject(step) || !isObject(step.change) || step.change.waited !== OLD_NOTIFIED) return step;
  return { ...step, change: { ...step.change, waited: 'notified' } };
}

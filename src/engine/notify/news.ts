// Whether a stop is something to call a person about. Loaded only where the user's settings name somebody to call. Pure.

import type { NotifyEvent } from '../../config/notify.ts';
import { isObject } from '../../store/json.ts';
import type { Waiting } from '../../store/records.ts';
import { inOneParagraph } from '../../text/paragraph.ts';
import type { Served } from '../stop/turn.ts';
import type { News } from './types.ts';

/** `state`: fingerprint of the state the stop was decided in. Null: nobody need know. */
export function newsOf(served: Served, run: string, state: string): News | null {
  const found = whatHappened(served);
  if (found === null) return null;
  const { event, what, cause } = found;
  const why = inOneParagraph(served.answer.notice ?? what, LONGEST);
  return { event, run, cause: `${event} ${cause} ${state}`, text: `${run} ${what}`, why };
}

/** A usage limit that a turn ended at, beside any stop. */
export function newsOfLimit(wait: Waiting, run: string): News {
  // A record may name a time that no date can hold.
  const until =
    wait.until === null || wait.until > 8.64e15
      ? ''
      : ` until ${new Date(wait.until).toISOString().slice(0, 16)}Z`;
  const text = `${run} waits for a usage limit${until}`;
  return {
    event: 'limit',
    run,
    cause: `limit ${wait.what} ${wait.until ?? wait.since}`,
    text,
    why: `${text}.`,
  };
}

const LONGEST = 500;

type Happened = { event: NotifyEvent; what: string; cause: string };

function whatHappened(served: Served): Happened | null {
  const { shown, ended, waits = [] } = served;
  if (shown !== undefined && shown.for === 'person')
    return {
      event: 'needs-you',
      what: `asks: ${inOneParagraph(shown.what, 200)}`,
      cause: String(shown.since),
    };
  const began = waits.find(({ what }) => what === 'began')?.wait;
  if (began?.for === 'person')
    return { event: 'needs-you', what: 'is paused for you', cause: String(began.since) };
  if (ended !== null) return howItEnded(served, ended);
  if (began?.for === 'limit') {
    const whose = began.reviewer === undefined ? 'a usage limit' : `a usage limit of ${began.reviewer}`;
    return { event: 'limit', what: `waits for ${whose}`, cause: String(began.until ?? began.since) };
  }
  return failedReviews(served);
}

function howItEnded({ record }: Served, ended: NonNullable<Served['ended']>): Happened {
  const why = unprovenBy(record.facts);
  switch (ended) {
    case 'completed':
      if (why.includes('untrusted'))
        return {
          event: 'needs-you',
          what: 'is done, but nobody trusts its checks: `holdfast trust`',
          cause: ended,
        };
      if (why.length > 0) return { event: 'let-go', what: 'is done, but unproven', cause: ended };
      return { event: 'done', what: 'is done', cause: ended };
    case 'paused':
      return { event: 'needs-you', what: 'is paused: its budget is spent', cause: ended };
    case 'limit':
      return { event: 'needs-you', what: 'reached its limit', cause: ended };
    case 'released':
      return { event: 'let-go', what: 'was let go: there was no progress', cause: ended };
    case 'stuck':
      return { event: 'let-go', what: 'says that it is stuck', cause: ended };
    case 'cancelled':
      return { event: 'done', what: 'was cancelled', cause: ended };
  }
}

/** Empty: it is proven, or nobody asked for checks. */
function unprovenBy(facts: unknown): readonly unknown[] {
  const proof = isObject(facts) ? facts.proof : null;
  return isObject(proof) && proof.worth === 'unproven' && Array.isArray(proof.why) ? proof.why : [];
}

/** The agent may stop although a review is due: its reviewer failed. */
function failedReviews({ answer, record: { facts } }: Served): Happened | null {
  if (answer.kind !== 'allow' || answer.notice === null || !isObject(facts)) return null;
  const failed = typeof facts.failedReviews === 'number' ? facts.failedReviews : 0;
  return failed === 0
    ? null
    : { event: 'let-go', what: 'may stop without its review, which failed', cause: `review ${failed}` };
}

// What a claim is worth, given what each check said (pure). Four things bound it: a claim is refused at most so many
// times in a row, once for a check that cannot run, once for protected files, and never for a check that is not trusted
// or whose red was accepted. What a check said before the run excuses nothing.

import type { ProofNotes } from '../../store/records.ts';
import { NO_UNTIL, UNASKED } from './asked.ts';
import type { CheckFact, Proof, Unproven } from './types.ts';

/** What was said to the agent so far. */
export type Memory = Pick<ProofNotes, 'refusals' | 'cannotRunSaid' | 'protectedSaid'>;

/** What the run's pin asks for and allows. */
export type Terms = {
  /** How many checks there are. */
  required: number;
  /** None of them is to be run. */
  off: boolean;
  /** Claims that may be refused in a row. */
  refusals: number;
  /** After so many in a row a red check refuses nothing more. Left out: it always does. */
  standsAfter?: number | undefined;
  /** What is to happen when protected files changed. */
  onProtected: 'notice' | 'hold';
};

export type Judged = { proof: Proof; memory: Memory };

export function judge(
  checks: readonly CheckFact[],
  protectedChanged: number,
  terms: Terms,
  memory: Memory,
): Judged {
  const known = { checks, protectedChanged };
  if (terms.off) return stands({ ...UNASKED, ...known, ...worthWhenOff(terms) }, memory);
  if (holdsForProtected(protectedChanged, terms, memory))
    return refused({ ...known, heldForProtected: true }, terms, { ...memory, protectedSaid: true });
  const failing = checks.filter(isRefusing);
  const isEnough = memory.refusals >= (terms.standsAfter ?? Number.POSITIVE_INFINITY);
  if (failing.length > 0 && !isEnough) {
    const unchanged = failing.every(({ from }) => from === 'receipt');
    return refused({ ...known, ...(unchanged ? { unchanged } : {}) }, terms, memory);
  }
  if (checks.some(cannotRun) && !memory.cannotRunSaid)
    return refused(known, terms, { ...memory, cannotRunSaid: true });
  return stands({ ...UNASKED, ...known, ...worthOf(checks, reasonsIn(checks), terms) }, memory);
}

/** Asked before anything is run: whoever is to put files back has all checks run again anyway. */
export function holdsForProtected(
  changed: number,
  { off, onProtected }: Terms,
  { protectedSaid }: Memory,
): boolean {
  return !off && changed > 0 && onProtected === 'hold' && !protectedSaid;
}

/** The run ends whatever they say: a check that fails refuses nothing, it makes the end unproven. */
export function judgeFinal(checks: readonly CheckFact[], protectedChanged: number, terms: Terms): Proof {
  const known = { ...UNASKED, checks, protectedChanged };
  if (terms.off) return { ...known, ...worthWhenOff(terms) };
  return { ...known, ...worthOf(checks, reasonsIn(checks), terms) };
}

/** At the end of a run nothing is run any more: `checks` are those with a receipt for the content as it is. */
export function judgeReceipts(
  checks: readonly CheckFact[],
  protectedChanged: number,
  terms: Terms,
  { cannotRunSaid }: Memory,
): Proof {
  const known = { ...UNASKED, checks, protectedChanged };
  if (terms.off) return { ...known, ...worthWhenOff(terms) };
  const why = reasonsIn(checks);
  const missing: Unproven = cannotRunSaid ? 'cannot-run' : 'changed-since';
  const isMissing = checks.length < terms.required && !why.includes(missing);
  return { ...known, ...worthOf(checks, isMissing ? [...why, missing] : why, terms) };
}

/**
 * The one check whose pass ends a frame. That it fails is what the frame is there for, so it refuses no claim; one that
 * can never pass, for it cannot run or is not trusted, must not cost the frame all its iterations.
 */
export function judgeUntil(check: CheckFact | null, memory: Memory): Judged {
  if (check === null) return { proof: NO_UNTIL, memory };
  const known = { ...UNASKED, checks: [check] };
  const open = { ...known, claim: 'refused', worth: 'unproven' } as const;
  switch (check.end) {
    case 'passed':
      return { proof: { ...known, worth: 'proven' }, memory };
    case 'failed':
    case 'timed-out':
      return { proof: { ...open, ...(check.from === 'receipt' ? { unchanged: true } : {}) }, memory };
    case 'cannot-run':
      if (!memory.cannotRunSaid) return { proof: open, memory: { ...memory, cannotRunSaid: true } };
      return { proof: { ...known, worth: 'unproven', why: ['cannot-run'] }, memory };
    case 'untrusted':
      return { proof: { ...known, worth: 'unproven', why: ['untrusted'] }, memory };
  }
}

/** Does it refuse the claim? */
export function isRefusing({ end, accepted, failedBefore }: CheckFact): boolean {
  return isRed(end) && accepted === undefined && failedBefore !== true;
}

export const isRed = (end: CheckFact['end']): boolean => end === 'failed' || end === 'timed-out';

const cannotRun = ({ end }: CheckFact): boolean => end === 'cannot-run';

const REASONS: readonly (readonly [Unproven, (check: CheckFact) => boolean])[] = [
  ['failed', isRefusing],
  ['untrusted', ({ end }) => end === 'untrusted'],
  ['cannot-run', cannotRun],
  ['accepted-red', ({ accepted }) => accepted !== undefined],
  ['failed-before', ({ failedBefore }) => failedBefore === true],
];

function reasonsIn(checks: readonly CheckFact[]): Unproven[] {
  return REASONS.filter(([, applies]) => checks.some(applies)).map(([reason]) => reason);
}

type Worth = Pick<Proof, 'worth' | 'why'>;

/** Proven is only what every check that is required says. */
function worthOf(checks: readonly CheckFact[], why: readonly Unproven[], { required }: Terms): Worth {
  if (required === 0) return { worth: 'unasked', why: [] };
  const isProven = checks.length === required && checks.every(({ end }) => end === 'passed');
  return { worth: isProven ? 'proven' : 'unproven', why };
}

function worthWhenOff({ required }: Terms): Worth {
  return required === 0 ? { worth: 'unasked', why: [] } : { worth: 'unproven', why: ['switched-off'] };
}

function stands(proof: Proof, memory: Memory): Judged {
  const cannotRunSaid = memory.cannotRunSaid && proof.checks.some(cannotRun);
  return { proof, memory: { ...memory, cannotRunSaid, refusals: 0 } };
}

function refused(known: Partial<Proof>, { refusals }: Terms, memory: Memory): Judged {
  const proof: Proof = { ...UNASKED, ...known, claim: 'refused', worth: 'unproven' };
  if (memory.refusals >= refusals) return { proof: { ...proof, why: ['refused-too-often'] }, memory };
  return { proof, memory: { ...memory, refusals: memory.refusals + 1 } };
}

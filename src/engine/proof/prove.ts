// What an agent's claim to be done is worth: protected files are compared, receipts for this very content are taken, and
// what has none is run, outside the lock. Loaded when a run with checks makes a claim, and by nobody else.

import type { ProofNotes } from '../../store/records.ts';
import type { StopContext } from '../context.ts';
import type { Project } from '../project.ts';
import type { ProveStep } from '../step.ts';
import { logOf } from '../work/check.ts';
import { reportAccepted } from './accepted.ts';
import { NO_NOTES, UNASKED } from './asked.ts';
import { Checking, type Settled, UnderWay } from './checking.ts';
import {
  holdsForProtected,
  judge,
  judgeFinal,
  judgeReceipts,
  judgeUntil,
  type Memory,
  type Terms,
} from './judge.ts';
import { type Pin, readPin } from './pin.ts';
import { compareSeal, type ProtectedChange } from './protect.ts';
import { refusedText } from './refused-text.ts';
import { reportTrust } from './report-trust.ts';
import { trustOf } from './trust.ts';
import type { Proof } from './types.ts';
import { untilText } from './until-text.ts';
import { type CheckSaid, closingText, refusalText, releasedText, reviewerText, unkeptText } from './words.ts';

/** For the watcher, which loads the built file that this one becomes (work/run.ts). */
export { endProgram } from '../../processes/end.ts';

export type ToProve = {
  /** The run's name. */
  name: string;
  step: ProveStep;
  notes: ProofNotes | undefined;
  /** What ran at this stop already. */
  ran: readonly Settled[];
  /** Called before the first check runs: the hook may not live to see its end. */
  beforeChecks(): Promise<void>;
};

export type Proved = {
  kind: 'proved';
  proof: Proof;
  /** Undefined: nothing is to be noted. */
  notes: ProofNotes | undefined;
  said: Said;
  ran: readonly Settled[];
};

/** Never among the facts: it holds what a check printed, and names of files. */
export type Said = {
  /** In front of what the workflow says to the agent. */
  hold: string | null;
  /** For the user, beside an answer that allows the stop, or holds it for something else. */
  closing: string | null;
  /** For a reviewer. */
  reviewer: string | null;
  /** For the user, whatever the answer is. */
  aside: string | null;
  /** What the checks that did not pass printed. */
  printed: readonly CheckSaid[];
};

/** Another hook runs a check of this run. */
export type Busy = { kind: 'busy'; attempt: string };

export async function prove(wanted: ToProve, stopped: StopContext): Promise<Proved | Busy> {
  const { name, step, notes = NO_NOTES } = wanted;
  const pin = readPin(stopped.project, name);
  try {
    if (pin === null) return withoutPin(step, wanted.notes, stopped.project);
    return await proveWith(pin, wanted, notes, stopped);
  } catch (error) {
    if (error instanceof UnderWay) return { kind: 'busy', attempt: error.attempt };
    throw error;
  }
}

async function proveWith(
  pin: Pin,
  { name, step, ran, beforeChecks }: ToProve,
  notes: ProofNotes,
  stopped: StopContext,
): Promise<Proved> {
  const { root, env } = stopped.project;
  const terms: Terms = { ...termsOf(pin), standsAfter: step.standsAfter };
  const checking = new Checking({ run: name, pin, ran, inner: step.inner === true, beforeChecks }, stopped);
  const proved = (
    proof: Proof,
    memory: Memory,
    said: readonly Settled[],
    changes: readonly ProtectedChange[],
  ): Proved => ({
    kind: 'proved',
    proof,
    notes: { ...notes, ...memory },
    said: withNotices(
      whatToSay(step, proof, said, changes, { refusals: terms.refusals, pin }, stopped),
      checking.notices,
    ),
    ran: checking.ran,
  });
  if (step.check !== undefined) {
    await checking.look();
    const settled = await checking.one(step.check, true);
    return proved(
      { ...UNASKED, checks: settled === null ? [] : [settled.fact] },
      notes,
      settled === null ? [] : [settled],
      [],
    );
  }
  if (step.only !== undefined) {
    await checking.look();
    const settled = await checking.one(step.only);
    const { proof, memory } = judgeUntil(settled?.fact ?? null, notes);
    return proved(proof, memory, settled === null ? [] : [settled], []);
  }
  const changes = pin.seal === null ? [] : await compareSeal(root, env, pin.protect, pin.seal);
  if (step.receiptsOnly) {
    await checking.look();
    const settled = pin.off ? [] : checking.receipts();
    return proved(judgeReceipts(factsOf(settled), changes.length, terms, notes), notes, settled, changes);
  }
  const isRun = !pin.off && (step.final === true || !holdsForProtected(changes.length, terms, notes));
  if (isRun) await checking.look();
  const settled = isRun ? await checking.all() : [];
  if (step.final) return proved(judgeFinal(factsOf(settled), changes.length, terms), notes, settled, changes);
  const { proof, memory } = judge(factsOf(settled), changes.length, terms, notes);
  return proved(proof, memory, settled, changes);
}

const factsOf = (settled: readonly Settled[]) => settled.map(({ fact }) => fact);

function termsOf({ checks, untrusted, off, refusals, then: onProtected }: Pin): Terms {
  const required = new Set([...checks.map(({ name }) => name), ...untrusted]).size;
  return { required, off, refusals, onProtected };
}

/** Our file in the user's folder is gone, or could never be written, or somebody kept the first stop from writing it. */
function withoutPin({ only, check }: ProveStep, noted: ProofNotes | undefined, project: Project): Proved {
  const isUnasked = noted === undefined && (trustOf(project)?.checks.length ?? 0) === 0;
  const unproven: Proof = { ...UNASKED, worth: 'unproven', why: ['not-pinned'] };
  const proof = isUnasked ? UNASKED : unproven;
  const proved = { kind: 'proved' as const, notes: noted, ran: [] };
  if (check !== undefined) return { ...proved, proof: UNASKED, said: NOTHING_SAID };
  if (only !== undefined) return { ...proved, proof: { ...proof, claim: 'refused' }, said: NOTHING_SAID };
  const closing = closingText(proof, [], project.cli);
  return { ...proved, proof, said: { ...NOTHING_SAID, closing, aside: reportTrust(project) } };
}

const NOTHING_SAID: Said = { hold: null, closing: null, reviewer: null, aside: null, printed: [] };

function whatToSay(
  { only, check }: ProveStep,
  proof: Proof,
  settled: readonly Settled[],
  changes: readonly ProtectedChange[],
  { refusals, pin }: { refusals: number; pin: Pin },
  { project }: StopContext,
): Said {
  const printed = settled
    .filter(({ fact }) => fact.end !== 'passed')
    .map(({ fact, tail }) => ({ name: fact.name, tail, log: logOf(fact.name) }));
  const unkept = unkeptText(settled);
  if (check !== undefined) return { ...NOTHING_SAID, aside: unkept, printed };
  if (only !== undefined) {
    const hold = proof.claim === 'refused' ? untilText(proof, printed) : null;
    return { ...NOTHING_SAID, hold, aside: unkept };
  }
  return {
    hold: proof.claim === 'refused' ? refusalText(proof, printed, project, changes) : null,
    closing: closingOf(proof, changes, refusals, project),
    reviewer: reviewerText(proof, printed, changes),
    aside: joinedLines(unkept, reportTrust(project), reportAccepted(project, pin)),
    printed,
  };
}

function withNotices(said: Said, notices: readonly string[]): Said {
  return { ...said, aside: joinedLines(said.aside, ...notices) };
}

function joinedLines(...lines: readonly (string | null)[]): string | null {
  const said = lines.filter((line) => line !== null);
  return said.length === 0 ? null : said.join('\n');
}

function closingOf(
  proof: Proof,
  changes: readonly ProtectedChange[],
  refusals: number,
  { cli }: Project,
): string | null {
  if (proof.why.includes('refused-too-often')) return releasedText(proof, refusals, cli);
  if (proof.claim === 'refused') return refusedText(proof);
  return proof.worth === 'unasked' && changes.length === 0 ? null : closingText(proof, changes, cli);
}

// A proof in a plain sentence or two, for `why`, `status`, the log and the hook.

import { duration } from './in-words.ts';
import type { AcceptedBy, CheckFact, Proof, Unproven } from './types.ts';
import { WHY_NOT } from './why-not.ts';

export function describeProof(proof: Proof): string {
  const checks = proof.checks.map(describeFact).join(', ');
  const why = proof.why.filter((reason) => !SHOWN_BY_CHECK.includes(reason)).map((reason) => WHY[reason]);
  const said = [
    ...(checks === '' ? [] : [`${checks}.`]),
    ...why.map((reason) => `${reason}.`),
    ...(proof.heldForProtected ? [`${countOf(proof.protectedChanged)} changed.`] : []),
    ...(proof.unchanged ? ['Nothing changed since, so nothing was run again.'] : []),
  ];
  return said.join(' ');
}

/** `test failed (exit code 1, 3.2 s)`. */
export function describeFact(check: CheckFact): string {
  const notes = [
    ...(check.end === 'failed' && check.code !== null ? [`exit code ${check.code}`] : []),
    ...(check.end === 'cannot-run' && check.why !== undefined ? [WHY_NOT[check.why].what] : []),
    ...(check.milliseconds === null || check.end === 'cannot-run' ? [] : [duration(check.milliseconds)]),
    ...(check.from === 'receipt' ? ['on this very content before'] : []),
    ...(check.flaky ? ['flaky'] : []),
    ...(check.failedBefore || check.redBefore ? ['red before this run too'] : []),
    ...(check.accepted === undefined ? [] : [ACCEPTED[check.accepted]]),
  ];
  return `${check.name} ${ENDS[check.end]}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`;
}

/** `unproven (not trusted)`: in a word or two, for a line about the whole run. A reason that is not ours stays as it is. */
export function describeWorth(worth: string, why: readonly string[]): string {
  const reasons = why.map(reasonInShort);
  return `${worth}${reasons.length === 0 ? '' : ` (${reasons.join(', ')})`}`;
}

export function reasonInShort(reason: string): string {
  return Object.hasOwn(SHORT, reason) ? SHORT[reason as Unproven] : reason;
}

/** Who let a red check be red. */
export const ACCEPTED: Readonly<Record<AcceptedBy, string>> = {
  start: 'accepted at the start with `--accept-red`',
  person: 'accepted in a terminal with `holdfast check --accept-red`',
  config: 'accepted in your own config by `proof.acceptRed`',
  outer: 'red when the run began, so the outer loop has to make it green',
};

const SHORT: Readonly<Record<Unproven, string>> = {
  untrusted: 'not trusted',
  'cannot-run': 'could not run',
  failed: 'failed',
  'accepted-red': 'red, and accepted',
  'failed-before': 'red before this run too',
  'switched-off': 'switched off',
  'not-pinned': 'what it had to pass is not known',
  'changed-since': 'files changed since',
  'refused-too-often': 'refused too often',
};

export const WHY: Readonly<Record<Unproven, string>> = {
  untrusted: 'A check is not trusted; `holdfast trust` changes that',
  'cannot-run': 'A check cannot run',
  failed: 'A check failed',
  'accepted-red': 'A check is red, and that was accepted',
  'failed-before': 'A check was red before this run too',
  'switched-off': 'The checks were switched off at the start',
  'not-pinned': 'What this run had to pass is not known',
  'changed-since': 'Something changed since the checks ran',
  'refused-too-often': 'The claim was refused too often',
};

const SHOWN_BY_CHECK: readonly Unproven[] = [
  'untrusted',
  'cannot-run',
  'failed',
  'accepted-red',
  'failed-before',
];

const ENDS: Readonly<Record<CheckFact['end'], string>> = {
  passed: 'passed',
  failed: 'failed',
  'timed-out': 'ran out of time',
  'cannot-run': 'cannot run',
  untrusted: 'is not trusted',
};

const countOf = (files: number): string => (files === 1 ? '1 protected file' : `${files} protected files`);

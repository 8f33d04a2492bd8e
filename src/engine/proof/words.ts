// What people and agents read about proof.

import type { Project } from '../project.ts';
import { describeProof } from './describe.ts';
import type { ProtectedChange } from './protect.ts';
import type { Proof } from './types.ts';

/** What a check printed last, and where all of it is. */
export type CheckSaid = { name: string; tail: string; log: string };

export function refusalText(
  proof: Proof,
  said: readonly CheckSaid[],
  _project: Project,
  changes: readonly ProtectedChange[] = [],
): string {
  if (proof.heldForProtected) return heldForProtectedText(changes);
  const parts = said.map(({ name, tail, log }) => `${name} (all of it: ${log}):\n${tail}`);
  return ['The claim that the work is done is refused.', describeProof(proof), ...parts].join('\n\n');
}

export function closingText(
  proof: Proof,
  changes: readonly ProtectedChange[] = [],
  _cli = 'holdfast',
): string | null {
  const what = proof.worth === 'proven' ? 'done and proven' : 'done, but unproven';
  const changed = changes.map(({ file, how }) => `${file} ${how}`).join(', ');
  return `Holdfast: ${what}: ${describeProof(proof)}${changed === '' ? '' : ` Protected files: ${changed}.`}`;
}

export function reviewerText(changes: readonly ProtectedChange[]): string {
  const list = changes.map(({ file, how }) => `- ${file} (${how})`).join('\n');
  return `Protected files changed by the agent: judge whether a test was weakened.\n${list}`;
}

export function heldForProtectedText(changes: readonly ProtectedChange[]): string {
  const list = changes.map(({ file, how }) => `- ${file} (${how})`).join('\n');
  return `Protected files were changed; restore or justify each of them in your final message:\n${list}`;
}

export function releasedText(proof: Proof, refusals: number | null, cli = 'holdfast'): string {
  return `Holdfast: the checks refused the claim ${refusals ?? 'too many'} times in a row, so the run ends unproven. ${describeProof(proof)} \`${cli} why\` has the last refusal.`;
}

export function trustGivenText(names: readonly string[], cli = 'holdfast'): string {
  return `Holdfast: trusted here since the last notice: ${names.join(', ')}. If that was not you: ${cli} trust --revoke`;
}

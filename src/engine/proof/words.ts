// What people and agents read about proof.

import type { Project } from '../project.ts';
import { describeProof } from './describe.ts';
import type { ProtectedChange } from './protect.ts';
import type { Proof } from './types.ts';

/** What a check printed last, and where all of it is. */
export type CheckSaid = { name: string; tail: string; log: string };

export function refusalText(proof: Proof, said: readonly CheckSaid[], _project: Project): string {
  const parts = said.map(({ name, tail, log }) => `${name} (all of it: ${log}):\n${tail}`);
  return ['The claim that the work is done is refused.', describeProof(proof), ...parts].join('\n\n');
}

export function closingText(proof: Proof, changes: readonly ProtectedChange[]): string {
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

// What the agent reads when the check that its frame waits for does not pass yet.

import { render } from '../../text/render.ts';
import { describeProof } from './describe.ts';
import untilOpen from './messages/until-open.md';
import untilPrinted from './messages/until-printed.md';
import type { Proof } from './types.ts';
import type { CheckSaid } from './words.ts';

/** Null: the run has no such check, so there is nothing to say of it. */
export function untilText(proof: Proof, [printed]: readonly CheckSaid[]): string | null {
  const [check] = proof.checks;
  if (check === undefined) return null;
  const open = render(untilOpen, { name: check.name, said: describeProof(proof) });
  if (printed === undefined || printed.tail.trim() === '') return open;
  return `${open}\n\n${render(untilPrinted, { tail: printed.tail.trim(), log: printed.log })}`;
}

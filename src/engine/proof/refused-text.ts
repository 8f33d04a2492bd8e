// What the user reads of a claim that was refused where nothing is held: at a loop's limit, at a stop fired by hand.

import { render } from '../../text/render.ts';
import { describeProof } from './describe.ts';
import claimRefused from './messages/claim-refused.md';
import type { Proof } from './types.ts';

export function refusedText(proof: Proof): string {
  return render(claimRefused, { said: describeProof(proof) });
}

// What a claim can be worth to a decision, and what the check can say that a frame waits for.

import { NO_UNTIL, UNASKED } from '../../src/engine/proof/asked.ts';
import type { Proof } from '../../src/engine/proof/types.ts';

const PROVEN: Proof = { ...UNASKED, worth: 'proven' };
const UNPROVEN: Proof = { ...UNASKED, worth: 'unproven', why: ['untrusted'] };
export const REFUSED: Proof = { ...UNASKED, claim: 'refused', worth: 'unproven' };

/** Null: not asked for yet. */
export const PROOFS: readonly (Proof | null)[] = [null, UNASKED, PROVEN, UNPROVEN, REFUSED];
export const UNTILS: readonly (Proof | null)[] = [null, NO_UNTIL, PROVEN, REFUSED];

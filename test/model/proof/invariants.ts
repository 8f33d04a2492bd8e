// What must hold at every claim, whatever its checks say.

import type { Judged } from '../../../src/engine/proof/judge.ts';
import type { CheckFact } from '../../../src/engine/proof/types.ts';
import { type Invariants, unless } from '../../../src/explorer/invariant.ts';
import { type Node, REQUIRED } from './model.ts';

export type Context = {
  from: Node;
  checks: readonly CheckFact[];
  changed: number;
  judged: Judged;
  to: Node;
};

export const invariants: Invariants<Context> = {
  'nothing is proven unless every check that is required passed': ({ checks, judged: { proof } }) => {
    if (proof.worth !== 'proven') return null;
    if (proof.claim !== 'stands') return 'a refused claim';
    return unless(checks.length === REQUIRED && checks.every(({ end }) => end === 'passed'), names(checks));
  },
  'what every check passed is proven, and stands, but for one hold for protected files': ({
    from,
    checks,
    judged: { proof },
  }) => {
    if (from.off || checks.length < REQUIRED || !checks.every(({ end }) => end === 'passed')) return null;
    if (proof.heldForProtected) return null;
    return unless(proof.claim === 'stands' && proof.worth === 'proven', `${proof.claim}, ${proof.worth}`);
  },
  'at most so many claims in a row are refused, then the run is let go': ({
    from,
    judged: { proof },
    to,
  }) => {
    if (to.row > from.limit) return `${to.row} of ${from.limit}`;
    if (!proof.why.includes('refused-too-often')) return null;
    return unless(proof.claim === 'refused' && from.row >= from.limit, `after ${from.row} of ${from.limit}`);
  },
  'a check that fails refuses the claim': ({ from, checks, judged: { proof } }) => {
    if (from.off || !checks.some(isRed)) return null;
    return unless(proof.claim === 'refused', proof.claim);
  },
  'a claim is refused for what the agent can change, and for nothing else': ({
    from,
    checks,
    changed,
    judged: { proof },
  }) => {
    if (proof.claim !== 'refused') return null;
    if (from.off) return 'the checks are off';
    const isForFiles = changed > 0 && from.onProtected === 'hold' && !from.heldForProtected;
    const isForMissing = checks.some(({ end }) => end === 'cannot-run') && !from.heldForCannotRun;
    return unless(isForFiles || isForMissing || checks.some(isRed), names(checks));
  },
  'a claim that is not proven says why': ({ checks, judged: { proof } }) => {
    if (proof.claim !== 'stands' || proof.worth !== 'unproven') return null;
    return unless(proof.why.length > 0 || checks.length < REQUIRED, 'it does not');
  },
};

const isRed = ({ end, failedBefore, accepted }: CheckFact): boolean =>
  (end === 'failed' || end === 'timed-out') && !failedBefore && accepted === undefined;

const names = (checks: readonly CheckFact[]): string => checks.map(({ end }) => end).join(', ');

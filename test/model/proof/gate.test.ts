// The gate, and the gate with one defect planted each: the explorer has to name the invariant it breaks.

import { describe, expect, it } from 'vitest';
import { type Judged, judge } from '../../../src/engine/proof/judge.ts';
import { explore, report } from '../../../src/explorer/explorer.ts';
import { only } from '../../../src/explorer/invariant.ts';
import { foundBy } from '../defect.ts';
import { printFigures } from '../figures.ts';
import { invariants } from './invariants.ts';
import { gateModel, type Judge } from './model.ts';

it('keeps every invariant at every claim', () => {
  const explored = explore(gateModel(judge));
  printFigures('proof', explored);
  expect(explored.violation, report(explored)).toBeNull();
  expect(explored.states).toBeGreaterThan(50);
});

const answering =
  (change: (judged: Judged, ...asked: Parameters<Judge>) => Judged): Judge =>
  (...asked) =>
    change(judge(...asked), ...asked);

const defects: Readonly<Record<string, [Judge, string]>> = {
  'one check that passed is enough': [
    answering((judged, checks) =>
      judged.proof.claim === 'stands' && checks.some(({ end }) => end === 'passed')
        ? { ...judged, proof: { ...judged.proof, worth: 'proven' } }
        : judged,
    ),
    'nothing is proven unless every check that is required passed',
  ],
  'a check that was not asked counts as passed': [
    (checks, changed, terms, memory) => judge(checks, changed, { ...terms, required: checks.length }, memory),
    'nothing is proven unless every check that is required passed',
  ],
  'a receipt proves nothing': [
    answering((judged, checks) =>
      checks.some(({ from }) => from === 'receipt') && judged.proof.worth === 'proven'
        ? { ...judged, proof: { ...judged.proof, worth: 'unproven' } }
        : judged,
    ),
    'what every check passed is proven, and stands, but for one hold for protected files',
  ],
  'refusals are not counted': [
    answering((judged) => ({ ...judged, memory: { ...judged.memory, refusals: 0 } })),
    'at most so many claims in a row are refused, then the run is let go',
  ],
  'one refusal too many is granted': [
    (checks, changed, terms, memory) =>
      judge(checks, changed, { ...terms, refusals: terms.refusals + 1 }, memory),
    'at most so many claims in a row are refused, then the run is let go',
  ],
  'a check that ran out of time stands': [
    (checks, ...rest) =>
      judge(
        checks.filter(({ end }) => end !== 'timed-out'),
        ...rest,
      ),
    'a check that fails refuses the claim',
  ],
  'what was red before is an excuse': [
    (checks, ...rest) =>
      judge(
        checks.map(({ redBefore, ...check }) => (redBefore ? { ...check, failedBefore: true } : check)),
        ...rest,
      ),
    'a check that fails refuses the claim',
  ],
  'what a person accepted traps the agent': [
    (checks, ...rest) =>
      judge(
        checks.map(({ accepted: _, ...check }) => check),
        ...rest,
      ),
    'a claim is refused for what the agent can change, and for nothing else',
  ],
  'a check that cannot run holds again and again': [
    (checks, changed, terms, memory) => judge(checks, changed, terms, { ...memory, cannotRunSaid: false }),
    'a claim is refused for what the agent can change, and for nothing else',
  ],
  'protected files hold again and again': [
    (checks, changed, terms, memory) => judge(checks, changed, terms, { ...memory, protectedSaid: false }),
    'a claim is refused for what the agent can change, and for nothing else',
  ],
  'a check that nobody trusts is passed over': [
    answering((judged) => ({ ...judged, proof: { ...judged.proof, why: [] } })),
    'a claim that is not proven says why',
  ],
};

describe('a planted defect of the gate', () => {
  it.each(Object.entries(defects))('is found by the explorer: %s', (_, [defective, invariant]) => {
    expect(foundBy(gateModel(defective, only(invariants, invariant)))).toBe(invariant);
  });

  it('is there for every invariant, so that each is known to be able to fail', () => {
    expect(new Set(Object.values(defects).map(([, invariant]) => invariant))).toEqual(
      new Set(Object.keys(invariants)),
    );
  });
});

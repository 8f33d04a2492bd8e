import * as v from 'valibot';
import { expect, it } from 'vitest';
import { NO_UNTIL, UNASKED } from './asked.ts';
import { proofFacts, readProof } from './recorded.ts';
import type { CheckFact, Proof } from './types.ts';

const fact: CheckFact = { name: 'test', end: 'failed', code: 1, milliseconds: 20, from: 'run' };
const odd: CheckFact = {
  ...fact,
  code: null,
  milliseconds: null,
  from: 'receipt',
  flaky: true,
  failedBefore: true,
};
const proof: Proof = {
  claim: 'refused',
  worth: 'unproven',
  why: ['failed'],
  checks: [fact, odd],
  protectedChanged: 2,
};
const whole: Proof = { ...proof, heldForProtected: true, unchanged: true };

it('a proof in the journal is read as it was written, under its own name', () => {
  for (const written of [proof, whole, { ...proof, claim: 'stands', worth: 'proven', why: [], checks: [] }])
    expect(readProof({ proof: written, other: 1 })).toEqual(written);
  for (const end of ['passed', 'timed-out', 'cannot-run', 'untrusted'] as const)
    expect(readProof({ until: { ...proof, checks: [{ ...fact, end }] } }, 'until')?.checks[0]?.end).toBe(end);
  for (const facts of [{ until: proof }, undefined, null, 7, []]) expect(readProof(facts)).toBeNull();
});

it.each<[string, unknown]>([
  ...Object.keys(proof).map((name): [string, unknown] => [`no ${name}`, { ...proof, [name]: undefined }]),
  ...Object.keys(fact).map((name): [string, unknown] => [
    `no ${name} of a check`,
    { ...proof, checks: [{ ...fact, [name]: undefined }] },
  ]),
  ['a claim that is none', { ...proof, claim: '' }],
  ['a worth that is none', { ...proof, worth: '' }],
  ['a reason that is none', { ...proof, why: [''] }],
  ['an end that is none', { ...proof, checks: [{ ...fact, end: '' }] }],
  ['a flag that is not set', { ...proof, unchanged: false }],
])('a proof with %s is none', (_, written) => {
  expect(readProof({ proof: written })).toBeNull();
});

it('facts that say nothing of a proof were not asked for one', () => {
  const facts = v.object(proofFacts);
  expect(v.parse(facts, {})).toEqual({ proof: UNASKED, until: NO_UNTIL });
  expect(v.parse(facts, { proof, until: null })).toEqual({ proof, until: null });
  expect(v.safeParse(facts, { proof: {} }).success).toBe(false);
});

import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { NO_UNTIL, UNASKED } from './asked.ts';
import { checkFact, proofFacts, readProof } from './recorded.ts';
import type { CheckFact, Proof } from './types.ts';

const fact: CheckFact = { name: 'test', end: 'failed', code: 1, milliseconds: 20, from: 'run' };
const proof: Proof = {
  ...{ claim: 'refused', worth: 'unproven', why: ['failed'], checks: [fact], protectedChanged: 2 },
};

const ENDS = ['passed', 'failed', 'timed-out', 'cannot-run', 'untrusted'] as const;
const WHY_NOT = [
  ...(['not-found', 'not-executable', 'no-sandbox', 'no-time', 'changes-files'] as const),
  ...(['too-much-output', 'no-folder'] as const),
];
const UNPROVEN = [
  ...(['untrusted', 'cannot-run', 'failed', 'failed-before', 'switched-off', 'not-pinned'] as const),
  ...(['changed-since', 'refused-too-often'] as const),
];

describe('a check’s fact in the journal', () => {
  const whole: CheckFact[] = [
    fact,
    ...ENDS.map((end) => ({ ...fact, end })),
    ...WHY_NOT.map((why) => ({ ...fact, why })),
    { ...fact, code: null, milliseconds: null, from: null },
    { ...fact, from: 'receipt', flaky: true, failedBefore: true },
  ];
  it.each(whole)('is read as it was written: %j', (written) => {
    expect(v.parse(checkFact, JSON.parse(JSON.stringify(written)))).toEqual(written);
  });

  it.each([
    ['no object', 7],
    ...Object.keys(fact).map((name) => [`no ${name}`, { ...fact, [name]: undefined }] as [string, unknown]),
    ['a name that is no text', { ...fact, name: 7 }],
    ['an end that is none', { ...fact, end: 'ended' }],
    ['an empty end', { ...fact, end: '' }],
    ['a code that is no number', { ...fact, code: '1' }],
    ['a time that is no number', { ...fact, milliseconds: '1' }],
    ['an origin that is none', { ...fact, from: '' }],
    ['a flag that is not set', { ...fact, flaky: false }],
    ['another flag that is not set', { ...fact, failedBefore: false }],
    ['a reason that is none', { ...fact, why: '' }],
  ])('is none with %s', (_, written) => {
    expect(v.safeParse(checkFact, written).success).toBe(false);
  });
});

describe('a proof in the journal', () => {
  const whole: Proof[] = [
    proof,
    { ...proof, claim: 'stands', worth: 'proven', why: [], checks: [] },
    { ...proof, worth: 'unasked' },
    { ...proof, why: UNPROVEN },
    { ...proof, heldForProtected: true, unchanged: true },
    { ...proof, checks: [fact, { ...fact, name: 'types' }] },
  ];
  it.each(whole)('is read as it was written: %j', (written) => {
    expect(readProof({ proof: written, until: null, other: 1 })).toEqual(written);
    expect(readProof({ until: written }, 'until')).toEqual(written);
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ...Object.keys(proof).map((name) => [`no ${name}`, { ...proof, [name]: undefined }] as [string, unknown]),
    ['a claim that is none', { ...proof, claim: '' }],
    ['a worth that is none', { ...proof, worth: '' }],
    ['a reason that is none', { ...proof, why: [''] }],
    ['a check that is none', { ...proof, checks: [{}] }],
    ['a count that is none', { ...proof, protectedChanged: '2' }],
    ['a flag that is not set', { ...proof, heldForProtected: false }],
    ['another flag that is not set', { ...proof, unchanged: false }],
  ])('is none with %s', (_, written) => {
    expect(readProof({ proof: written })).toBeNull();
  });

  it('is none in facts that are none, or under another name', () => {
    for (const facts of [undefined, null, 7, 'x', []]) expect(readProof(facts)).toBeNull();
    expect(readProof({ until: proof })).toBeNull();
    expect(readProof({ proof }, 'until')).toBeNull();
  });
});

describe('the facts that the engine adds', () => {
  const facts = v.object(proofFacts);

  it('say that nothing was asked where a line says nothing', () => {
    expect(v.parse(facts, {})).toEqual({ proof: UNASKED, until: NO_UNTIL });
  });

  it('are what the line says', () => {
    expect(v.parse(facts, { proof, until: null })).toEqual({ proof, until: null });
    expect(v.parse(facts, { proof: null, until: proof })).toEqual({ proof: null, until: proof });
    expect(v.safeParse(facts, { proof: {} }).success).toBe(false);
    expect(v.safeParse(facts, { until: {} }).success).toBe(false);
  });
});

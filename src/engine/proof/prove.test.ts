import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Claims, claimsIn, RUN } from '../../../test/support/proof-claim.ts';
import { type CheckAttempt, newSidecar, type ProofNotes } from '../../store/records.ts';
import { writeSidecar } from '../../store/sidecars.ts';
import type { ProveStep } from '../step.ts';
import { NO_NOTES, UNASKED } from './asked.ts';
import type { Pin } from './pin.ts';
import { makeSeal } from './protect.ts';
import { type Proved, prove, type Said } from './prove.ts';
import { addTrust } from './trust.ts';
import type { Proof } from './types.ts';

const NOTES: ProofNotes = { ...NO_NOTES, pinned: true, startedAt: 5, definitions: 'noted' };
const SILENT: Said = { hold: null, closing: null, reviewer: null, aside: null, printed: [] };

const asked = (
  { stopped }: Claims,
  step: Omit<ProveStep, 'kind'>,
  notes?: ProofNotes,
  beforeChecks = async () => {},
) => prove({ name: RUN, step: { kind: 'prove', ...step }, ran: [], notes, beforeChecks }, stopped);
async function claimed(
  claims: Claims,
  step: Omit<ProveStep, 'kind'> = {},
  notes: ProofNotes | null = NOTES,
): Promise<Proved> {
  const proved = await asked(claims, step, notes ?? undefined);
  if (proved.kind === 'busy') throw new Error('it is busy');
  return proved;
}

/** `test` passes by its receipt; `lint` is red, and runs again; `build` has none. */
async function withReceipts(more: (claims: Claims) => Partial<Pin> = () => ({})): Promise<Claims> {
  const claims = claimsIn();
  const [test, lint, build] = ['test', 'lint', 'build'].map((name) =>
    claims.check(name, name === 'lint' ? 'echo a.ts:1 is wrong; exit 1' : ''),
  );
  if (test === undefined || lint === undefined || build === undefined) throw new Error('no checks');
  const content = await claims.content();
  claims.keep(test, content);
  claims.keep(lint, content, { end: 'failed', code: 1, tail: 'a.ts:1 is wrong' });
  claims.pin([test, lint], { others: [build], ...more(claims) });
  return claims;
}
const LINT = { name: 'lint', tail: 'a.ts:1 is wrong', log: '.holdfast/checks/lint.log' };
const refused = { claim: 'refused', worth: 'unproven' } as const;
const passed = { claim: 'stands', worth: 'proven' } as const;

it.each<
  [
    string,
    Omit<ProveStep, 'kind'>,
    Partial<ProofNotes>,
    Partial<Proof>,
    Partial<ProofNotes>,
    Partial<Record<keyof Said, unknown>>,
  ]
>([
  [
    'is refused, with what it printed',
    {},
    {},
    refused,
    { refusals: 1 },
    { hold: 'a.ts:1 is wrong', closing: 'the claim to be done was refused. test passed', printed: [LINT] },
  ],
  [
    'is let go after so many',
    {},
    { refusals: 4 },
    { ...refused, why: ['refused-too-often'] },
    {},
    { closing: 'refused the claim 4 times in a row' },
  ],
  [
    'ends the run anyway',
    { final: true },
    { refusals: 2 },
    { claim: 'stands', worth: 'unproven', why: ['failed'] },
    {},
    { hold: null, closing: 'Failed: lint', printed: [LINT] },
  ],
  [
    'is asked for its receipts',
    { receiptsOnly: true },
    { refusals: 2 },
    { claim: 'stands', worth: 'unproven', why: ['failed'] },
    {},
    { closing: 'unproven', printed: [LINT] },
  ],
  ['is one check that failed', { check: 'lint' }, {}, { ...UNASKED }, {}, { ...SILENT, printed: [LINT] }],
  ['is one check that passed', { check: 'test' }, {}, { ...UNASKED }, {}, SILENT],
  ['is one check that is not there', { check: 'nothing' }, {}, UNASKED, {}, SILENT],
  ['is a frame’s check that passed', { only: 'test' }, {}, passed, {}, SILENT],
  [
    'is a frame’s check that failed',
    { only: 'lint' },
    {},
    refused,
    {},
    { ...SILENT, hold: 'done when the check lint passes' },
  ],
  [
    'is a frame’s check that is not there',
    { only: 'nothing' },
    {},
    { ...UNASKED, claim: 'refused' },
    {},
    SILENT,
  ],
])('a claim %s', async (_, step, notes, proof, after, said) => {
  const claims = await withReceipts(() => ({ refusals: 4 }));
  const proved = await claimed(claims, step, { ...NOTES, ...notes });
  expect(proved).toMatchObject({ kind: 'proved', notes: { ...NOTES, ...notes, ...after } });
  const { checks: _checks, ...rest } = { ...UNASKED, ...proof };
  expect(proved.proof).toMatchObject(rest);
  for (const [name, text] of Object.entries(said)) {
    const value = proved.said[name as keyof Said];
    if (typeof text === 'string') expect(value).toContain(text);
    else expect(value).toEqual(text);
  }
});

it('a claim has its checks run where there is no receipt, hands on what ran, and begins its notes', async () => {
  const claims = await withReceipts();
  claims.pin([claims.check('new', 'echo no; exit 4')]);
  const { proof, ran, said, notes } = await claimed(claims, {}, null);
  expect(proof).toMatchObject({ ...refused, checks: [{ name: 'new', end: 'failed', code: 4, from: 'run' }] });
  expect(ran).toEqual([{ fact: proof.checks[0], content: await claims.content(), tail: 'no' }]);
  expect(notes).toEqual({ ...NO_NOTES, refusals: 1 });
  expect(said.hold).toMatch(/^Not done yet: the check failed, so/);
  claims.pin([], { others: [claims.check('other', '')] });
  expect((await claimed(claims, { only: 'other' })).ran).toHaveLength(1);
});

it('a claim counts a check that is pinned and not trusted once, and nothing where checks are off', async () => {
  const claims = await withReceipts(() => ({ untrusted: ['test', 'lint', 'gone'] }));
  const { proof } = await claimed(claims);
  expect([proof.worth, proof.why, proof.checks.map(({ name }) => name)]).toEqual([
    'unproven',
    ['untrusted'],
    ['test', 'lint', 'gone'],
  ]);
  const off = await withReceipts(() => ({ off: true }));
  for (const step of [{}, { final: true }, { receiptsOnly: true }] as const)
    expect(await claimed(off, step)).toMatchObject({ proof: { why: ['switched-off'], checks: [] }, ran: [] });
});

it('a claim waits while another hook runs a check, and fails with what went wrong before one', async () => {
  const claims = claimsIn();
  claims.pin([claims.check('test', '')]);
  const failing = async (): Promise<void> => {
    throw new Error('the disk is full');
  };
  await expect(asked(claims, {}, NOTES, failing)).rejects.toThrow('the disk is full');
  const about = { id: 'other-1', work: 'check', check: 'test', definition: 'd', owner: 's' } as const;
  const other: CheckAttempt = { ...about, deadline: 1, status: 'running' };
  writeSidecar(claims.project.root, { ...newSidecar(RUN), attempts: [other] });
  expect(await asked(claims, {}, NOTES)).toEqual({ kind: 'busy', attempt: 'other-1' });
});

it('protected files hold a claim once, before anything is run, and nothing at the end', async () => {
  const claims = claimsIn();
  const { root, env } = claims.project;
  const seal = await makeSeal(root, env, ['code.txt']);
  const sealed = { seal, protect: ['code.txt'], then: 'hold' } as const;
  claims.pin([claims.check('test', '')], sealed);
  expect((await claimed(claims)).said).toMatchObject({
    reviewer: null,
    closing: expect.stringMatching(/^Holdfast: done and proven: [^\n]*$/),
  });
  claims.write('code.txt', 'second\n');
  const first = await claimed(claims);
  expect(first.proof).toMatchObject({ ...refused, heldForProtected: true, checks: [], protectedChanged: 1 });
  expect(first.notes).toEqual({ ...NOTES, refusals: 1, protectedSaid: true });
  for (const said of [first.said.hold, first.said.reviewer]) expect(said).toContain('- code.txt (changed)');
  expect(claims.ran('test')).toBe(1);
  const again = await claimed(claims, {}, { ...NOTES, protectedSaid: true });
  expect([again.proof.worth, again.said.hold, claims.ran('test')]).toEqual(['proven', null, 2]);
  expect(again.said.closing).toContain('\nHoldfast: protected files that are not');
  expect(await claimed(claims, { final: true })).toMatchObject({ proof: passed, notes: NOTES });
  claims.pin([], { ...sealed, then: 'notice' });
  expect((await claimed(claims)).said.closing).toMatch(/^Holdfast: protected files that are not/);
  claims.write('code.txt', 'first\n');
  expect(await claimed(claims)).toMatchObject({ proof: UNASKED, said: SILENT });
});

describe('a run without a pin', () => {
  const unpinned: Proof = { ...UNASKED, worth: 'unproven', why: ['not-pinned'] };

  it('was asked for no checks where nothing was noted and nothing is trusted', async () => {
    const claims = claimsIn();
    expect(await claimed(claims, {}, null)).toEqual({
      kind: 'proved',
      notes: undefined,
      ran: [],
      proof: UNASKED,
      said: SILENT,
    });
    expect((await claimed(claims, { only: 'x' }, null)).proof).toEqual({ ...UNASKED, claim: 'refused' });
  });

  it('is unproven where its start noted something, somebody trusts checks, or the pin cannot be read', async () => {
    const claims = claimsIn();
    expect(await claimed(claims)).toMatchObject({
      proof: unpinned,
      notes: NOTES,
      said: { closing: expect.stringContaining('What this run had to pass is not known') },
    });
    expect((await claimed(claims, { only: 'test' })).proof).toEqual({ ...unpinned, claim: 'refused' });
    expect((await claimed(claims, { check: 'test' })).proof).toEqual(UNASKED);
    const test = claims.check('test', '', { from: 'project' });
    addTrust(claims.project, [test]);
    const trusted = await claimed(claims, {}, null);
    expect([trusted.proof, trusted.said.aside?.includes('trusted here since the last notice: test')]).toEqual(
      [unpinned, true],
    );
    claims.pin([test]);
    const pins = claims.beside('state/holdfast/pins');
    for (const file of fs.readdirSync(pins)) fs.writeFileSync(`${pins}/${file}`, '{}');
    expect([(await claimed(claims)).proof, claims.ran('test')]).toEqual([unpinned, 0]);
  });
});

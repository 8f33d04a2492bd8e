import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Claims, claimsIn, RUN } from '../../../test/support/proof-claim.ts';
import { type CheckAttempt, newSidecar, type ProofNotes } from '../../store/records.ts';
import { writeSidecar } from '../../store/sidecars.ts';
import type { ProveStep } from '../step.ts';
import { NO_NOTES, UNASKED } from './asked.ts';
import type { Settled } from './checking.ts';
import { makeSeal } from './protect.ts';
import { type Proved, prove, type Said } from './prove.ts';
import { addTrust } from './trust.ts';
import type { CheckFact } from './types.ts';

const NOTES: ProofNotes = { ...NO_NOTES, pinned: true, startedAt: 5, definitions: 'noted' };

const NOTHING_SAID: Said = { hold: null, closing: null, reviewer: null, aside: null, printed: [] };

async function claimed(
  { stopped }: Claims,
  step: Omit<ProveStep, 'kind'> = {},
  notes: ProofNotes | null = NOTES,
  ran: readonly Settled[] = [],
): Promise<Proved> {
  const wanted = { name: RUN, step: { kind: 'prove', ...step } as const, ran };
  const proved = await prove({ ...wanted, notes: notes ?? undefined, beforeChecks: async () => {} }, stopped);
  if (proved.kind === 'busy') throw new Error('it is busy');
  return proved;
}

/** What a receipt says, whose time is known. */
const kept = (name: string, more: Partial<CheckFact> = {}): CheckFact => ({
  ...{ name, end: 'passed', code: 0, milliseconds: 3200, from: 'receipt' },
  ...more,
});
const keptRed = (name: string, more: Partial<CheckFact> = {}): CheckFact =>
  kept(name, { end: 'failed', code: 1, ...more });

/** Two checks with a receipt each for the content as it is. */
async function withReceipts(red: { tail?: string; end?: 'failed' | 'passed' } = {}) {
  const claims = claimsIn();
  const [test, lint] = [claims.check('test', ''), claims.check('lint', '')];
  const content = await claims.content();
  claims.keep(test, content);
  claims.keep(lint, content, { end: 'failed', code: 1, tail: 'a.ts:1 is wrong', ...red });
  return { claims, checks: [test, lint], test, lint, content };
}

const LINT = { name: 'lint', tail: 'a.ts:1 is wrong', log: '.holdfast/checks/lint.log' };
const PASSED_KEPT = '3.2 s; from its receipt: nothing it depends on changed';

describe('a claim', () => {
  it('is proven where every check passes', async () => {
    const { claims, checks } = await withReceipts({ end: 'passed', tail: '' });
    claims.pin(checks);
    const notes = { ...NOTES, refusals: 3 };
    expect(await claimed(claims, {}, notes)).toEqual({
      kind: 'proved',
      proof: {
        ...{ claim: 'stands', worth: 'proven', why: [], protectedChanged: 0 },
        checks: [kept('test'), kept('lint', { code: 1 })],
      },
      notes: { ...notes, refusals: 0 },
      said: {
        ...NOTHING_SAID,
        closing: `Holdfast: done and proven: test (${PASSED_KEPT}) and lint (${PASSED_KEPT}).`,
      },
      ran: [],
    });
  });

  it('is refused where a check fails, and the agent reads what it printed', async () => {
    const { claims, checks } = await withReceipts();
    claims.pin(checks);
    const proved = await claimed(claims);
    expect(proved).toEqual({
      kind: 'proved',
      proof: {
        ...{ claim: 'refused', worth: 'unproven', why: [], protectedChanged: 0, unchanged: true },
        checks: [kept('test'), keptRed('lint')],
      },
      notes: { ...NOTES, refusals: 1 },
      said: {
        hold: [
          'Not done yet: 1 of 2 checks failed before, and no file that counts has changed since, so nothing was run again.',
          'lint: exit code 1 after 3.2 s. All it printed: .holdfast/checks/lint.log\n    a.ts:1 is wrong',
          'Change what makes it fail: `holdfast check lint` shows you the result, `holdfast why` how this was decided.',
        ].join('\n\n'),
        closing: [
          'Holdfast: the claim to be done was refused. test passed (3.2 s, on this very content before),',
          'lint failed (exit code 1, 3.2 s, on this very content before).',
          'Nothing changed since, so nothing was run again.',
        ].join(' '),
        reviewer: null,
        aside: null,
        printed: [LINT],
      },
      ran: [],
    });
  });

  it('begins its notes where the start noted nothing', async () => {
    const { claims, checks } = await withReceipts();
    claims.pin(checks);
    expect((await claimed(claims, {}, null)).notes).toEqual({ ...NO_NOTES, refusals: 1 });
  });

  it('is let go after so many refusals, and the user reads how many', async () => {
    const { claims, checks } = await withReceipts();
    claims.pin(checks, { refusals: 4 });
    const { proof, said, notes } = await claimed(claims, {}, { ...NOTES, refusals: 4 });
    expect(proof).toMatchObject({ claim: 'refused', why: ['refused-too-often'] });
    expect(notes).toEqual({ ...NOTES, refusals: 4 });
    expect(said.closing).toBe(
      'Holdfast: the checks refused the claim 4 times in a row, so the agent may stop; the run ends unproven. Still failing: lint (exit code 1 after 3.2 s). `holdfast check lint` shows it, `holdfast why` has the last refusal.',
    );
    const last = await claimed(claims, {}, { ...NOTES, refusals: 3 });
    expect(last.proof.why).toEqual([]);
  });

  it('has its checks run where there is no receipt, and hands on what ran', async () => {
    const claims = claimsIn();
    claims.pin([claims.check('test', 'echo no; exit 4')]);
    const { proof, ran, said } = await claimed(claims);
    const fact = {
      ...{ name: 'test', end: 'failed', code: 4, milliseconds: expect.any(Number), from: 'run' },
    };
    expect(proof).toEqual({ ...UNASKED, claim: 'refused', worth: 'unproven', checks: [fact] });
    expect(ran).toEqual([{ fact, content: await claims.content(), tail: 'no' }]);
    expect(said.printed).toEqual([{ name: 'test', tail: 'no', log: '.holdfast/checks/test.log' }]);
    expect(said.hold?.split('\n')[0]).toBe('Not done yet: the check failed, so the claim does not stand.');
  });

  it('takes what ran at this stop already', async () => {
    const claims = claimsIn({ git: false });
    claims.pin([claims.check('test', 'exit 1')]);
    const fact = kept('test', { from: 'run' });
    const ran = [{ fact, content: null, tail: '' }];
    const proved = await claimed(claims, {}, NOTES, ran);
    expect(proved.proof).toEqual({ ...UNASKED, worth: 'proven', checks: [fact] });
    expect(proved.ran).toEqual(ran);
    expect(claims.ran('test')).toBe(0);
  });

  it('counts a check that is both pinned and not trusted once', async () => {
    const { claims, test } = await withReceipts();
    claims.pin([test], { untrusted: ['test', 'build'] });
    const { proof, said } = await claimed(claims);
    const untrusted = { end: 'untrusted', code: null, milliseconds: null, from: null } as const;
    expect(proof).toEqual({
      ...{ ...UNASKED, worth: 'unproven', why: ['untrusted'] },
      checks: [
        { name: 'test', ...untrusted },
        { name: 'build', ...untrusted },
      ],
    });
    expect(said.closing).toBe(
      'Holdfast: done, but unproven. Not trusted here, so not run: test and build. A person can look at the commands and allow them in a terminal with `holdfast trust`; that counts from the next start on.',
    );
    expect(said.hold).toBeNull();
  });

  it('is not checked where the start switched checks off', async () => {
    const { claims, checks } = await withReceipts();
    claims.pin(checks, { off: true });
    const proof = { ...UNASKED, worth: 'unproven', why: ['switched-off'] };
    const said = {
      ...NOTHING_SAID,
      closing:
        'Holdfast: done, but unproven. Its checks were switched off at the start (`--no-check`). `holdfast check` runs them now.',
    };
    for (const step of [{}, { final: true }, { receiptsOnly: true }] as const)
      expect(await claimed(claims, step)).toMatchObject({ proof, said, ran: [] });
    expect([claims.ran('test'), claims.ran('lint')]).toEqual([0, 0]);
  });

  it('waits while another hook runs a check of the run', async () => {
    const claims = claimsIn();
    claims.pin([claims.check('test', '')]);
    const other: CheckAttempt = {
      ...{ id: 'other-1', work: 'check', check: 'test', definition: 'd', owner: 's' },
      ...{ deadline: 1, status: 'running' },
    };
    writeSidecar(claims.project.root, { ...newSidecar(RUN), attempts: [other] });
    const wanted = { name: RUN, step: { kind: 'prove' }, notes: NOTES, ran: [] } as const;
    expect(await prove({ ...wanted, beforeChecks: async () => {} }, claims.stopped)).toEqual({
      kind: 'busy',
      attempt: 'other-1',
    });
  });

  it('fails with what went wrong before a check', async () => {
    const claims = claimsIn();
    claims.pin([claims.check('test', '')]);
    const wanted = { name: RUN, step: { kind: 'prove' }, notes: NOTES, ran: [] } as const;
    const beforeChecks = async (): Promise<void> => {
      throw new Error('the disk is full');
    };
    await expect(prove({ ...wanted, beforeChecks }, claims.stopped)).rejects.toThrow('the disk is full');
  });

  it('reports a trust that was given since, once', async () => {
    const claims = claimsIn();
    const { project } = claims;
    const test = claims.check('test', '', { from: 'project' });
    addTrust(project, [test]);
    claims.keep(test, await claims.content());
    claims.pin([test], { startedAt: project.now + 1 });
    expect((await claimed(claims)).said.aside).toBe(
      'Holdfast: these commands were trusted here since the last notice: test. If that was not you, run `holdfast trust --revoke`.',
    );
    expect((await claimed(claims)).said.aside).toBeNull();
  });
});

describe('protected files', () => {
  async function changedIn(more: { checks?: boolean; then?: 'hold' | 'notice'; off?: boolean }) {
    const claims = claimsIn();
    const { root, env } = claims.project;
    const seal = await makeSeal(root, env, ['code.txt']);
    claims.write('code.txt', 'second\n');
    const { checks = true, then = 'hold', off = false } = more;
    const test = claims.check('test', '');
    claims.pin(checks ? [test] : [], { seal, protect: ['code.txt'], then, off });
    return { claims, test };
  }

  const reviewer =
    'These files are protected, and the agent changed them:\n\n- code.txt (changed)\n\nJudge for each whether a test or a check was weakened: assertions dropped or loosened, tests skipped, focused or removed, thresholds lowered, scripts that no longer run what they did. A weakened test without a good reason is a finding.';
  const notice =
    'Holdfast: protected files that are not as they were when the run began: code.txt (changed). Look at them before you trust the result.';

  it('hold a claim once, before anything is run', async () => {
    const { claims } = await changedIn({});
    expect(await claimed(claims)).toEqual({
      kind: 'proved',
      proof: {
        ...{ claim: 'refused', worth: 'unproven', why: [], checks: [], protectedChanged: 1 },
        heldForProtected: true,
      },
      notes: { ...NOTES, refusals: 1, protectedSaid: true },
      said: {
        hold: 'Protected files are not as they were when this run began:\n\n- code.txt (changed)\n\nRestore each of them, or justify the change in your final message, file by file. Then say again that you are done; this is asked only once.',
        closing: 'Holdfast: the claim to be done was refused. 1 protected file changed.',
        reviewer,
        aside: null,
        printed: [],
      },
      ran: [],
    });
    expect(claims.ran('test')).toBe(0);
    const again = await claimed(claims, {}, { ...NOTES, protectedSaid: true });
    expect(again.proof).toMatchObject({ claim: 'stands', worth: 'proven', protectedChanged: 1 });
    expect(again.said).toMatchObject({ hold: null, reviewer });
    expect(again.said.closing?.split('\n').slice(1).join('\n')).toBe(notice);
    expect(claims.ran('test')).toBe(1);
  });

  it('hold nothing at the end, where the checks run all the same', async () => {
    const { claims } = await changedIn({});
    const { proof, notes } = await claimed(claims, { final: true });
    expect(proof).toMatchObject({ claim: 'stands', worth: 'proven', protectedChanged: 1 });
    expect(notes).toEqual(NOTES);
    expect(claims.ran('test')).toBe(1);
  });

  it('are told to the user where the run has no checks', async () => {
    const { claims } = await changedIn({ checks: false, then: 'notice' });
    expect(await claimed(claims)).toMatchObject({
      proof: { ...UNASKED, protectedChanged: 1 },
      said: { ...NOTHING_SAID, closing: notice, reviewer },
    });
  });

  it('that are as they were are not spoken of', async () => {
    const { claims } = await changedIn({ checks: false });
    claims.write('code.txt', 'first\n');
    expect(await claimed(claims)).toMatchObject({ proof: UNASKED, said: NOTHING_SAID });
  });
});

describe('the end of a run', () => {
  it('is unproven where a check fails, and refuses nothing', async () => {
    const { claims, checks } = await withReceipts();
    claims.pin(checks);
    const proved = await claimed(claims, { final: true }, { ...NOTES, refusals: 2 });
    expect(proved).toMatchObject({
      proof: {
        ...{ claim: 'stands', worth: 'unproven', why: ['failed'], protectedChanged: 0 },
        checks: [kept('test'), keptRed('lint')],
      },
      notes: { ...NOTES, refusals: 2 },
      said: {
        ...NOTHING_SAID,
        closing: `Holdfast: done, but unproven. Failed: lint (exit code 1 after 3.2 s). \`holdfast check lint\` shows what fails. Passed: test (${PASSED_KEPT}).`,
        printed: [LINT],
      },
    });
  });

  it('is worth what the receipts say where nothing may run', async () => {
    const { claims, test } = await withReceipts();
    claims.pin([test, claims.check('build', '')]);
    const proved = await claimed(claims, { receiptsOnly: true }, { ...NOTES, refusals: 2 });
    expect(proved).toMatchObject({
      proof: { ...UNASKED, worth: 'unproven', why: ['changed-since'], checks: [kept('test')] },
      notes: { ...NOTES, refusals: 2 },
      ran: [],
    });
    expect(proved.said).toEqual({
      ...NOTHING_SAID,
      closing: `Holdfast: done, but unproven. Files changed after the checks had passed. \`holdfast check\` runs them on what is there now. Passed: test (${PASSED_KEPT}).`,
    });
    expect(claims.ran('build')).toBe(0);
    claims.pin([test]);
    const whole = await claimed(claims, { receiptsOnly: true });
    expect(whole.proof).toEqual({ ...UNASKED, worth: 'proven', checks: [kept('test')] });
  });
});

describe('one check that is asked for by its name', () => {
  it('is a fact, and no claim', async () => {
    const { claims, checks } = await withReceipts();
    claims.pin([], { others: checks });
    const proved = { kind: 'proved', notes: NOTES, ran: [] };
    expect(await claimed(claims, { check: 'lint' })).toEqual({
      ...{ ...proved, proof: { ...UNASKED, checks: [keptRed('lint')] } },
      said: { ...NOTHING_SAID, printed: [LINT] },
    });
    expect(await claimed(claims, { check: 'test' })).toEqual({
      ...{ ...proved, proof: { ...UNASKED, checks: [kept('test')] } },
      said: NOTHING_SAID,
    });
    expect(await claimed(claims, { check: 'nothing' })).toEqual({
      ...{ ...proved, proof: UNASKED, said: NOTHING_SAID },
    });
  });

  it('ends a frame by its pass, and tells the agent where it does not', async () => {
    const { claims, checks } = await withReceipts();
    claims.pin(checks);
    const proved = { kind: 'proved', notes: NOTES, ran: [] };
    expect(await claimed(claims, { only: 'test' })).toEqual({
      ...{ ...proved, proof: { ...UNASKED, worth: 'proven', checks: [kept('test')] } },
      said: NOTHING_SAID,
    });
    expect(await claimed(claims, { only: 'lint' })).toEqual({
      ...proved,
      proof: {
        ...{ ...UNASKED, claim: 'refused', worth: 'unproven', unchanged: true },
        checks: [keptRed('lint')],
      },
      said: {
        ...NOTHING_SAID,
        hold: [
          'This loop is done when the check lint passes. At this stop it did not: lint failed (exit code 1, 3.2 s, on this very content before). Nothing changed since, so nothing was run again.\n',
          'The end of what it printed (all of it is in .holdfast/checks/lint.log):\n',
          'a.ts:1 is wrong',
        ].join('\n'),
      },
    });
    expect(await claimed(claims, { only: 'nothing' })).toEqual({
      ...{ ...proved, proof: { ...UNASKED, claim: 'refused' }, said: NOTHING_SAID },
    });
  });

  it('is run where it has no receipt', async () => {
    const claims = claimsIn();
    claims.pin([], { others: [claims.check('one', ''), claims.check('two', '')] });
    const one = await claimed(claims, { check: 'one' });
    const two = await claimed(claims, { only: 'two' });
    expect([one, two].map(({ ran }) => ran.map(({ content }) => content))).toEqual([
      [await claims.content()],
      [await claims.content()],
    ]);
  });

  it('that cannot run is said to the agent once', async () => {
    const claims = claimsIn();
    claims.pin([claims.check('test', '', { run: ['no-such-program'] })]);
    const first = await claimed(claims, { only: 'test' });
    expect(first.notes).toEqual({ ...NOTES, cannotRunSaid: true });
    expect(first.proof.claim).toBe('refused');
    const second = await claimed(claims, { only: 'test' }, { ...NOTES, ...first.notes });
    expect(second.proof).toMatchObject({ claim: 'stands', why: ['cannot-run'] });
    expect(second.said).toEqual(NOTHING_SAID);
  });
});

describe('a run without a pin', () => {
  const unpinned = { ...UNASKED, worth: 'unproven', why: ['not-pinned'] } as const;
  const closing =
    "Holdfast: done, but unproven. What this run had to pass is not known: its checks were set up after it began, or Holdfast's record of them is gone. They count from the next start on; `holdfast check` runs them now.";

  it('was asked for no checks where nothing was noted and nothing is trusted', async () => {
    const claims = claimsIn();
    expect(await claimed(claims, {}, null)).toEqual({
      ...{ kind: 'proved', notes: undefined, ran: [], proof: UNASKED, said: NOTHING_SAID },
    });
    expect(await claimed(claims, { only: 'x' }, null)).toEqual({
      ...{ kind: 'proved', notes: undefined, ran: [], said: NOTHING_SAID },
      proof: { ...UNASKED, claim: 'refused' },
    });
  });

  it('is unproven where its start noted something', async () => {
    const claims = claimsIn();
    const proved = { kind: 'proved', notes: NOTES, ran: [] };
    expect(await claimed(claims)).toEqual({
      ...{ ...proved, proof: unpinned, said: { ...NOTHING_SAID, closing } },
    });
    expect(await claimed(claims, { only: 'test' })).toEqual({
      ...{ ...proved, proof: { ...unpinned, claim: 'refused' }, said: NOTHING_SAID },
    });
    expect(await claimed(claims, { check: 'test' })).toEqual({
      ...{ ...proved, proof: UNASKED, said: NOTHING_SAID },
    });
  });

  it('is unproven where somebody trusts checks here, and the trust is reported', async () => {
    const claims = claimsIn();
    addTrust(claims.project, [claims.check('test', '', { from: 'project' })]);
    expect(await claimed(claims, {}, null)).toEqual({
      ...{ kind: 'proved', notes: undefined, ran: [], proof: unpinned },
      said: {
        ...{ ...NOTHING_SAID, closing },
        aside:
          'Holdfast: these commands were trusted here since the last notice: test. If that was not you, run `holdfast trust --revoke`.',
      },
    });
  });

  it('takes one that cannot be read for none', async () => {
    const claims = claimsIn();
    claims.pin([claims.check('test', '')]);
    const pins = claims.beside('state/holdfast/pins');
    for (const file of fs.readdirSync(pins)) fs.writeFileSync(`${pins}/${file}`, '{}');
    expect((await claimed(claims)).proof).toEqual(unpinned);
    expect(claims.ran('test')).toBe(0);
  });
});

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Claims, claimsIn, RUN } from '../../../test/support/proof-claim.ts';
import { type CheckAttempt, newSidecar } from '../../store/records.ts';
import { readSidecar, writeSidecar } from '../../store/sidecars.ts';
import { takeOver } from '../work/attempt.ts';
import { Interrupted } from '../work/interrupted.ts';
import type { Settled } from './checking.ts';
import { definitionOf } from './definition.ts';
import { addTrust, revokeTrust } from './trust.ts';
import type { CheckFact } from './types.ts';

const someTime = expect.any(Number) as unknown as number;

const passed = (name: string, more: Partial<CheckFact> = {}): CheckFact => ({
  ...{ name, end: 'passed', code: 0, milliseconds: someTime, from: 'run' },
  ...more,
});
const failed = (name: string, more: Partial<CheckFact> = {}): CheckFact => ({
  ...{ name, end: 'failed', code: 1, milliseconds: someTime, from: 'run' },
  ...more,
});
const notRun = (name: string, end: 'untrusted' | 'cannot-run', more: Partial<CheckFact> = {}): Settled => ({
  fact: { name, end, code: null, milliseconds: null, from: null, ...more },
  content: null,
  tail: '',
});
const factsOf = (settled: readonly Settled[]): CheckFact[] => settled.map(({ fact }) => fact);

describe('a check that runs', () => {
  it('is on record while it runs, and leaves a receipt, two lines in the journal, and nothing else', async () => {
    const claims = claimsIn();
    const { project } = claims;
    const notes = claims.beside('sidecar');
    const test = claims.check('test', `cat .holdfast/runs/* >'${notes}'; echo all good`);
    const content = await claims.content();
    const checking = await claims.checking(claims.pinOf([test]));

    const settled = await checking.all();

    expect(settled).toEqual([{ fact: passed('test'), content, tail: 'all good' }]);
    expect(checking.ran).toEqual(settled);
    expect(claims.ran('test')).toBe(1);
    expect(claims.before).toBe(1);
    const deadline = project.now + 7140 * 1000;
    const { attempts } = JSON.parse(fs.readFileSync(notes, 'utf8'));
    const id = expect.stringMatching(new RegExp(`^${project.now.toString(36)}-${process.pid}-`));
    expect(attempts).toEqual([
      {
        ...{ id, work: 'check', check: 'test', definition: definitionOf(test) },
        ...{ owner: 'session-1', deadline, status: 'running' },
      },
    ]);
    expect(readSidecar(project.root, RUN).attempts).toEqual([]);
    expect(fs.readdirSync(path.join(project.home, 'attempts'))).toEqual([]);
    const [{ id: attempt }] = attempts;
    const line = {
      ...{ schema: 2, time: expect.any(String), event: 'work', session: 'session-1', workflow: 'idle' },
      ...{ run: 'loop', work: 'check', attempt, name: 'test' },
    };
    expect(claims.journal()).toEqual([
      expect.objectContaining({ ...line, what: 'began', deadline: new Date(deadline).toISOString() }),
      expect.objectContaining({ ...line, what: 'ended', end: 'passed', code: 0, milliseconds: someTime }),
    ]);
    expect(claims.receipts()).toEqual([
      {
        ...{ check: 'test', definition: definitionOf(test), content, end: 'passed', code: 0 },
        ...{ milliseconds: someTime, flaky: false, tail: 'all good', at: someTime },
      },
    ]);
  });

  it('is told before the first one, once', async () => {
    const claims = claimsIn();
    const checking = await claims.checking(
      claims.pinOf([claims.check('one', ''), claims.check('two', 'exit 3')]),
    );
    expect(factsOf(await checking.all())).toEqual([passed('one'), failed('two', { code: 3 })]);
    expect(claims.before).toBe(1);
  });

  it('does not run while another hook runs one of this run', async () => {
    const claims = claimsIn();
    const { root } = claims.project;
    const other: CheckAttempt = {
      ...{ id: 'other-1', work: 'check', check: 'lint', definition: 'd', owner: 's' },
      ...{ deadline: 1, status: 'running' },
    };
    writeSidecar(root, { ...newSidecar(RUN), attempts: [other] });
    const checking = await claims.checking(claims.pinOf([claims.check('test', '')]));
    const refused = checking.all();
    await expect(refused).rejects.toThrow('a check of this run is under way');
    await expect(refused).rejects.toMatchObject({ attempt: 'other-1' });
    expect(claims.ran('test')).toBe(0);
    expect(readSidecar(root, RUN).attempts).toEqual([other]);
    expect(claims.journal()).toEqual([]);
  });

  it('cannot where the client leaves no time for it', async () => {
    const claims = claimsIn();
    claims.stopped.stop = { ...claims.stopped.stop, limitS: 60 };
    const checking = await claims.checking(claims.pinOf([claims.check('test', '')]));
    expect(await checking.all()).toEqual([notRun('test', 'cannot-run', { why: 'no-time' })]);
    expect(checking.ran).toEqual([]);
    expect([claims.ran('test'), claims.before]).toEqual([0, 0]);
  });

  it('is marked as interrupted when the client asks the hook to end, and its place is free', async () => {
    const claims = claimsIn();
    const { project } = claims;
    claims.stopped.runtime = { ...claims.stopped.runtime, whenAskedToEnd: (listener) => listener() };
    const checking = await claims.checking(claims.pinOf([claims.check('test', '')]));
    await expect(checking.all()).rejects.toThrow(Interrupted);
    const { attempts } = readSidecar(project.root, RUN);
    expect(attempts).toMatchObject([{ check: 'test', status: 'interrupted' }]);
    const [attempt] = attempts;
    const place = attempt === undefined ? null : takeOver(project, attempt);
    expect(place).not.toBeNull();
    place?.release();
    expect(claims.receipts()).toEqual([]);
  });

  it('says that it passed only when it was run again', async () => {
    const claims = claimsIn();
    const mark = claims.beside('mark');
    const test = claims.check('test', `test -e '${mark}' || { touch '${mark}'; exit 1; }`, { retries: 1 });
    const checking = await claims.checking(claims.pinOf([test]));
    expect(factsOf(await checking.all())).toEqual([passed('test', { flaky: true })]);
    expect(claims.receipts()).toMatchObject([{ end: 'passed', flaky: true }]);
  });

  it('that cannot run says why, and leaves no receipt', async () => {
    const claims = claimsIn();
    const test = claims.check('test', '', { run: ['no-such-program'] });
    const checking = await claims.checking(claims.pinOf([test]));
    expect(factsOf(await checking.all())).toEqual([
      { name: 'test', end: 'cannot-run', code: null, milliseconds: someTime, from: 'run', why: 'not-found' },
    ]);
    expect(claims.receipts()).toEqual([]);
    expect(claims.journal().at(-1)).toMatchObject({ what: 'ended', end: 'cannot-run', code: null });
  });

  it('counts where its receipt cannot be kept', async () => {
    const claims = claimsIn();
    const state = claims.beside('state/holdfast');
    const test = claims.check('test', `rm -rf '${state}/receipts'; echo >'${state}/receipts'`);
    const checking = await claims.checking(claims.pinOf([test]));
    expect(factsOf(await checking.all())).toEqual([passed('test')]);
    expect(readSidecar(claims.project.root, RUN).attempts).toEqual([]);
  });
});

describe('a receipt', () => {
  it('takes the place of a run, on this very content alone', async () => {
    const claims = claimsIn();
    const test = claims.check('test', 'echo no; exit 7');
    const pin = claims.pinOf([test]);
    const content = await claims.content();
    const first = await (await claims.checking(pin)).all();
    const again = await claims.checking(pin);
    expect(await again.all()).toEqual([
      { fact: { ...first[0]?.fact, from: 'receipt' }, content, tail: 'no' },
    ]);
    expect(again.ran).toEqual([]);
    expect([claims.ran('test'), claims.before]).toEqual([1, 1]);
    claims.write('code.txt', 'second\n');
    const third = await (await claims.checking(pin)).all();
    expect(third).toEqual([
      { fact: failed('test', { code: 7 }), content: await claims.content(), tail: 'no' },
    ]);
    expect(third[0]?.content).not.toBe(content);
    expect(claims.ran('test')).toBe(2);
  });

  it('is of the files that the check looks at', async () => {
    const claims = claimsIn();
    claims.write('notes/a.md', 'a');
    const docs = claims.check('docs', '', { paths: ['notes'] });
    const content = await claims.content(['notes']);
    const pin = claims.pinOf([docs]);
    expect(await (await claims.checking(pin)).all()).toEqual([{ fact: passed('docs'), content, tail: '' }]);
    claims.write('code.txt', 'second\n');
    expect(await (await claims.checking(pin)).all()).toEqual([
      { fact: passed('docs', { from: 'receipt' }), content, tail: '' },
    ]);
  });

  it('is all that is asked for where nothing may run', async () => {
    const claims = claimsIn();
    const [test, lint] = [claims.check('test', ''), claims.check('lint', '')];
    const content = await claims.content();
    claims.keep(test, content, { flaky: true, tail: 'kept' });
    const checking = await claims.checking(claims.pinOf([lint, test], { untrusted: ['build'] }));
    expect(checking.receipts()).toEqual([
      {
        fact: passed('test', { milliseconds: 3200, from: 'receipt', flaky: true }),
        content,
        tail: 'kept',
      },
      notRun('build', 'untrusted'),
    ]);
    expect([claims.ran('test'), claims.ran('lint')]).toEqual([0, 0]);
  });

  it('is none where no git tells the content, and a check runs once at a stop', async () => {
    const claims = claimsIn({ git: false });
    const pin = claims.pinOf([claims.check('test', '')]);
    const checking = await claims.checking(pin);
    const first = await checking.all();
    expect(first).toEqual([{ fact: passed('test'), content: null, tail: '' }]);
    expect(await checking.all()).toEqual(first);
    expect(checking.receipts()).toEqual([]);
    const later = await claims.checking(pin, { ran: checking.ran });
    expect(await later.all()).toEqual(first);
    expect(later.ran).toEqual(first);
    expect([claims.ran('test'), claims.before]).toEqual([1, 1]);
    expect(claims.receipts()).toEqual([]);
    await (await claims.checking(pin)).all();
    expect([claims.ran('test'), claims.before]).toEqual([2, 2]);
  });

  it('is written where git fails once after the check', async () => {
    const claims = claimsIn();
    const { project, stopped } = claims;
    const bin = claims.beside('bin');
    const mark = claims.beside('git-fails');
    fs.mkdirSync(bin);
    const script = `#!/bin/sh\ntest -e '${mark}' && { rm -f '${mark}'; exit 1; }\nPATH="\${PATH#*:}" exec git "$@"\n`;
    fs.writeFileSync(path.join(bin, 'git'), script, { mode: 0o755 });
    const env = { ...project.env, PATH: `${bin}:${project.env.PATH}` };
    stopped.project = { ...project, env };
    const test = claims.check('test', `touch '${mark}'`);
    const content = await claims.content();
    expect(await (await claims.checking(claims.pinOf([test]))).all()).toEqual([
      { fact: passed('test'), content, tail: '' },
    ]);
    expect(fs.existsSync(mark)).toBe(false);
    expect(claims.receipts()).toMatchObject([{ check: 'test', content }]);
    expect(claims.ran('test')).toBe(1);
  });
});

describe('a check that changes files', () => {
  it('runs once more on what it left, and so do those before it', async () => {
    const claims = claimsIn();
    const pin = claims.pinOf([
      claims.check('test', ''),
      claims.check('format', 'echo formatted >code.txt'),
      claims.check('lint', ''),
    ]);
    const checking = await claims.checking(pin);
    const settled = await checking.all();
    const content = await claims.content();
    expect(settled).toEqual([
      { fact: passed('test'), content, tail: '' },
      { fact: passed('format'), content, tail: '' },
      { fact: passed('lint'), content, tail: '' },
    ]);
    expect(['test', 'format', 'lint'].map(claims.ran)).toEqual([2, 2, 1]);
    expect(checking.ran.map(({ fact: { name }, content: on }) => [name, on === content])).toEqual([
      ['test', false],
      ['format', false],
      ['lint', true],
      ['test', true],
      ['format', true],
    ]);
    expect(checking.ran[1]?.content).toBe('');
    // That of the content before, and those of the content as it is.
    expect(claims.receipts().map(({ check, content: on }) => [check, on === content])).toEqual([
      ['test', false],
      ['lint', true],
      ['test', true],
      ['format', true],
    ]);
  });

  it('each time cannot be believed; one that looks at other files can', async () => {
    const claims = claimsIn();
    claims.write('notes/a.md', 'a');
    const pin = claims.pinOf([
      claims.check('docs', '', { paths: ['notes'] }),
      claims.check('format', 'echo more >>code.txt'),
      claims.check('old', 'exit 1'),
    ]);
    claims.keep(claims.check('old', 'exit 1'), 'start', { end: 'failed', code: 1, at: 1 });
    const checking = await claims.checking({ ...pin, content: 'start' });
    expect(await checking.all()).toEqual([
      { fact: passed('docs'), content: await claims.content(['notes']), tail: '' },
      notRun('format', 'cannot-run', { why: 'changes-files' }),
      { fact: failed('old', { failedBefore: true }), content: await claims.content(), tail: '' },
    ]);
    expect(['docs', 'format', 'old'].map(claims.ran)).toEqual([1, 2, 2]);
  });

  it('does not run again where the claim is refused anyway', async () => {
    const claims = claimsIn();
    const pin = claims.pinOf([
      claims.check('format', 'echo more >>code.txt'),
      claims.check('test', 'exit 1'),
    ]);
    const settled = await (await claims.checking(pin)).all();
    expect(settled).toEqual([
      { fact: passed('format'), content: '', tail: '' },
      { fact: failed('test'), content: await claims.content(), tail: '' },
    ]);
    expect(['format', 'test'].map(claims.ran)).toEqual([1, 1]);
  });
});

describe('a check that fails only when it runs once more', () => {
  it('refuses the claim by that alone', async () => {
    const claims = claimsIn();
    const mark = claims.beside('mark');
    const pin = claims.pinOf([
      claims.check('format', 'echo more >>code.txt'),
      claims.check('test', `test -e '${mark}' && exit 1; touch '${mark}'`),
    ]);
    expect(factsOf(await (await claims.checking(pin)).all())).toEqual([passed('format'), failed('test')]);
    expect(['format', 'test'].map(claims.ran)).toEqual([2, 2]);
  });
});

describe('with `bail`', () => {
  it('nothing runs after the first check that refuses the claim', async () => {
    const claims = claimsIn();
    const checks = [claims.check('one', ''), claims.check('two', 'exit 1'), claims.check('three', '')];
    const bailing = await claims.checking(claims.pinOf(checks, { bail: true }));
    expect(factsOf(await bailing.all())).toEqual([passed('one'), failed('two')]);
    expect(claims.ran('three')).toBe(0);
    const all = await claims.checking(claims.pinOf(checks));
    expect(factsOf(await all.all())).toEqual([
      passed('one', { from: 'receipt' }),
      failed('two', { from: 'receipt' }),
      passed('three'),
    ]);
  });
});

describe('a check that failed before the run too', () => {
  async function asked(claims: Claims, kept: object, pinned: object = {}): Promise<CheckFact | undefined> {
    const test = claims.check('test', 'exit 1');
    claims.keep(test, 'start', { end: 'failed', code: 1, ...kept });
    const checking = await claims.checking(claims.pinOf([test], { content: 'start', ...pinned }));
    return factsOf(await checking.all())[0];
  }

  it.each([
    ['it failed before', -1, 'failed', true],
    ['it failed in the moment of the start', 0, 'failed', true],
    ['it ran out of time', -1, 'timed-out', true],
    ['it failed after the start, at a claim', 1, 'failed', false],
    ['it passed', -1, 'passed', false],
  ] as const)('says so where %s', async (_, later, end, isSo) => {
    const claims = claimsIn();
    const at = claims.project.now + later;
    expect(await asked(claims, { end, at })).toEqual(failed('test', isSo ? { failedBefore: true } : {}));
  });

  it('is known by the content of the start alone', async () => {
    const claims = claimsIn();
    expect(await asked(claims, {}, { content: null })).toEqual(failed('test'));
    const other = claimsIn();
    expect(await asked(other, {}, { content: 'another' })).toEqual(failed('test'));
  });

  it('is excused only where it fails', async () => {
    const claims = claimsIn();
    const [good, slow] = [claims.check('good', ''), claims.check('slow', 'sleep 20', { timeout: 0.2 })];
    for (const check of [good, slow]) claims.keep(check, 'start', { end: 'failed', code: 1 });
    const checking = await claims.checking(claims.pinOf([good, slow], { content: 'start' }));
    expect(factsOf(await checking.all())).toEqual([
      passed('good'),
      {
        ...{ name: 'slow', end: 'timed-out', code: null, milliseconds: someTime, from: 'run' },
        failedBefore: true,
      },
    ]);
  });
});

describe('a check that is not trusted', () => {
  it('does not run, and is named behind those of the run', async () => {
    const claims = claimsIn();
    const [test, lint] = [claims.check('test', ''), claims.check('lint', '')];
    const pin = claims.pinOf([test, lint], { untrusted: ['build', 'test'] });
    const checking = await claims.checking(pin);
    const settled = await checking.all();
    expect(settled).toEqual([
      notRun('test', 'untrusted'),
      { fact: passed('lint'), content: await claims.content(), tail: '' },
      notRun('build', 'untrusted'),
    ]);
    expect(claims.ran('test')).toBe(0);
  });

  it('counts no more once trust is taken back', async () => {
    const claims = claimsIn();
    const { project } = claims;
    const test = claims.check('test', '', { from: 'project' });
    const startedAt = project.now + 1;
    addTrust(project, [test]);
    const pin = claims.pinOf([test], { startedAt });
    const trusted = await claims.checking(pin);
    expect(factsOf(await trusted.all())).toEqual([passed('test')]);
    const late = await claims.checking({ ...pin, startedAt: project.now });
    expect(await late.all()).toEqual([notRun('test', 'untrusted')]);
    revokeTrust(project);
    const revoked = await claims.checking(pin);
    expect(await revoked.all()).toEqual([notRun('test', 'untrusted')]);
    expect(revoked.receipts()).toEqual([notRun('test', 'untrusted')]);
    expect(await revoked.one('test')).toEqual(notRun('test', 'untrusted'));
    expect(claims.ran('test')).toBe(1);
  });
});

describe('one check by its name', () => {
  it('is any of the run’s; of others nothing is known', async () => {
    const claims = claimsIn();
    const [test, slow] = [claims.check('test', ''), claims.check('slow', 'echo slow; exit 2')];
    const pin = claims.pinOf([test], { others: [slow], untrusted: ['build'] });
    const checking = await claims.checking(pin);
    const content = await claims.content();
    expect(await checking.one('slow')).toEqual({ fact: failed('slow', { code: 2 }), content, tail: 'slow' });
    expect(await checking.one('build')).toEqual(notRun('build', 'untrusted'));
    expect(await checking.one('nothing')).toBeNull();
    expect(claims.ran('test')).toBe(0);
  });
});

describe('the sandbox of a check', () => {
  it.each([
    ['never', true, false],
    ['never', false, false],
    ['auto', true, true],
    ['auto', false, false],
    ['always', true, true],
    ['always', false, true],
  ] as const)('%s, where the session has one: %s', async (sandbox, ofSession, isWrapped) => {
    const claims = claimsIn();
    const { project, stopped } = claims;
    const bin = claims.beside('bin');
    fs.mkdirSync(bin);
    const wrapped = claims.beside('wrapped');
    // In the place of bubblewrap: it notes that it was asked, and runs what stands behind the two dashes.
    const script = `#!/bin/sh\necho >'${wrapped}'\nwhile test "$1" != --; do shift; done\nshift\nexec "$@"\n`;
    fs.writeFileSync(path.join(bin, 'bwrap'), script, { mode: 0o755 });
    stopped.project = { ...project, env: { ...project.env, PATH: `${bin}:${project.env.PATH}` } };
    claims.write('.claude/settings.json', JSON.stringify({ sandbox: { enabled: ofSession } }));
    const checking = await claims.checking(claims.pinOf([claims.check('test', '')], { sandbox }));
    expect(factsOf(await checking.all())).toEqual([passed('test')]);
    expect(fs.existsSync(wrapped)).toBe(isWrapped);
  });

  it('is asked for of a client that knows of none', async () => {
    const claims = claimsIn();
    claims.stopped.stop = { ...claims.stopped.stop, client: 'generic' };
    const checking = await claims.checking(claims.pinOf([claims.check('test', '')]));
    expect(factsOf(await checking.all())).toEqual([passed('test')]);
  });
});

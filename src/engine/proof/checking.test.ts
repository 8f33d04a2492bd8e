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
import type { Pin } from './pin.ts';
import { addTrust, revokeTrust } from './trust.ts';
import type { Check } from './types.ts';

/** `test passed run`, and what is odd about it. */
const said = (settled: readonly Settled[]): string[] =>
  settled.map(({ fact: { name, end, code, from, flaky, failedBefore, redBefore, accepted, why } }) =>
    [
      ...[name, end, code || '', from ?? '', flaky ? 'flaky' : '', failedBefore ? 'excused' : ''],
      ...[redBefore ? 'before' : '', accepted ?? '', why ?? ''],
    ]
      .filter(Boolean)
      .join(' '),
  );
async function all(claims: Claims, checks: readonly Check[], pin: Partial<Pin> = {}, more = {}) {
  const checking = await claims.checking(claims.pinOf(checks, pin), more);
  return { checking, settled: await checking.all() };
}
const ranOf = (claims: Claims, ...names: string[]): number[] => names.map(claims.ran);

describe('a check that runs', () => {
  it('is on record while it runs, and leaves a receipt, two lines in the journal, and nothing else', async () => {
    const claims = claimsIn();
    const { project } = claims;
    const notes = claims.beside('sidecar');
    const test = claims.check('test', `cat .holdfast/runs/* >'${notes}'; echo all good`);
    const content = await claims.content();
    const { checking, settled } = await all(claims, [test, claims.check('two', 'exit 3')]);
    expect(said(settled)).toEqual(['test passed run', 'two failed 3 run']);
    expect(settled[0]).toMatchObject({ content, tail: 'all good' });
    expect([checking.ran, claims.before, claims.ran('test')]).toEqual([settled, 1, 1]);
    const [attempt] = JSON.parse(fs.readFileSync(notes, 'utf8')).attempts;
    const deadline = project.now + 7140 * 1000;
    const about = { work: 'check', check: 'test', definition: definitionOf(test), owner: 'session-1' };
    expect(attempt).toEqual({ ...about, id: attempt.id, deadline, status: 'running' });
    expect(readSidecar(project.root, RUN).attempts).toEqual([]);
    expect(fs.readdirSync(path.join(project.home, 'attempts'))).toEqual([]);
    const line = {
      event: 'work',
      session: 'session-1',
      run: 'loop',
      work: 'check',
      attempt: attempt.id,
      name: 'test',
    };
    expect(claims.journal().slice(0, 2)).toMatchObject([
      { ...line, what: 'began', deadline: new Date(deadline).toISOString() },
      { ...line, what: 'ended', end: 'passed', code: 0 },
    ]);
    const kept = {
      check: 'test',
      definition: definitionOf(test),
      content,
      end: 'passed',
      code: 0,
      flaky: false,
    };
    expect(claims.receipts()[0]).toMatchObject({ ...kept, tail: 'all good' });
  });

  it('does not run while another hook runs one of this run, nor where the client leaves no time', async () => {
    const claims = claimsIn();
    const { root } = claims.project;
    const about = { id: 'other-1', work: 'check', check: 'lint', definition: 'd', owner: 's' } as const;
    const other: CheckAttempt = { ...about, deadline: 1, status: 'running' };
    writeSidecar(root, { ...newSidecar(RUN), attempts: [other] });
    await expect(all(claims, [claims.check('test', '')])).rejects.toMatchObject({ attempt: 'other-1' });
    expect([readSidecar(root, RUN).attempts, claims.journal()]).toEqual([[other], []]);
    claims.stopped.stop = { ...claims.stopped.stop, limitS: 60 };
    const { checking, settled } = await all(claims, [claims.check('test', '')]);
    expect([said(settled), checking.ran, claims.ran('test')]).toEqual([['test cannot-run no-time'], [], 0]);
  });

  it('is marked as interrupted when the client asks the hook to end, and its place is free', async () => {
    const claims = claimsIn();
    claims.stopped.runtime = { ...claims.stopped.runtime, whenAskedToEnd: (listener) => listener() };
    await expect(all(claims, [claims.check('test', '')])).rejects.toThrow(Interrupted);
    const [attempt] = readSidecar(claims.project.root, RUN).attempts;
    expect(attempt).toMatchObject({ check: 'test', status: 'interrupted' });
    const place = attempt === undefined ? null : takeOver(claims.project, attempt);
    expect([place === null, claims.receipts()]).toEqual([false, []]);
    place?.release();
  });

  it('may be flaky, not be there, or keep its receipt from being written', async () => {
    const claims = claimsIn();
    const [mark, state] = [claims.beside('mark'), claims.beside('state/holdfast')];
    const flaky = claims.check('flaky', `test -e '${mark}' || { touch '${mark}'; exit 1; }`, { retries: 1 });
    expect(said((await all(claims, [flaky])).settled)).toEqual(['flaky passed run flaky']);
    expect(claims.receipts()).toMatchObject([{ end: 'passed', flaky: true }]);
    const gone = claims.check('gone', '', { run: ['no-such-program'] });
    expect(said((await all(claims, [gone])).settled)).toEqual(['gone cannot-run run not-found']);
    expect([claims.receipts().length, claims.journal().at(-1)]).toMatchObject([
      1,
      { end: 'cannot-run', code: null },
    ]);
    const full = claims.check('full', `rm -rf '${state}/receipts'; echo >'${state}/receipts'`);
    expect(said((await all(claims, [full])).settled)).toEqual(['full passed run']);
    expect(readSidecar(claims.project.root, RUN).attempts).toEqual([]);
  });
});

describe('a receipt', () => {
  it('takes the place of a run, on this very content of the files that the check looks at', async () => {
    const claims = claimsIn();
    claims.write('notes/a.md', 'a');
    const checks = [claims.check('docs', '', { paths: ['notes'] }), claims.check('test', '')];
    await all(claims, checks);
    const again = await all(claims, checks);
    expect(said(again.settled)).toEqual(['docs passed receipt', 'test passed receipt']);
    expect([again.checking.ran, ranOf(claims, 'docs', 'test')]).toEqual([[], [1, 1]]);
    claims.write('code.txt', 'second\n');
    expect(said((await all(claims, checks)).settled)).toEqual(['docs passed receipt', 'test passed run']);
  });

  it('is all that is asked for where nothing may run', async () => {
    const claims = claimsIn();
    const [test, lint] = [claims.check('test', ''), claims.check('lint', '')];
    claims.keep(test, await claims.content(), { flaky: true });
    const checking = await claims.checking(claims.pinOf([lint, test], { untrusted: ['build'] }));
    expect(said(checking.receipts())).toEqual(['test passed receipt flaky', 'build untrusted']);
    expect(ranOf(claims, 'test', 'lint')).toEqual([0, 0]);
  });

  it('is none where no git tells the content, and a check runs once at a stop', async () => {
    const claims = claimsIn({ git: false });
    const pin = claims.pinOf([claims.check('test', '')]);
    const checking = await claims.checking(pin);
    const first = await checking.all();
    expect(first).toMatchObject([{ fact: { end: 'passed', from: 'run' }, content: null }]);
    expect([await checking.all(), checking.receipts(), claims.receipts()]).toEqual([first, [], []]);
    const later = await claims.checking(pin, { ran: checking.ran });
    expect([await later.all(), later.ran, claims.ran('test')]).toEqual([first, first, 1]);
    await (await claims.checking(pin)).all();
    expect([claims.ran('test'), claims.before]).toEqual([2, 2]);
  });

  it('is written where git fails once after the check', async () => {
    const claims = claimsIn();
    const { project, stopped } = claims;
    const [bin, mark] = [claims.beside('bin'), claims.beside('git-fails')];
    fs.mkdirSync(bin);
    const script = `#!/bin/sh\ntest -e '${mark}' && { rm -f '${mark}'; exit 1; }\nPATH="\${PATH#*:}" exec git "$@"\n`;
    fs.writeFileSync(path.join(bin, 'git'), script, { mode: 0o755 });
    stopped.project = { ...project, env: { ...project.env, PATH: `${bin}:${project.env.PATH}` } };
    const content = await claims.content();
    await all(claims, [claims.check('test', `touch '${mark}'`)]);
    expect([fs.existsSync(mark), claims.receipts()]).toMatchObject([false, [{ check: 'test', content }]]);
  });
});

describe('a check that changes files', () => {
  it('runs once more on what it left, and so do those before it', async () => {
    const claims = claimsIn();
    const names = ['test', 'format', 'lint'];
    const scripts = ['', 'echo formatted >code.txt', ''];
    const { checking, settled } = await all(
      claims,
      names.map((name, at) => claims.check(name, scripts[at] ?? '')),
    );
    const content = await claims.content();
    expect(settled.map((each) => [each.fact.end, each.content])).toEqual(
      names.map(() => ['passed', content]),
    );
    expect(ranOf(claims, ...names)).toEqual([2, 2, 1]);
    expect(checking.ran.map(({ fact }) => fact.name)).toEqual([...names, 'test', 'format']);
    // That of the content before, and those of the content as it is.
    expect(claims.receipts().map((each) => `${each.check} ${each.content === content}`)).toEqual([
      'test false',
      'lint true',
      'test true',
      'format true',
    ]);
  });

  it('each time cannot be believed; one that looks at other files can', async () => {
    const claims = claimsIn();
    claims.write('notes/a.md', 'a');
    const old = claims.check('old', 'exit 1');
    claims.keep(old, 'start', { end: 'failed', code: 1, at: 1 });
    const docs = claims.check('docs', '', { paths: ['notes'] });
    const { settled } = await all(claims, [docs, claims.check('format', 'echo more >>code.txt'), old], {
      content: 'start',
    });
    expect(said(settled)).toEqual([
      'docs passed run',
      'format cannot-run changes-files',
      'old failed 1 run excused',
    ]);
    expect(ranOf(claims, 'docs', 'format', 'old')).toEqual([1, 2, 2]);
  });

  it('does not run again where the claim is refused anyway, and one that fails then refuses by itself', async () => {
    const claims = claimsIn();
    const mark = claims.beside('mark');
    const format = claims.check('format', 'echo more >>code.txt');
    const red = await all(claims, [format, claims.check('red', 'exit 1')]);
    expect([said(red.settled), red.settled[0]?.content]).toEqual([
      ['format passed run', 'red failed 1 run'],
      '',
    ]);
    expect(claims.ran('format')).toBe(1);
    const once = claims.check('once', `test -e '${mark}' && exit 1; touch '${mark}'`);
    expect(said((await all(claims, [format, once])).settled)).toEqual([
      'format passed run',
      'once failed 1 run',
    ]);
  });
});

it('with `bail` nothing runs after the first check that refuses the claim', async () => {
  const claims = claimsIn();
  const checks = [claims.check('one', ''), claims.check('two', 'exit 1'), claims.check('three', '')];
  expect(said((await all(claims, checks, { bail: true })).settled)).toEqual([
    'one passed run',
    'two failed 1 run',
  ]);
  expect(said((await all(claims, checks)).settled)).toEqual([
    'one passed receipt',
    'two failed 1 run',
    'three passed run',
  ]);
});

it.each<[string, number, 'failed' | 'timed-out' | 'passed', string | null, boolean]>([
  ['it failed before', -1, 'failed', 'start', true],
  ['it failed in the moment of the start', 0, 'failed', 'start', true],
  ['it ran out of time', -1, 'timed-out', 'start', true],
  ['it failed after the start, at a claim', 1, 'failed', 'start', false],
  ['it passed', -1, 'passed', 'start', false],
  ['nobody knows the content of the start', -1, 'failed', null, false],
  ['it failed on another content', -1, 'failed', 'another', false],
])('a check was red before the run too, or not, where %s', async (_, later, end, content, isSo) => {
  const claims = claimsIn();
  const checks = [claims.check('test', 'exit 1'), claims.check('good', '')];
  for (const check of checks) claims.keep(check, 'start', { end, code: 1, at: claims.project.now + later });
  const found = async (pin: Partial<Pin>, more = {}) =>
    said((await all(claims, checks, { content, ...pin }, more)).settled)[0];
  expect(await found({ redIsGoal: true })).toBe(`test failed 1 run${isSo ? ' before' : ''}`);
  const accepted = { test: { by: 'person', at: 1 } } as const;
  expect(await found({ redIsGoal: true, accepted })).toContain('person');
  const outer = await found({ redIsGoal: true }, { inner: true });
  expect(outer).toBe(`test failed 1 run${isSo ? ' before outer' : ''}`);
  // A run that an earlier version pinned keeps its rule.
  expect(await found({})).toBe(`test failed 1 run${isSo ? ' excused' : ''}`);
});

describe('a check that is not trusted', () => {
  it('does not run, and is named behind those of the run', async () => {
    const claims = claimsIn();
    const checks = [claims.check('test', ''), claims.check('lint', '')];
    const { settled } = await all(claims, checks, { untrusted: ['build', 'test'] });
    expect([said(settled), claims.ran('test')]).toEqual([
      ['test untrusted', 'lint passed run', 'build untrusted'],
      0,
    ]);
  });

  it('counts no more once trust is taken back', async () => {
    const claims = claimsIn();
    const { project } = claims;
    const test = claims.check('test', '', { from: 'project' });
    addTrust(project, [test]);
    const pin = { startedAt: project.now + 1 };
    expect(said((await all(claims, [test], pin)).settled)).toEqual(['test passed run']);
    expect(said((await all(claims, [test], { startedAt: project.now })).settled)).toEqual(['test untrusted']);
    revokeTrust(project);
    const { checking, settled } = await all(claims, [test], pin);
    const one = await checking.one('test');
    expect([settled, checking.receipts(), one ? [one] : []].map(said)).toEqual([
      ['test untrusted'],
      ['test untrusted'],
      ['test untrusted'],
    ]);
  });
});

it('one check by its name is any of the run’s; of others nothing is known', async () => {
  const claims = claimsIn();
  const pin = claims.pinOf([claims.check('test', '')], {
    others: [claims.check('slow', 'exit 2')],
    untrusted: ['build'],
  });
  const checking = await claims.checking(pin);
  const found = await Promise.all(['slow', 'build', 'nothing'].map((name) => checking.one(name)));
  expect(found.map((each) => each && said([each])[0])).toEqual([
    'slow failed 2 run',
    'build untrusted',
    null,
  ]);
  expect(claims.ran('test')).toBe(0);
});

it.each([
  ['never', true, false],
  ['auto', true, true],
  ['auto', false, false],
  ['always', true, true],
  ['always', false, true],
] as const)(
  'the sandbox of a check, %s, where the session has one: %s',
  async (sandbox, ofSession, isWrapped) => {
    const claims = claimsIn();
    const { project, stopped } = claims;
    const [bin, wrapped] = [claims.beside('bin'), claims.beside('wrapped')];
    fs.mkdirSync(bin);
    // In the place of bubblewrap: it notes that it was asked, and runs what stands behind the two dashes.
    const script = `#!/bin/sh\necho >'${wrapped}'\nwhile test "$1" != --; do shift; done\nshift\nexec "$@"\n`;
    fs.writeFileSync(path.join(bin, 'bwrap'), script, { mode: 0o755 });
    stopped.project = { ...project, env: { ...project.env, PATH: `${bin}:${project.env.PATH}` } };
    claims.write('.claude/settings.json', JSON.stringify({ sandbox: { enabled: ofSession } }));
    const { settled } = await all(claims, [claims.check('test', '')], { sandbox });
    expect([said(settled), fs.existsSync(wrapped)]).toEqual([['test passed run'], isWrapped]);
  },
);

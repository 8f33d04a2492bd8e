import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { beforeEach, expect, it } from 'vitest';
import { bareProject, writeIn } from '../../../test/support/bare-project.ts';
import { type Files, openProject } from '../../../test/support/proof.ts';
import type { ConfigFile } from '../../config/schema.ts';
import { newSidecar } from '../../store/records.ts';
import { readSidecar, writeSidecar } from '../../store/sidecars.ts';
import type { Project } from '../project.ts';
import { WrongUsage } from '../workflow-cli.ts';
import { NO_NOTES } from './asked.ts';
import { type ProofFlags, proofAtStart, proofFlags, writeProofNotes } from './at-start.ts';
import { contentOf } from './content.ts';
import { definitionOf } from './definition.ts';
import { keepReceipt } from './receipts.ts';
import { giveTrust } from './trust.ts';
import type { Receipt } from './types.ts';

const NOW = 5000;
const NONE: ProofFlags = { checks: [], off: false, until: null, acceptRed: [] };
const OWN: ConfigFile = {
  checks: { test: { run: 'npm test' }, types: { run: ['npx', 'tsc'], paths: ['src/**'] } },
};
const USER = { checks: { lint: { run: 'lint' } } };

let bare: Project;
beforeEach(() => {
  bare = bareProject();
  fs.mkdirSync(bare.env.HOME ?? '');
  execFileSync('git', ['init', '--quiet', bare.root], { env: { PATH: bare.env.PATH, HOME: bare.env.HOME } });
  writeIn(bare, 'src/a.ts', 'a\n');
});
async function opened(files: Files, isTrusted = true, more = {}): Promise<Project> {
  const project = await openProject(bare, files, NOW, { ...bare.env, ...more });
  const checks = project.config.checks.filter(({ from }) => from === 'project');
  if (isTrusted) giveTrust({ ...project, now: NOW - 1 }, checks);
  return project;
}
const note = (project: Project, flags: Partial<ProofFlags> = {}) =>
  proofAtStart(project, { ...NONE, ...flags }, ['.holdfast']);

it('flags are read, and refused where they exclude each other', () => {
  expect(proofFlags({})).toEqual(NONE);
  expect(proofFlags({ check: 'a', until: 'b' })).toEqual({ ...NONE, checks: ['a'], until: 'b' });
  expect(proofFlags({ check: ['a', 'b'], 'no-check': false })).toEqual({ ...NONE, checks: ['a', 'b'] });
  expect(proofFlags({ 'no-check': true, check: [] })).toEqual({ ...NONE, off: true });
  for (const flags of [{ check: ['a'] }, { until: '' }, { 'accept-red': ['a'] }])
    expect(() => proofFlags({ ...flags, 'no-check': true })).toThrow(WrongUsage);
  expect(() => proofFlags({ until: 'a', 'accept-red': ['a'] })).toThrow(WrongUsage);
});

it('a start notes the checks with the content as it is, and says what will be run', async () => {
  const project = await opened({ own: OWN });
  const content = await contentOf(project.root, project.env, { without: ['.holdfast'] });
  const definitions = project.config.checks.map((check) => `${check.name}=${definitionOf(check)}`).join(' ');
  const contents = { types: content?.of(['src/**']) };
  const noted = await note(project);
  expect(noted).toEqual({
    notes: { ...NO_NOTES, definitions, content: content?.of(null), contents, startedAt: NOW },
    firstLine: null,
    lines: [
      'When you say that you are done, this is run and must pass: test (npm test), types (npx tsc).',
      'test was not run here yet; types was not run here yet.',
    ],
  });
  fs.rmSync(`${bare.root}/.git`, { recursive: true });
  expect((await note(project))?.notes).toEqual({ ...NO_NOTES, definitions, startedAt: NOW });
  writeSidecar(bare.root, { ...newSidecar('idle:a'), paused: 5 });
  writeProofNotes(project, 'idle:a', NO_NOTES);
  expect(readSidecar(bare.root, 'idle:a')).toMatchObject({ paused: 5, proof: NO_NOTES });
});

it.each<[string, Files, Partial<ProofFlags>, boolean, object | null]>([
  ['nothing is asked of the run', { user: USER }, {}, false, null],
  ['somebody trusts another check only', { user: USER }, {}, true, null],
  [
    'files are protected',
    { own: { protect: { paths: ['x'] } } },
    {},
    false,
    { notes: { definitions: '' }, lines: [] },
  ],
  [
    'the user’s own check is asked for',
    { user: USER },
    { checks: ['lint', 'lint'], until: 'lint' },
    false,
    { notes: { asked: { checks: ['lint'] } } },
  ],
  [
    'a check has a mistake',
    { own: '{"checks":{"test":{"run":"x"},"types":{"run":7}}}' },
    {},
    false,
    { firstLine: expect.stringContaining('There is a mistake in types, so') },
  ],
  [
    'checks are switched off',
    { own: OWN },
    { off: true },
    false,
    {
      notes: { asked: { off: true } },
      firstLine: null,
      lines: ['--no-check: test, types will not run, so this ends unproven.'],
    },
  ],
  [
    'none is required, and they are off',
    { user: USER },
    { off: true },
    false,
    { lines: ['--no-check: no check was required here anyway.'] },
  ],
  ['there is none, and they are off', {}, { off: true }, false, { lines: [] }],
  [
    'one is not trusted',
    { own: { checks: { test: { run: 'x' } } } },
    {},
    false,
    { firstLine: expect.stringContaining('the check test is not trusted') },
  ],
  [
    'some are not trusted',
    { own: OWN },
    {},
    false,
    {
      firstLine: expect.stringContaining(
        'these checks are not trusted as the config has them now: test, types. A person',
      ),
      lines: [],
    },
  ],
])('what a start notes where %s', async (_, files, flags, isTrusted, expected) => {
  const noted = await note(await opened(files, isTrusted), flags);
  if (expected === null) expect(noted).toBeNull();
  else expect(noted).toMatchObject(expected);
});

it.each<[Files, Partial<ProofFlags>, string]>([
  [{ own: OWN }, { checks: ['nothing'] }, '--check: there is no check "nothing". There are: test, types.'],
  [{ user: USER }, { acceptRed: ['lint'] }, '--accept-red lint: this check is not asked for here'],
  [{}, { until: 'x' }, '--until: there is no check "x". There is none: "checks" in'],
  [
    { own: OWN },
    { until: 'types' },
    '--until types: this check is not trusted, so it would never run. A person',
  ],
  [
    { own: '{"checks":{"types":{"run":7}}}' },
    { checks: ['types'] },
    '--check types: there is a mistake in this check',
  ],
])('a start with %j and %j is refused', async (files, flags, said) => {
  await expect(note(await opened(files, false), flags)).rejects.toThrow(said);
});

it('a start says where trust cannot count, and that it is from a time to come', async () => {
  const inside = await opened({ own: OWN }, false, { XDG_STATE_HOME: `${bare.root}/state` });
  expect((await note(inside))?.firstLine).toContain('Your own Holdfast folders lie inside this project');
  const project = await opened({ own: OWN }, false);
  giveTrust({ ...project, now: Date.now() + 3_600_000 }, project.config.checks);
  expect((await note(project))?.firstLine).toContain(
    'Trust in test and types was given at a time that is still',
  );
});

it.each<[string, Partial<Receipt> | null, Partial<ProofFlags>, string]>([
  ['nothing', null, {}, 'test was not run here yet'],
  ['it was red', {}, {}, 'test was red 4 minutes ago, so this run ends when it is green'],
  [
    'how many failed',
    { tail: '# fail 3' },
    { until: 'test' },
    'test was red 4 minutes ago (3 failing), so this loop ends when it is green',
  ],
  [
    'it ran out of time',
    { end: 'timed-out' },
    {},
    'test was red 4 minutes ago (out of time), so this run ends',
  ],
  [
    'it was red on other files',
    { content: 'other' },
    {},
    'test was red 4 minutes ago, before files changed, so this run ends when it is green',
  ],
  ['it was green', { end: 'passed' }, {}, 'test was green 4 minutes ago'],
  ['that is accepted', {}, { acceptRed: ['test'] }, 'test was red 4 minutes ago, and may be red at the end'],
])('a start knows of a check: %s', async (_, receipt, flags, said) => {
  const project = await opened({ own: { checks: { test: { run: 'npm test' } } } });
  const [check] = project.config.checks;
  if (check === undefined) throw new Error('no check');
  const content = (await contentOf(project.root, project.env, { without: ['.holdfast'] }))?.of(null) ?? '';
  const about = { check: 'test', definition: definitionOf(check), content, end: 'failed', code: 1 } as const;
  const at = NOW - 4 * 60_000 - 5;
  if (receipt !== null)
    keepReceipt(project, { ...about, milliseconds: 1, flaky: false, tail: '', at, ...receipt });
  expect((await note(project, flags))?.lines.join('\n')).toContain(`${said}`);
});

it('a start says what a clock noted ahead', async () => {
  const project = await opened({ own: OWN });
  const [check] = project.config.checks;
  if (check === undefined) throw new Error('no check');
  const about = { check: 'test', definition: definitionOf(check), content: 'c', code: 1, milliseconds: 1 };
  const at = Date.now() + 3_600_000;
  keepReceipt(project, { ...about, end: 'failed', flaky: false, tail: '', at });
  expect((await note(project))?.lines[1]).toContain('test were noted at a time that is still to come');
});

it.each([
  [7140, 0, false],
  [3570, 1, false],
  [3571, 1, true],
])('a start says what does not fit: %d s and %d retries, %s', async (timeout, retries, isSaid) => {
  const project = await opened({ own: { checks: { test: { run: 'x', timeout, retries } } } });
  expect((await note(project))?.lines[1]?.includes('7142 s in all, but a stop has 7140 s') ?? false).toBe(
    isSaid,
  );
});

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { bareProject, writeIn } from '../../../test/support/bare-project.ts';
import { type Files, openProject } from '../../../test/support/proof.ts';
import { readSidecar } from '../../store/sidecars.ts';
import type { Project } from '../project.ts';
import { NotNow, WrongUsage } from '../workflow-cli.ts';
import { type ProofFlags, proofAtStart, proofFlags, writeProofNotes } from './at-start.ts';
import { contentOf } from './content.ts';
import { definitionOf } from './definition.ts';
import { makePin } from './pin.ts';
import { pinRun } from './pin-run.ts';
import { keepReceipt } from './receipts.ts';
import { noteProof } from './start.ts';
import { giveTrust } from './trust.ts';
import type { Check, Receipt } from './types.ts';

let bare: Project;

beforeEach(() => {
  bare = bareProject();
  const { root, env } = bare;
  fs.mkdirSync(env.HOME ?? '');
  execFileSync('git', ['init', '--quiet', root], { env: { PATH: env.PATH, HOME: env.HOME } });
  writeIn(bare, 'code.txt', 'first\n');
  writeIn(bare, 'src/a.ts', 'a\n');
});

const NOW = 5000;
const NO_FLAGS: ProofFlags = { checks: [], off: false, until: null };
const OWN: Files['own'] = {
  checks: { test: { run: 'npm test' }, types: { run: ['npx', 'tsc'], paths: ['src/**'] } },
};

async function opened(files: Files, { trusted = true } = {}): Promise<Project> {
  const project = await openProject({ root: bare.root, home: bare.home }, files, NOW, bare.env);
  if (trusted) giveTrust({ ...project, now: NOW - 1 }, ofProject(project));
  return project;
}

const ofProject = ({ config }: Project): Check[] => config.checks.filter(({ from }) => from === 'project');

const checkOf = ({ config }: Project, name: string): Check => {
  const check = config.checks.find((each) => each.name === name);
  if (check === undefined) throw new Error(`no check ${name}`);
  return check;
};

const note = (project: Project, flags: Partial<ProofFlags> = {}) =>
  noteProof(project, { ...NO_FLAGS, ...flags }, ['.holdfast']);

function keep(project: Project, name: string, content: string, end: Receipt['end']): void {
  const check = checkOf(project, name);
  keepReceipt(project, {
    ...{ check: name, definition: definitionOf(check), content, end, code: 1 },
    ...{ milliseconds: 1, flaky: false, tail: '', at: 1 },
  });
}

const HOW_TO_TRUST =
  'A person reads the commands and allows them with `holdfast trust` in a terminal; then start again, since only trust given before a start counts for it.';

describe('a start', () => {
  it('notes the checks with the content as it is, and says what will be run', async () => {
    const project = await opened({ own: OWN });
    const content = await contentOf(project.root, project.env, { without: ['.holdfast'] });
    const [test, types] = [checkOf(project, 'test'), checkOf(project, 'types')];
    expect(await note(project)).toEqual({
      notes: {
        asked: { checks: null, off: false },
        definitions: `test=${definitionOf(test)} types=${definitionOf(types)}`,
        content: content?.of(null),
        contents: { types: content?.of(['src/**']) },
        startedAt: NOW,
        ...{ pinned: false, refusals: 0, cannotRunSaid: false, protectedSaid: false },
      },
      firstLine: null,
      lines: ['When you say that you are done, this is run and must pass: test (npm test), types (npx tsc).'],
    });
  });

  it('notes no content but the whole one where no check looks at some paths only', async () => {
    const project = await opened({ own: { checks: { test: { run: 'npm test' } } } });
    const noted = await note(project);
    expect(noted?.notes.content).toHaveLength(64);
    expect(noted?.notes).not.toHaveProperty('contents');
  });

  it('notes no content where there is no git', async () => {
    fs.rmSync(`${bare.root}/.git`, { recursive: true });
    const noted = await note(await opened({ own: OWN }));
    expect(noted?.notes).toMatchObject({ content: null, asked: { checks: null, off: false } });
    expect(noted?.notes).not.toHaveProperty('contents');
    expect(noted?.lines).toHaveLength(1);
  });

  it('notes nothing where nothing is asked of the run', async () => {
    expect(await note(await opened({ user: { checks: { lint: { run: 'lint' } } } }))).toBeNull();
  });

  it('notes protected files alone, and what a flag asks for', async () => {
    const guarded = await opened({ own: { protect: { paths: ['test/**'] } } });
    expect(await note(guarded)).toMatchObject({
      notes: { asked: { checks: null, off: false }, definitions: '', content: null },
      ...{ firstLine: null, lines: [] },
    });
    const own = await opened({ own: null, user: { checks: { lint: { run: 'lint' } } } });
    const asked = { checks: ['lint', 'lint'], until: 'lint' };
    expect(await note(own, asked)).toMatchObject({
      notes: { asked: { checks: ['lint'], off: false } },
      lines: ['When you say that you are done, this is run and must pass: lint (lint).'],
    });
  });

  it.each([
    [{ checks: ['nothing'] }, '--check: there is no check "nothing". There are: test, types.'],
    [{ until: 'nothing' }, '--until: there is no check "nothing". There are: test, types.'],
  ])('refuses %j', async (flags, message) => {
    await expect(note(await opened({ own: OWN }), flags)).rejects.toThrow(new WrongUsage(message));
  });

  it('refuses a check where there is none, and says where they would be', async () => {
    await expect(note(await opened({}), { checks: ['x'] })).rejects.toThrow(
      new WrongUsage(
        '--check: there is no check "x". There is none: "checks" in holdfast.config.json has them, the project\'s or your own.',
      ),
    );
  });

  it('refuses to wait for a check that is not trusted', async () => {
    const project = await opened({ own: OWN }, { trusted: false });
    await expect(note(project, { until: 'types' })).rejects.toThrow(
      new NotNow(`--until types: this check is not trusted, so it would never run. ${HOW_TO_TRUST}`),
    );
  });

  it('says first that it is unproven where a check is not trusted', async () => {
    const both = await note(await opened({ own: OWN }, { trusted: false }));
    expect(both).toMatchObject({
      firstLine: `Unproven from the start: these checks are not trusted as the config has them now: test, types. ${HOW_TO_TRUST}`,
      lines: [],
    });
    const one = await note(
      await opened({ own: { checks: { test: { run: 'npm test' } } } }, { trusted: false }),
    );
    expect(one?.firstLine).toBe(
      `Unproven from the start: the check test is not trusted as the config has it now. ${HOW_TO_TRUST}`,
    );
  });

  it('says where trust cannot count', async () => {
    const inside = { ...bare.env, XDG_STATE_HOME: `${bare.root}/state` };
    const project = await openProject(bare, { own: OWN }, NOW, inside);
    expect((await note(project))?.firstLine).toBe(
      'Unproven from the start: these checks are not trusted as the config has them now: test, types. Your own Holdfast folders lie inside this project, where an agent can write, so nothing in them counts: set XDG_STATE_HOME and XDG_CONFIG_HOME to folders outside of it.',
    );
  });

  it('says that a check has a mistake', async () => {
    const broken = { checks: { test: { run: 'npm test' }, types: { run: 7 } } };
    const project = await opened({ own: JSON.stringify(broken) });
    expect(project.config.brokenChecks).toEqual(['types']);
    expect(await note(project)).toMatchObject({
      firstLine:
        'Unproven from the start: There is a mistake in types, so it cannot run; `holdfast doctor` says which.',
      lines: ['When you say that you are done, this is run and must pass: test (npm test).'],
    });
    await expect(note(project, { checks: ['types'] })).rejects.toThrow(
      new NotNow('--check types: there is a mistake in this check; `holdfast doctor` says which.'),
    );
  });

  it('says what switching off means', async () => {
    const project = await opened({ own: OWN });
    expect(await note(project, { off: true })).toMatchObject({
      notes: { asked: { checks: null, off: true } },
      firstLine: null,
      lines: ['--no-check: test, types will not run, so this ends unproven.'],
    });
    const own = await opened({ own: null, user: { checks: { lint: { run: 'lint' } } } });
    expect((await note(own, { off: true }))?.lines).toEqual([
      '--no-check: no check was required here anyway.',
    ]);
    const none = await opened({ own: null, user: null });
    expect((await note(none, { off: true }))?.lines).toEqual([]);
  });

  it('says what is red already, but for what it goes on until', async () => {
    const project = await opened({ own: OWN });
    const content = await contentOf(project.root, project.env, { without: ['.holdfast'] });
    keep(project, 'test', content?.of(null) ?? '', 'failed');
    keep(project, 'types', content?.of(['src/**']) ?? '', 'timed-out');
    const red = (names: string): string =>
      `Note: red on these very files before this start: ${names}. That is not held against this run, which ends unproven while it stays so. To go on until one passes, start a loop with \`--until NAME\`.`;
    expect((await note(project))?.lines.slice(1)).toEqual([red('test, types')]);
    expect((await note(project, { until: 'test' }))?.lines.slice(1)).toEqual([red('types')]);
    keep(project, 'types', content?.of(['src/**']) ?? '', 'passed');
    expect((await note(project, { until: 'test' }))?.lines.slice(1)).toEqual([]);
  });

  it.each([
    [7140, 0, []],
    [3570, 1, []],
    [
      3571,
      1,
      [
        "Note: with their timeouts and retries these checks may take 7142 s in all, but a stop has 7140 s for them; what has not run by then cannot run. Lower `timeout` or `retries`, or raise the time limit of the Stop hook in the client's hooks file together with the `--limit` in its command.",
      ],
    ],
  ])('says what does not fit: %d s and %d retries', async (timeout, retries, lines) => {
    const project = await opened({ own: { checks: { test: { run: 'x', timeout, retries } } } });
    expect((await note(project))?.lines.slice(1)).toEqual(lines);
  });
});

describe('the flags of a start', () => {
  it('are read', () => {
    expect(proofFlags({})).toEqual(NO_FLAGS);
    expect(proofFlags({ check: 'a', until: 'b' })).toEqual({ checks: ['a'], off: false, until: 'b' });
    expect(proofFlags({ check: ['a', 'b'] })).toEqual({ ...NO_FLAGS, checks: ['a', 'b'] });
    expect(proofFlags({ 'no-check': true })).toEqual({ ...NO_FLAGS, off: true });
  });

  it('that exclude each other are refused', () => {
    expect(() => proofFlags({ check: ['a'], 'no-check': true })).toThrow(
      new WrongUsage('--check and --no-check exclude each other.'),
    );
    expect(() => proofFlags({ until: 'a', 'no-check': true })).toThrow(
      new WrongUsage('--until and --no-check exclude each other.'),
    );
  });

  it('are looked at where there is something to note', async () => {
    const at = (project: Project, flags: Partial<ProofFlags> = {}) =>
      proofAtStart(project, { ...NO_FLAGS, ...flags }, []);
    const none = await opened({ user: { checks: { lint: { run: 'lint' } } } }, { trusted: false });
    expect(await at(none)).toBeNull();
    expect((await at(none, { checks: ['lint'] }))?.notes.asked).toEqual({ checks: ['lint'], off: false });
    expect((await at(none, { until: 'lint' }))?.notes.asked).toEqual({ checks: ['lint'], off: false });
    expect((await at(none, { off: true }))?.notes.asked).toEqual({ checks: null, off: true });
    const guarded = await opened({ own: { protect: { paths: ['x'] } } }, { trusted: false });
    expect(await at(guarded)).not.toBeNull();
    const checked = await opened({ own: OWN }, { trusted: false });
    expect(await at(checked)).not.toBeNull();
  });
});

describe('what a start noted', () => {
  it('is in the run’s notes, beside what is there', async () => {
    const project = await opened({ own: OWN });
    const noted = await note(project);
    if (noted === null) throw new Error('nothing was noted');
    writeProofNotes(project, 'idle:loop', noted.notes);
    expect(readSidecar(project.root, 'idle:loop')).toMatchObject({ run: 'idle:loop', proof: noted.notes });
  });

  it('is pinned at the first stop, which reports trust', async () => {
    const project = await opened({ own: OWN });
    const noted = await note(project);
    const stopped = { project } as Parameters<typeof pinRun>[2];
    expect(await pinRun('idle:loop', noted?.notes, stopped)).toEqual({
      notes: { ...noted?.notes, pinned: true },
      notice:
        'Holdfast: these commands were trusted here since the last notice: test and types. If that was not you, run `holdfast trust --revoke`.',
    });
    expect(await pinRun('idle:loop', noted?.notes, stopped)).toMatchObject({ notice: null });
    const pin = await makePin(project, 'idle:loop', undefined);
    expect(pin).toMatchObject({ run: 'idle:loop', startedAt: NOW, checks: ofProject(project) });
  });

  it('is nothing where there is nothing to pin, and begins with nothing where the start noted none', async () => {
    const none = await opened({ user: null }, { trusted: false });
    const stopped = (project: Project) => ({ project }) as Parameters<typeof pinRun>[2];
    expect(await pinRun('idle:loop', undefined, stopped(none))).toEqual({ notes: null, notice: null });
    const guarded = await opened({ own: { protect: { paths: ['x'] } } }, { trusted: false });
    expect(await pinRun('idle:loop', undefined, stopped(guarded))).toEqual({
      notes: {
        ...{ asked: { checks: null, off: false }, definitions: '', content: null, pinned: true },
        ...{ refusals: 0, cannotRunSaid: false, protectedSaid: false },
      },
      notice: null,
    });
  });
});

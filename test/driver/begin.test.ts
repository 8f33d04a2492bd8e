// What `holdfast run` begins: the record it keeps, the checks before it, and what the client may run without asking.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { recordsOf } from '../../src/driver/record.ts';
import { giveTrust } from '../../src/engine/proof/trust.ts';
import { homeOf } from '../../src/store/home.ts';
import { type Ran, run, runCli } from '../support/hook.ts';
import { NO_BUDGET, type Stage, stageWith } from './stage.ts';

let stage: Stage;

afterEach(() => {
  expect(stage.linesOf('violations')).toEqual([]);
  stage.remove();
});

const holdfast = (...args: readonly string[]): Promise<Ran> =>
  runCli(stage.project.root, ['run', ...args], { env: stage.env });

const git = async (...args: string[]): Promise<string> => {
  const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.com'];
  const { stdout } = await run('git', [...who, ...args], stage.project.root, { env: stage.env });
  return stdout.trim();
};

/** A check of the project's that is trusted, and one that is not. */
async function withChecks(): Promise<void> {
  const { root } = stage.project;
  const checks = { good: { run: 'test -d .' }, list: { run: ['true'] }, unasked: { run: 'touch unasked' } };
  stage.project.write('holdfast.config.json', JSON.stringify({ checks }));
  await git('add', '-A');
  await git('commit', '-qm', 'Begin');
  const config = await loadConfig(root, stage.env);
  const trusted = config.checks.filter(({ name }) => name !== 'unasked');
  giveTrust({ root, env: stage.env, config, home: homeOf(root), now: Date.now() - 1000, cli: '' }, trusted);
}

describe('the record of what is driven', () => {
  it('has all that was asked for', async () => {
    stage = await stageWith([{ do: 'done' }]);
    await git('commit', '--allow-empty', '-qm', 'Begin');
    const before = Date.now();
    const words = ['--json', '--model', 'opus', '--persist', '3', '--unattended', '--usd', '5'];
    const ran = await holdfast(...words, 'idle', 'loop', '--max', '4', 'Do', 'it', '--', '--add-dir', '/x');
    expect(ran).toMatchObject({ exitCode: 0, stderr: '' });
    const [known, ...more] = recordsOf(stage.env, stage.project.root);
    expect(more).toEqual([]);
    const [start] = stage.starts();
    expect(known?.record).toMatchObject({
      ...{ schema: 1, root: stage.project.root, workflow: 'idle', asked: 'idle loop --max 4 Do it' },
      ...{ run: expect.stringMatching(/^idle:loop-/), session: start?.session, client: null },
      options: {
        ...{ client: 'claude-code', access: 'edit', fresh: false, model: 'opus', persist: 3, stopAt: null },
        ...{ unattended: true, budget: { ...NO_BUDGET, usd: 5 }, args: ['--add-dir', '/x'] },
      },
      ...{ commit: await git('rev-parse', 'HEAD'), worktree: null, ended: { code: 0, why: 'completed' } },
      spent: { sessions: 1, turns: 1 },
    });
    expect(known?.record.startedAt).toBeGreaterThanOrEqual(before);
    expect(known?.record.prompt).toContain('Do it');
    expect(known?.record.prompt).toBe(stage.prompts()[0]?.prompt);
    const { stdout } = await runCli(stage.project.root, ['status', '--json', '--all'], { env: stage.env });
    expect(JSON.parse(stdout).runs).toMatchObject([{ run: known?.record.run }]);
  });

  it('has the words as the prompt where the agent begins the run', async () => {
    stage = await stageWith([{ do: 'unheld' }, { do: 'crash' }, { do: 'crash' }, { do: 'crash' }]);
    await holdfast('taskie', 'Build', ' it ');
    const [known] = recordsOf(stage.env, stage.project.root);
    expect(known?.record).toMatchObject({ run: null, workflow: 'taskie', asked: 'taskie Build it' });
    expect(known?.record.prompt).toMatch(/Build {2}it$/);
    expect(known?.record.commit).toBeNull();
  });
});

describe('before it begins', () => {
  it('no check is run, and the client may run those of the project that are trusted and a line', async () => {
    stage = await stageWith([{ do: 'done' }]);
    await withChecks();
    const ran = await holdfast('idle', 'loop', 'Do it');
    // One that nobody trusts proves nothing.
    expect(ran.exitCode).toBe(4);
    expect(ran.stdout).toMatch(/\nTo see why it is unproven: \S+ why\. To run the checks now: \S+ check\n$/);
    expect(ran.stdout).not.toContain('before the run');
    expect(stage.project.exists('unasked')).toBe(false);
    const given = stage.starts()[0]?.args.join('\n') ?? '';
    for (const command of ['test -d .', 'git add', 'git commit', 'git status'])
      expect(given).toContain(command);
    for (const command of ['touch unasked', 'git diff', 'git log', 'git push'])
      expect(given).not.toContain(command);
  });

  it.each([
    ['taken away', 'delete notes.proof'],
    ['that say that it may be red', "notes.proof.asked.acceptRed = ['own']"],
    ['that say that it was pinned', 'notes.proof.pinned = true'],
  ])('what it must pass is pinned, so that notes %s change nothing', async (_, edit) => {
    const file = "process.argv[1], notes = JSON.parse(fs.readFileSync(file, 'utf8'))";
    const script = `const file = ${file}; ${edit}; fs.writeFileSync(file, JSON.stringify(notes))`;
    stage = await stageWith([
      { do: 'run', line: `node -e "${script}" .holdfast/runs/*` },
      ...Array.from({ length: 3 }, () => ({ do: 'done' as const })),
    ]);
    const settings = path.join(stage.project.home, '.config/holdfast');
    fs.mkdirSync(settings, { recursive: true });
    const checks = { own: { run: 'test -e green' } };
    fs.writeFileSync(path.join(settings, 'holdfast.config.json'), JSON.stringify({ checks }));
    const ran = await holdfast('idle', 'loop', '--max', '2', '--check', 'own', 'Do it');
    expect(ran).toMatchObject({ exitCode: 5, stdout: expect.stringContaining('maximum') });
  });

  it('in a work tree the same checks are trusted, and the branch is the one that is named', async () => {
    stage = await stageWith([{ do: 'done' }]);
    await withChecks();
    const ran = await holdfast('--worktree', 'mine', 'idle', 'loop', 'Do it');
    const [known] = recordsOf(stage.env, stage.project.root);
    const { worktree, root } = known?.record ?? {};
    expect(worktree).toEqual({ path: root, branch: 'mine', from: stage.project.root });
    expect(path.basename(root ?? '')).toMatch(/^project-idle-\d{8}-\d{6}$/);
    expect(ran.stdout).toContain(`, on the branch mine. To take it over: `);
    expect(await git('branch', '--list', 'mine', '--format=%(refname:short)')).toBe('mine');
  });

  it('a work tree without a name has a branch that is called after the run', async () => {
    stage = await stageWith([{ do: 'done' }]);
    await git('commit', '--allow-empty', '-qm', 'Begin');
    await holdfast('--worktree', 'idle', 'loop', 'Do it');
    const [known] = recordsOf(stage.env, stage.project.root);
    expect(known?.record.worktree?.branch).toMatch(/^holdfast\/idle-\d{8}-\d{6}$/);
  });
});

// Where a budget comes from: the flags of every start, the settings, the notes of a start in a sandbox; and what no start,
// no agent and no repository can make of it.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Ran, runCli } from '../support/hook.ts';
import { type BudgetScene, budgetScene, isHeld, isLastHold, isPaused, tick } from './scene.ts';

const FLAGS = ['--tokens', '2M', '--hours', '4', '--reviews', '12'];
const LIMITS = { tokens: 2_000_000, timeMs: 14_400_000, reviews: 12, usd: null };

function withPlan(scene: BudgetScene): BudgetScene {
  scene.write('.taskie/plans/a-plan/plan.md', '# Plan\n\n## Overview\n');
  return scene;
}

describe('every start takes a budget, says it, and writes it down where no agent can change it', () => {
  it.each<[string, string[]]>([
    ['idle loop', ['idle', 'loop', ...FLAGS]],
    ['idle issue', ['idle', 'issue', ...FLAGS, '7']],
    ['idle grind', ['idle', 'grind', ...FLAGS]],
    ['claudex plan', ['claudex', 'plan', '--skip-interview', ...FLAGS, 'a topic']],
    ['claudex review', ['claudex', 'review', ...FLAGS]],
    ['taskie record new-plan', ['taskie', 'record', 'new-plan', '--plan', 'a-plan', ...FLAGS]],
    ['taskie next', ['taskie', 'next', '--plan', 'a-plan', ...FLAGS]],
  ])('%s', async (_, args) => {
    const scene = withPlan(budgetScene());
    const started = await scene.agent(args);
    expect(started).toMatchObject({ exitCode: 0, stderr: '' });
    expect(started.stdout).toContain('It may spend 2M tokens, 4 h, 12 reviews; then it is paused');
    expect(scene.budget()).toMatchObject({ limits: LIMITS, stage: 'open', spent: { tokens: 0 } });
    expect(fs.statSync(scene.budgetFile()).mode & 0o777).toBe(0o600);
  });
});

describe('garbage is refused in one line, and nothing is started', () => {
  it.each<[string[], RegExp]>([
    [
      ['idle', 'loop', '--tokens', 'many'],
      /^holdfast: idle: --tokens takes a number of tokens .*, not "many"\.$/,
    ],
    [['idle', 'loop', '--tokens', '-5'], /--tokens takes .*, not "-5"/],
    [['idle', 'grind', '--hours', '4h'], /--hours takes a number of hours/],
    [['claudex', 'plan', '--reviews', '0', 'x'], /claudex plan: --reviews takes a whole number/],
    [['taskie', 'record', 'new-plan', '--plan', 'a-plan', '--tokens='], /--tokens takes/],
    [['taskie', 'record', 'create-tasks', '--plan', 'a-plan', '--tokens', '5'], /takes no --tokens/],
    [['idle', 'loop', '--usd', '5'], /there is no option --usd/],
    [['resume', '--tokens', '1e9'], /resume: --tokens takes/],
  ])('%j', async (args, said) => {
    const scene = withPlan(budgetScene());
    const ran = await scene.person(args);
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ran.stderr.trim()).toMatch(said);
    expect(ran.stderr.trim().split('\n')).toHaveLength(1);
    expect(scene.exists('.holdfast/runs')).toBe(false);
  });
});

describe('a run keeps the budget it has', () => {
  it('neither does another start of the same plan, nor its removal', async () => {
    const scene = withPlan(budgetScene());
    const start = (...flags: string[]): Promise<Ran> =>
      scene.agent(['taskie', 'record', 'new-plan', '--plan', 'a-plan', ...flags]);
    await start('--tokens', '5k');
    scene.changeBudget(({ spent }) => ({ spent: { ...spent, tokens: 4000 } }));
    expect(await scene.agent(['taskie', 'next', '--tokens', '9M'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('has its budget already'),
    });
    fs.rmSync(path.join(scene.root, '.taskie/plans/a-plan/state.json'));
    fs.rmSync(path.join(scene.root, '.holdfast'), { recursive: true });
    expect(await start('--tokens', '9M')).toMatchObject({ exitCode: 1 });
    expect(await start()).toMatchObject({ exitCode: 0 });
    expect(scene.budget()).toMatchObject({ limits: { tokens: 5000 }, spent: { tokens: 4000 } });
  });

  it('more is a person’s to grant, never an agent’s', async () => {
    const scene = budgetScene();
    await scene.agent(['idle', 'loop', '--tokens', '5k']);
    const marks = [{ CODEX_THREAD_ID: 't' }, { GEMINI_CLI: '1' }, { CLAUDE_CODE_SESSION_ID: 's' }];
    const named = ['resume', scene.budget().run, '--tokens', '1M'];
    const tries = marks.flatMap((env) => [
      scene.person(['resume', '--tokens', '1M'], { env }),
      scene.person(named, { env }),
    ]);
    // No terminal is one way to see that it need not be a person.
    for (const ran of await Promise.all([...tries, runCli(scene.root, named)])) {
      expect(ran).toMatchObject({
        exitCode: 1,
        stdout: '',
        stderr: expect.stringContaining('only a person'),
      });
    }
    expect(scene.budget().limits.tokens).toBe(5000);
    const { run } = scene.budget();
    const granted = await scene.person(['resume', run, '--tokens', '1k']);
    expect(granted.stdout.trim()).toBe(`${run} may now spend 6k tokens in all.`);
    const unbounded = await scene.person(['resume', run, '--hours', '1']);
    expect(unbounded).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('no limit that --hours'),
    });
  });
});

describe('the settings', () => {
  it('are the budget of every start that says nothing, and a project may only lower them', async () => {
    const scene = budgetScene();
    scene.userConfig({ budget: { tokens: '2M', hours: 4 } });
    scene.write('holdfast.config.json', '{"budget":{"tokens":500000,"hours":9,"reviews":3}}');
    expect((await scene.agent(['idle', 'loop'])).stdout).toContain('500k tokens, 4 h, 3 reviews');
  });
});

describe('a mistake in your own budget', () => {
  it.each<[object | string, string]>([
    [
      { tokens: '2x' },
      'budget.tokens: expected a number of tokens from 1, such as 500k, 2M or 1.5M, got "2x"',
    ],
    [{ hours: '4h' }, 'budget.hours: expected a number of hours'],
    [{ token: 5 }, 'there is no key "budget.token"'],
    ['2M', 'budget: expected an object'],
  ])('%j: nothing is started, by nobody, and a line says which key and where', async (budget, said) => {
    const scene = withPlan(budgetScene());
    scene.userConfig({ budget });
    for (const args of [
      ['idle', 'loop'],
      ['taskie', 'record', 'new-plan', '--plan', 'a-plan'],
    ]) {
      for (const ran of [await scene.agent(args), await scene.person(args)]) {
        expect(ran).toMatchObject({ exitCode: 1, stdout: '' });
        const lines = ran.stderr.split('\n').filter((line) => line.includes('nothing is started'));
        expect(lines).toEqual([expect.stringContaining(`/.config/holdfast/holdfast.config.json: ${said}`)]);
      }
    }
    expect(scene.exists('.holdfast/runs')).toBe(false);
  });
});

describe('a start in a sandbox, which cannot write in the user’s folder', () => {
  async function sandboxed(scene: BudgetScene, ...flags: string[]): Promise<void> {
    // Below a file nothing can be made.
    const nowhere = path.join(scene.write('file', ''), 'state');
    const started = await scene.agent(['idle', 'loop', ...flags], undefined, {
      env: { XDG_STATE_HOME: nowhere },
    });
    expect(started).toMatchObject({ exitCode: 0, stderr: '' });
    expect(() => scene.budget()).toThrow('0 budgets');
    await tick();
  }

  it('notes it, and the first stop pins it, with what was used since the start', async () => {
    const scene = budgetScene();
    scene.uses(900);
    await tick();
    await sandboxed(scene, '--tokens', '1k');
    scene.uses(300);
    expect(isHeld(await scene.stop())).toBe(true);
    expect(scene.budget()).toMatchObject({ limits: { tokens: 1000 }, spent: { tokens: 300 } });
  });

  it('and the settings’ is pinned, though the notes lose it and say that the run had its first stop', async () => {
    const scene = budgetScene();
    scene.userConfig({ budget: { tokens: 100 } });
    await sandboxed(scene);
    const committed = { before: 'x', after: 'y' };
    scene.changeSidecar('idle', ({ budget: _, ...sidecar }) => ({ ...sidecar, committed }));
    expect(isHeld(await scene.stop())).toBe(true);
    await tick();
    scene.uses(200);
    expect(isLastHold(await scene.stop())).toBe(true);
  });
});

describe('what an agent or a repository writes changes nothing', () => {
  async function spentLoop(): Promise<BudgetScene> {
    const scene = budgetScene();
    await scene.agent(['idle', 'loop', '--tokens', '100']);
    await tick();
    scene.uses(200);
    return scene;
  }

  it('neither in the run’s notes', async () => {
    const scene = await spentLoop();
    scene.changeSidecar('idle', (sidecar) => ({
      ...sidecar,
      budget: {
        startedAt: Date.now() + 9e9,
        limits: { tokens: null, timeMs: null, reviews: null, usd: null },
      },
      takenOver: Date.now() + 9e9,
      paused: undefined,
    }));
    expect(isLastHold(await scene.stop())).toBe(true);
    scene.changeSidecar('idle', ({ budget: _, ...sidecar }) => sidecar);
    expect(isPaused(await scene.stop())).toBe(true);
    fs.rmSync(path.join(scene.root, '.holdfast/runs'), { recursive: true });
    expect(isHeld(await scene.stop())).toBe(false);
    expect(scene.budget()).toMatchObject({ stage: 'paused', spent: { tokens: 200 } });
  });

  it('a budget that cannot be read is none that begins again: the stop is allowed, and says why', async () => {
    const scene = await spentLoop();
    const file = scene.budgetFile();
    fs.writeFileSync(file, '{"schema":1}');
    const fired = await scene.stop();
    expect(isHeld(fired)).toBe(false);
    expect(fired.answer?.systemMessage).toContain(`${file} is not readable as the budget of idle:`);
    expect(fs.readFileSync(file, 'utf8')).toBe('{"schema":1}');
    expect((await scene.person(['status'])).stdout).toContain('Its budget cannot be read');
    expect(fired.answer?.systemMessage).toContain('the run is counted again with the limits that its start');
    fs.rmSync(file);
    await scene.stop();
    expect(scene.budget()).toMatchObject({ limits: { tokens: 100 }, spent: { tokens: 200, reviews: 0 } });
  });

  it('a link in its place is not followed', async () => {
    const scene = await spentLoop();
    const file = scene.budgetFile();
    const forged = scene.write('forged.json', fs.readFileSync(file, 'utf8'));
    fs.rmSync(file);
    fs.symlinkSync(forged, file);
    const fired = await scene.stop();
    expect(isHeld(fired)).toBe(false);
    expect(fired.answer?.systemMessage).toContain('is behind a link');
  });
});

it('a client that does not tell its tokens is named once, and hours still bound the run', async () => {
  const scene = budgetScene();
  await scene.agent(['idle', 'loop', '--tokens', '5', '--hours', '1']);
  const stop = { session_id: 'a-session', cwd: scene.root, transcript_path: null, prompt_id: undefined };
  const first = await scene.stop(stop, { args: ['--client', 'generic'] });
  expect(first.stdout).toContain('does not tell how many tokens');
  const second = await scene.stop(stop, { args: ['--client', 'generic'] });
  expect(second.stdout).not.toContain('does not tell how many tokens');
});

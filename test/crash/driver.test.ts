// The driver killed with -9 at its own steps: nothing is left running, and `--continue` goes on to the same end. Every
// step that changes a file would take an hour, so some are drawn; HOLDFAST_CRASH_DRIVER=1000 takes them all.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { type Stage, stageWith } from '../driver/stage.ts';
import { type Ran, runCli } from '../support/hook.ts';

const POINTS = Number(process.env.HOLDFAST_CRASH_DRIVER ?? 16);
const LAYER = path.resolve(import.meta.dirname, 'fault.cjs');
const START = ['run', '--json', 'idle', 'loop', 'Do it all'];
const CHANGING = /^(?:make-folder|create|write|truncate|rename|remove|spawn) /;

const stages: Stage[] = [];
afterEach(() => {
  for (const stage of stages.splice(0)) stage.remove();
});

async function newStage(): Promise<Stage> {
  const stage = await stageWith([{ do: 'work' }, { do: 'error' }, { do: 'work' }, { do: 'done' }]);
  stages.push(stage);
  return stage;
}

function holdfast(stage: Stage, args: readonly string[], fault?: string): Promise<Ran> {
  const trace = path.join(path.dirname(stage.project.root), 'trace');
  const layer: Record<string, string> =
    fault === undefined
      ? {}
      : { NODE_OPTIONS: `--require ${LAYER}`, HOLDFAST_FAULT: fault, HOLDFAST_FAULT_TRACE: trace };
  return runCli(stage.project.root, args, { env: { ...stage.env, ...layer }, timeoutMs: 240_000 });
}

const held = (stage: Stage): number => stage.stops().filter(({ answer }) => answer === 'hold').length;
const hasCompleted = (stage: Stage): boolean =>
  fs
    .readFileSync(stage.project.root.concat('/.holdfast/journal.jsonl'), 'utf8')
    .includes('"outcome":"completed"');

/** The client's own watcher ends it when its driver is gone. */
async function nothingLeft(stage: Stage): Promise<boolean> {
  const pids = stage.starts().map(({ pid }) => pid);
  for (let waits = 0; waits < 200; waits++) {
    if (pids.every((pid) => !fs.existsSync(`/proc/${pid}`))) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}

it('goes on after any of its deaths, with nothing lost and nothing left running', {
  timeout: 60_000 + POINTS * 60_000,
}, async () => {
  const whole = await newStage();
  const traced = await holdfast(whole, START, 'trace');
  expect(traced.exitCode).toBe(0);
  const steps = whole.linesOf('trace').flatMap((line, index) => (CHANGING.test(line) ? index + 1 : []));
  expect(steps.length).toBeGreaterThan(20);
  const every = Math.max(1, Math.ceil(steps.length / POINTS));
  for (const step of steps.filter((_, index) => index % every === 0)) {
    const stage = await newStage();
    await holdfast(stage, START, `kill:${step}`);
    expect({ step, left: await nothingLeft(stage) }).toEqual({ step, left: true });
    let ran = await holdfast(stage, ['run', '--json', '--continue']);
    // Before the run was there, there is nothing to go on with; after its end neither.
    if (ran.exitCode === 1 && stage.starts().length === 0) ran = await holdfast(stage, START);
    const isOver = ran.exitCode === 0 || (ran.exitCode === 1 && hasCompleted(stage));
    expect({ step, isOver, said: isOver ? '' : ran.stderr + ran.stdout }).toEqual({
      step,
      isOver: true,
      said: '',
    });
    expect({ step, held: held(stage) }).toEqual({ step, held: 2 });
    expect(stage.linesOf('violations')).toEqual([]);
    expect(await nothingLeft(stage)).toBe(true);
  }
});

it('lets one of many drivers of a run go on, and the others say who has it', async () => {
  const stage = await newStage();
  stage.write([{ do: 'work' }, { do: 'hang' }, { do: 'work' }, { do: 'done' }]);
  const { spawn } = await import('node:child_process');
  const { plugin } = await import('../support/hook.ts');
  const first = spawn(path.join(plugin, 'bin', 'holdfast'), START, {
    cwd: stage.project.root,
    env: stage.env,
  });
  const over = new Promise((resolve) => first.on('close', resolve));
  for (let waits = 0; waits < 400 && !stage.isHung(); waits++)
    await new Promise((resolve) => setTimeout(resolve, 50));
  const others = await Promise.all(Array.from({ length: 4 }, () => holdfast(stage, ['run', '--continue'])));
  for (const other of others)
    expect(other).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('is driven already by process'),
    });
  first.kill('SIGKILL');
  await over;
  expect(await nothingLeft(stage)).toBe(true);
  const again = await Promise.all(
    Array.from({ length: 3 }, () => holdfast(stage, ['run', '--json', '--continue'])),
  );
  expect(again.filter(({ exitCode }) => exitCode === 0)).toHaveLength(1);
  expect(stage.linesOf('violations')).toEqual([]);
  expect(held(stage)).toBe(2);
});

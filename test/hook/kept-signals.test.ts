// A completion signal is honoured at the next stop whenever the run it belongs to was passed by at the one it was given
// at: every way a stop can end without the loop being stepped, through the built hook.

import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { latest } from '../fixtures/idle/loops.ts';
import { buildLockFixtures, type LockFixtures } from '../fixtures/lock/build.ts';
import { type Fired, fireHook, runCli } from '../support/hook.ts';
import { type TempProject, tempProject } from '../support/project.ts';
import { reviewStarted, toyScene } from '../toy/scene.ts';

const SESSION = 's1';
const SIGNAL = { last_assistant_message: 'All is well.\n\n<loop-done>COMPLETE</loop-done>' };
const LAYER = path.resolve(import.meta.dirname, '../crash/fault.cjs');

const projects: TempProject[] = [];
const children: ChildProcess[] = [];
let lock: LockFixtures;

beforeAll(async () => {
  lock = await buildLockFixtures();
});

afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  for (const project of projects) project.remove();
  fs.rmSync(lock.folder, { recursive: true, force: true });
});

type LoopHere = TempProject & {
  /** A stop as Claude Code sends it; `fault` is what the disk is like meanwhile. */
  stop(payload?: object, fault?: string): Promise<Fired>;
  holdfast(...args: string[]): Promise<void>;
};

/** A loop of this session that was held once. */
async function looping(): Promise<LoopHere> {
  const project = tempProject();
  projects.push(project);
  const { root, home } = project;
  const here: LoopHere = {
    ...project,
    stop: (payload = {}, fault) =>
      fireHook(
        root,
        { session_id: SESSION, prompt_id: 'p1', hook_event_name: 'Stop', cwd: root, ...payload },
        {
          env: {
            HOME: home,
            ...(fault === undefined ? {} : { NODE_OPTIONS: `--require "${LAYER}"`, HOLDFAST_FAULT: fault }),
          },
          timeoutMs: 30_000,
        },
      ),
    async holdfast(...args) {
      const env = { HOME: home, CLAUDE_CODE_SESSION_ID: SESSION };
      const ran = await runCli(root, args, { env, timeoutMs: 30_000, stdin: 'Fix the parser.' });
      if (ran.exitCode !== 0) throw new Error(ran.stderr);
    },
  };
  await here.holdfast('idle', 'loop', '--max', '10');
  expect((await here.stop()).answer?.decision).toBe('block');
  return here;
}

/** Allowed as it must be, and nothing of the loop has changed yet. */
function expectPassedBy(project: LoopHere, fired: Fired): void {
  expect(fired.exitCode).toBe(0);
  expect(fired.answer?.decision).toBeUndefined();
  expect(latest(project).event).toBe('STATE');
}

async function expectHonoured(project: LoopHere): Promise<void> {
  const next = await project.stop({ last_assistant_message: 'As I said.' });
  expect(next.answer?.decision).toBeUndefined();
  expect(latest(project)).toMatchObject({ event: 'DONE', reason: 'COMPLETE' });
  expect(keptIn(project)).toEqual([]);
}

const usersFolder = ({ home }: TempProject): string => path.join(home, '.local/state/holdfast/kept');

function keptIn(project: TempProject): string[] {
  const ours = fs.readdirSync(path.join(project.root, '.holdfast')).filter((name) => /^kept-/.test(name));
  const users = fs.existsSync(usersFolder(project)) ? fs.readdirSync(usersFolder(project)) : [];
  return [...ours, ...users];
}

/** Another process of ours holds the project's lock until it is told to end. */
async function lockTaken({ root }: TempProject): Promise<{ free(): Promise<void> }> {
  const child = spawn(process.execPath, [lock.holder, 'with', path.join(root, '.holdfast')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await new Promise<void>((resolve) => child.stdout?.once('data', () => resolve()));
  return {
    free() {
      child.kill('SIGKILL');
      return ended;
    },
  };
}

describe.concurrent('a signal given', () => {
  test('in plan mode is honoured at the next stop, and the stop itself says that the run does not hold there', async () => {
    const project = await looping();
    const fired = await project.stop({ ...SIGNAL, permission_mode: 'plan' });
    expect(fired.answer).toEqual({ systemMessage: expect.stringContaining('in plan mode') });
    expect(latest(project).event).toBe('STATE');
    await expectHonoured(project);
  });

  test('while another process holds the lock is honoured at the next stop', async () => {
    const project = await looping();
    const taken = await lockTaken(project);
    const fired = await project.stop(SIGNAL);
    await taken.free();
    expectPassedBy(project, fired);
    expect(fired.answer?.systemMessage).toContain('held the lock');
    await expectHonoured(project);
  });

  test('while the disk is full is honoured at the next stop, however many fail before it', async () => {
    const project = await looping();
    for (const payload of [SIGNAL, SIGNAL, {}]) {
      const fired = await project.stop(payload, 'ENOSPC:full');
      expectPassedBy(project, fired);
    }
    expect(keptIn(project)).toHaveLength(1);
    await expectHonoured(project);
  });

  test.each(['EROFS', 'EACCES'])(
    'in a project that cannot be written (%s) is kept in the user’s state folder',
    async (code) => {
      const project = await looping();
      const fired = await project.stop(SIGNAL, `${code}:${project.root}`);
      expectPassedBy(project, fired);
      expect(fired.answer?.systemMessage).toContain(code);
      expect(fs.readdirSync(usersFolder(project))).toHaveLength(1);
      await expectHonoured(project);
    },
  );

  test('where nothing at all can be written is said to be lost, with what to do', async () => {
    const project = await looping();
    const fired = await project.stop(SIGNAL, 'EROFS:all');
    expectPassedBy(project, fired);
    const run = `idle:${latest(project).run_id}`;
    expect(fired.answer?.systemMessage).toMatch(
      new RegExp(`a completion signal for ${run} was given .* cancel ${run}`),
    );
    // The stop after it holds as ever, and the agent can give it again.
    expect((await project.stop()).answer?.decision).toBe('block');
    await project.stop(SIGNAL);
    expect(latest(project).event).toBe('DONE');
  });

  test('and kept does not end a loop that went on meanwhile', async () => {
    const project = await looping();
    await project.stop(SIGNAL, 'ENOSPC:full');
    await project.holdfast('idle', 'loop', '--max', '5');
    const next = await project.stop({ last_assistant_message: 'On it.' });
    expect(next.answer?.decision).toBe('block');
    expect(latest(project)).toMatchObject({ event: 'STATE', stack: [{}, { iter: 1 }] });
    expect(keptIn(project)).toEqual([]);
  });

  test('by another session is nobody’s to keep', async () => {
    const project = await looping();
    await project.stop({ ...SIGNAL, session_id: 'other', permission_mode: 'plan' });
    expect((await project.stop()).answer?.decision).toBe('block');
  });
});

describe.concurrent('a signal given at a stop that starts a review of another run', () => {
  test.each(['SIGTERM', 'SIGKILL'] as const)(
    'is honoured at the next stop, though the hook was ended by %s in mid-review',
    async (signal) => {
      const scene = toyScene();
      await scene.start('a', { phase: 'reviewing' });
      await scene.start('late', { toy: 'toy2' });
      const payload = { last_assistant_message: 'FINISHED2' };
      const hook = scene.beginStop({ payload, env: { TOY_REVIEWER: 'hang' } });
      await reviewStarted(scene);
      hook.process.kill(signal);
      await hook.ended;
      await scene.stop({ env: { TOY_REVIEWER: 'pass' } });
      expect(scene.state('late', 'toy2').phase).toBe('done');
    },
  );
});

// `holdfast wait`, as an agent's shell runs it: one line, exit code 0 or 75, and what is noted for the run.

import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { withLock } from '../../src/store/lock.ts';
import { NO_WAITS, type Waits } from '../../src/store/records.ts';
import { type Ran, type RunOptions, run } from '../support/hook.ts';
import { typeCli } from '../support/typed.ts';
import { toyPlugin } from '../toy/plugin.ts';
import { filesIn, SESSION, type ToyScene, toyScene } from '../toy/scene.ts';

const mine = { CLAUDE_CODE_SESSION_ID: SESSION };
const cli = path.join(toyPlugin, 'bin/holdfast');

const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

function background(program: string, ...args: string[]): ChildProcess {
  const child = spawn(program, args, { stdio: 'ignore' });
  children.push(child);
  return child;
}

async function working(): Promise<ToyScene> {
  const scene = toyScene();
  await scene.start('a', { left: 5 });
  return scene;
}

const wait = (scene: ToyScene, args: readonly string[], options: RunOptions = {}): Promise<Ran> =>
  scene.cli(['wait', ...args], { env: mine, ...options });

/** Not waited for. */
function beginWait(scene: ToyScene): { process: ChildProcess; ended: Promise<Ran> } {
  const child = spawn(cli, ['wait'], {
    cwd: scene.root,
    env: { ...scene.env, ...mine },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  let stdout = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  return {
    process: child,
    ended: new Promise((resolve) => {
      child.once('close', (exitCode) => resolve({ exitCode, stdout, stderr: '' }));
    }),
  };
}

/** A busy machine may take seconds to start a process: `attempt` answers with false when it was given too little time. */
async function withMoreTime(
  times: readonly number[],
  attempt: (seconds: number) => Promise<boolean>,
): Promise<void> {
  for (const seconds of times) if (await attempt(seconds)) return;
  throw new Error(`not even ${times.at(-1)} s were enough`);
}

const said = (exitCode: number, stdout: string | RegExp) => ({
  exitCode,
  stdout: expect.stringMatching(stdout),
  stderr: '',
});

const waitsOf = (scene: ToyScene): Waits => scene.sidecar('a').waits ?? NO_WAITS;

describe.concurrent('a process', () => {
  test('is waited for until it has ended', async () => {
    const scene = toyScene();
    await withMoreTime([1, 4, 16], async (seconds) => {
      const { pid } = background('sleep', String(seconds));
      const ran = await wait(scene, ['--pid', String(pid)]);
      if (ran.stdout.startsWith('No process')) return false;
      expect(ran).toEqual(said(0, new RegExp(`^After \\d+ s: process ${pid} has ended\\.\n$`)));
      return true;
    });
  });

  test('that is gone already, or is out of sight in a sandbox, is over at once', async () => {
    const scene = toyScene();
    const child = background('true');
    await new Promise((resolve) => child.once('exit', resolve));
    const { exitCode, stdout } = await wait(scene, ['--pid', String(child.pid)]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^No process \d+ runs where this shell can see it: it has ended, or [^\n]+\n$/);
    expect(stdout).toContain(`${cli} wait --file FILE`);
  });

  test('that still runs: exit code 75, and the command to call again', async () => {
    const scene = toyScene();
    const { pid } = background('sleep', '60');
    const { exitCode, stdout, stderr } = await wait(scene, ['--for', '1', '--pid', String(pid)]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 75, stderr: '' });
    const [, again = ''] =
      /^After \d+ s: process \d+ still runs\. Call again: ([^\n]+)\n$/.exec(stdout) ?? [];
    expect(again).toBe(`${cli} wait --pid ${pid} --for 1`);
    const ran = await run('/bin/sh', ['-c', again], scene.root, { env: scene.env });
    expect(ran).toMatchObject({ exitCode: 75, stdout: expect.stringContaining(again) });
  });

  test.each(['', '0', '-1', 'abc', '1.5', '1e3', ' 7', '99999999999'])('is no number: "%s"', async (pid) => {
    const { exitCode, stdout, stderr } = await wait(toyScene(), [`--pid=${pid}`]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toBe(
      'holdfast: wait: --pid takes the number of a process, such as $! after `command &`.\n',
    );
  });

  test('is not the shell that runs the command', async () => {
    const scene = toyScene();
    const ran = await run('/bin/sh', ['-c', `"${cli}" wait --pid $$; exit $?`], scene.root, {
      env: scene.env,
    });
    expect(ran).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('runs this command') });
  });
});

describe.concurrent('a file', () => {
  test('is waited for until it is there, in a folder that is not there yet, with blanks in its name', async () => {
    await withMoreTime([1, 4, 16], async (seconds) => {
      const scene = toyScene();
      const ended = wait(scene, ['--file', 'a new folder/it is done']);
      await sleep(seconds * 1_000);
      const place = scene.write('a new folder/it is done', '');
      const ran = await ended;
      if (ran.stdout.includes('already')) return false;
      expect(ran).toEqual(said(0, new RegExp(`^After \\d+ s: ${place} is there now\\.\n$`)));
      return true;
    });
  });

  test('may be there already', async () => {
    const scene = toyScene();
    const place = scene.write('done', '0\n');
    expect(await wait(scene, ['--file', place])).toEqual(said(0, `^${place} is there already\\.\n$`));
  });

  test('that does not come: exit code 75, the command to call again, and a folder that is missing', async () => {
    const scene = toyScene();
    const first = await wait(scene, ['--for', '1', '--file', "it's done"]);
    expect(first.exitCode).toBe(75);
    expect(first.stdout).toMatch(/^After \d+ s: [^\n]*it's done is not there yet\. Call again: [^\n]+\n$/);
    const again = first.stdout.trim().split('Call again: ')[1] ?? '';
    scene.write("it's done", '');
    expect((await run('/bin/sh', ['-c', again], '/', { env: scene.env })).stdout).toContain('there already');
    expect((await wait(scene, ['--for', '1', '--file', 'no/where'])).stdout).toContain(
      'no/where is not there yet, and neither is its folder',
    );
  });
});

describe.concurrent('without either', () => {
  test('it only waits', async () => {
    expect(await wait(toyScene(), ['--for', '1'])).toEqual(said(0, /^Waited \d+ s\.\n$/));
  });

  test('in a person’s terminal it says what it is for', async () => {
    const scene = toyScene();
    const ran = await typeCli(scene.root, ['wait'], { env: scene.env, plugin: toyPlugin });
    expect(ran).toMatchObject({ exitCode: 2, stdout: expect.stringContaining('This is for agents') });
  });

  test.each([['0'], ['101'], ['a'], ['-5'], ['1.5']])('not for %s seconds', async (seconds) => {
    expect(await wait(toyScene(), ['--for', seconds])).toMatchObject({
      exitCode: 2,
      stderr: 'holdfast: wait: --for takes a whole number of seconds from 1 to 100.\n',
    });
  });

  test('and both are one too many', async () => {
    expect(await wait(toyScene(), ['--pid', '7', '--file', 'x'])).toMatchObject({ exitCode: 2, stdout: '' });
  });
});

describe.concurrent('for the session’s runs', () => {
  test('a call is counted with its time, in each of them', async () => {
    const scene = await working();
    await scene.start('b', { toy: 'toy2' });
    await scene.start('theirs', { session: 'other' });
    scene.setSidecar('a', { waits: { ...NO_WAITS, questions: 2, calls: 4, called: 60_000, callsAtHold: 3 } });
    const before = scene.sidecar('theirs');
    expect(await wait(scene, ['--for', '1'])).toEqual(said(0, /^Waited \d+ s\.\n$/));
    const { called, ...rest } = waitsOf(scene);
    expect(rest).toEqual({ waited: 0, questions: 2, calls: 5, callsAtHold: 3 });
    expect(called).toBeGreaterThanOrEqual(61_000);
    expect(called).toBeLessThan(80_000);
    expect(scene.sidecar('b', 'toy2').waits).toMatchObject({ calls: 1 });
    expect(scene.sidecar('theirs')).toEqual(before);
  });

  test('one that was over at once is none', async () => {
    const scene = await working();
    await wait(scene, ['--pid', '999999999']);
    expect(waitsOf(scene)).toEqual(NO_WAITS);
  });

  test('what was waited until a signal counts', async () => {
    const endedBy = async (signal: 'SIGTERM' | 'SIGINT' | 'SIGHUP', code: number): Promise<void> => {
      const scene = await working();
      await withMoreTime([2, 6, 18], async (seconds) => {
        const { process: child, ended } = beginWait(scene);
        await sleep(seconds * 1_000);
        child.kill(signal);
        const { exitCode, stdout } = await ended;
        const [, waited] =
          new RegExp(`^Ended by ${signal} after (\\d+) s of waiting\\.\n$`).exec(stdout) ?? [];
        // Ended before it had begun: the machine is busy.
        if (stdout === '') return false;
        expect({ exitCode, waited }).toEqual({ exitCode: code, waited: expect.stringMatching(/^\d+$/) });
        return true;
      });
      expect(waitsOf(scene)).toMatchObject({ calls: 1 });
      expect(waitsOf(scene).called).toBeGreaterThan(0);
    };
    await Promise.all([endedBy('SIGTERM', 143), endedBy('SIGINT', 130), endedBy('SIGHUP', 129)]);
  });

  test('a run that another session took over meanwhile is left alone', async () => {
    const scene = await working();
    const ended = wait(scene, ['--for', '5']);
    await sleep(3_000);
    await scene.cli(['adopt', 'toy:a'], { env: { CLAUDE_CODE_SESSION_ID: 'other' } });
    expect(await ended).toEqual(said(0, /^Waited \d+ s\.\n$/));
    expect(waitsOf(scene)).toEqual(NO_WAITS);
  });

  test('past wait.work it says that it no longer counts', async () => {
    const scene = await working();
    scene.write('holdfast.config.json', '{"wait":{"work":120}}');
    const line = async () => (await wait(scene, ['--for', '1'])).stdout;
    // A call counts for a minute at least.
    for (const _ of ['first', 'second']) expect(await line()).toMatch(/^Waited \d+ s\.\n$/);
    expect(await line()).toMatch(
      /^Waited \d+ s\. toy:a has used up its time for this \(wait\.work: 2 min\), so from now on [^\n]+\n$/,
    );
    expect(waitsOf(scene).calls).toBe(3);
  });

  test('a lock that is busy: it waits, and says what it could not note', async () => {
    const scene = await working();
    const ended = withLock(path.join(scene.root, '.holdfast'), 5_000, () => wait(scene, ['--for', '1']));
    expect(await ended).toEqual(
      said(
        0,
        /^Waited \d+ s\. It could not be noted for toy:a: Another Holdfast process still holds [^\n]+\n$/,
      ),
    );
    expect(waitsOf(scene)).toEqual(NO_WAITS);
  });

  test('notes that cannot be written: it waits, and says why', async () => {
    const scene = await working();
    const lock = path.join(scene.root, '.holdfast/lock');
    fs.rmSync(lock, { force: true });
    fs.mkdirSync(lock);
    expect(await wait(scene, ['--for', '1'])).toEqual(
      said(0, /^Waited \d+ s\. It could not be noted for toy:a: [^\n]*\.holdfast\/lock[^\n]+\n$/),
    );
  });

  test('nothing is noted in a plain terminal, by another session, by a reviewer; nothing is made without a run', async () => {
    const scene = await working();
    const empty = toyScene();
    const before = filesIn(scene.root);
    const environments = [{}, { CLAUDE_CODE_SESSION_ID: 'other' }, { ...mine, HOLDFAST_DISABLE: '1' }];
    const all = await Promise.all([
      wait(empty, ['--for', '1']),
      ...environments.map((env) => wait(scene, ['--for', '1'], { env })),
    ]);
    for (const ran of all) expect(ran).toEqual(said(0, /^Waited \d+ s\.\n$/));
    expect(filesIn(scene.root)).toEqual(before);
    expect(fs.readdirSync(empty.root)).toEqual(['.git']);
  });
});

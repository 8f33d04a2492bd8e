// `holdfast run` as a command in a process of its own, with the scripted client.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { plugin, type Ran, run, runCli } from '../support/hook.ts';
import { type Action, type Stage, stageWith } from './stage.ts';

const WORK: Action = { do: 'work' };
const DONE: Action = { do: 'done' };

let stage: Stage;

afterEach(() => {
  expect(stage.linesOf('violations')).toEqual([]);
  stage.remove();
});

const holdfast = (args: readonly string[], env: Record<string, string> = {}): Promise<Ran> =>
  runCli(stage.project.root, args, { env: { ...stage.env, ...env } });

type Event = { event: string; [key: string]: unknown };

const eventsOf = ({ stdout }: Ran): Event[] =>
  stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));

const finished = (ran: Ran): Event | undefined => eventsOf(ran).findLast(({ event }) => event === 'finished');

describe('holdfast run', () => {
  it('drives a loop to its end, with a line per event and a table', async () => {
    stage = await stageWith([WORK, DONE]);
    const { exitCode, stdout, stderr } = await holdfast(['run', 'idle', 'loop', '--max', '4', 'Do it all']);
    expect(stderr).toBe('');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/hold {7}loop, iteration 1\/4 \(continue\)/);
    expect(stdout).toMatch(/outcome +completed\n +proven by +no checks were asked for\n +iterations +1\n/);
    expect(stage.starts()[0]?.args.join(' ')).toContain('--permission-mode acceptEdits');
    expect(stage.prompts()[0]?.prompt).toContain('Do it all');
    const log = await holdfast(['log']);
    expect(log.stdout).toContain('`holdfast run` is done (completed, exit code 0)');
  });

  it.each([
    ['at the start', ['idle', 'loop', 'Do it all']],
    ['going on with a run, and grants it nothing', ['--continue', '--tokens', '1M']],
  ])('refuses a client that nothing keeps to edit: %s', async (_, words) => {
    stage = await stageWith([]);
    fs.writeFileSync(path.join(path.dirname(stage.project.root), 'bin/droid'), '#!/bin/sh\n', {
      mode: 0o755,
    });
    await holdfast(['idle', 'loop', '--tokens', '1000', 'A loop of a terminal']);
    const before = [await holdfast(['status', '--json']), await holdfast(['log'])];
    const { exitCode, stderr } = await holdfast(['run', '--client', 'droid', ...words]);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/nothing keeps it to editing\. Say --access full/);
    const after = [await holdfast(['status', '--json']), await holdfast(['log'])];
    const still = ({ stdout }: Ran): string => stdout.replace(/\d+ (s|seconds?)\b|"\w*[aA]t": ?\d+/g, '');
    expect(after.map(still)).toEqual(before.map(still));
  });

  it('says each event as one JSON object, and ends with the whole summary', async () => {
    stage = await stageWith([WORK, { do: 'crash' }, DONE]);
    const ran = await holdfast(['run', '--json', 'idle', 'loop', 'Do it all']);
    expect(
      ran.stdout
        .trim()
        .split('\n')
        .every((line) => line.startsWith('{')),
    ).toBe(true);
    expect(eventsOf(ran).map(({ event }) => event)).toEqual(
      expect.arrayContaining(['began', 'client-began', 'turn', 'stop', 'client-ended', 'finished']),
    );
    expect(finished(ran)).toMatchObject({ code: 0, why: 'completed', iterations: 1, turns: 2, next: [] });
  });

  it('asks for full access only where it is said, and says what that means', async () => {
    stage = await stageWith([DONE]);
    const { stdout } = await holdfast(['run', '--access', 'full', 'idle', 'loop', 'Do it all']);
    expect(stdout).toContain('--access full: the agent may run any command');
    expect(stage.starts()[0]?.args).toContain('--dangerously-skip-permissions');
  });

  it('gives the client its words and its model', async () => {
    stage = await stageWith([DONE]);
    await holdfast(['run', '--model', 'opus', 'idle', 'loop', 'Do it', '--', '--add-dir', '/elsewhere']);
    expect(stage.starts()[0]?.args.join(' ')).toMatch(/--model opus --add-dir \/elsewhere$/);
    expect(stage.prompts()[0]?.prompt).not.toContain('--add-dir');
  });

  it('refuses questions where nobody is there', async () => {
    stage = await stageWith([{ do: 'ask', question: 'Which?' }, DONE]);
    expect(
      finished(await holdfast(['run', '--json', '--unattended', 'idle', 'loop', 'Do it'])),
    ).toMatchObject({
      code: 0,
    });
  });

  it('ends with 6 at a question, and goes on with the answer', async () => {
    stage = await stageWith([{ do: 'ask', question: 'Which one?' }, DONE]);
    const asked = await holdfast(['run', 'idle', 'loop', 'Do it']);
    expect(asked.exitCode).toBe(6);
    expect(asked.stdout).toContain('It asks: Which one?');
    const command = /To answer it and go on: (.*) '<your answer>'/.exec(asked.stdout)?.[1] ?? '';
    const answered = await run('/bin/sh', ['-c', `${command} 'The first.'`], stage.project.root, {
      env: stage.env,
      timeoutMs: 240_000,
    });
    expect(answered.exitCode).toBe(0);
    expect(stage.prompts()[1]?.prompt).toBe('The first.');
  });

  it('ends with 7 when its budget is spent, and goes on when more is granted', async () => {
    stage = await stageWith([WORK, WORK, WORK, WORK, DONE]);
    expect((await holdfast(['run', '--usd', '5', 'idle', 'loop', 'Do it'])).exitCode).toBe(0);
    stage.remove();
    // The client reports what it costs at the end of a turn.
    stage = await stageWith([{ do: 'unheld' }, WORK, WORK, WORK, DONE]);
    const paused = await holdfast(['run', '--json', '--usd', '0.01', 'idle', 'loop', 'Do it']);
    expect(finished(paused)).toMatchObject({ code: 7, why: 'paused' });
    expect(paused.exitCode).toBe(7);
    const still = await holdfast(['run', '--continue']);
    expect(still.exitCode).toBe(7);
    const granted = await holdfast(['run', '--json', '--continue', '--usd', '5']);
    expect(finished(granted)).toMatchObject({ code: 0 });
  });

  it('ends gently at a signal, and goes on with the command that it prints', async () => {
    stage = await stageWith([WORK, { do: 'hang' }, WORK, DONE]);
    const { code, stdout } = await interrupted(['run', 'idle', 'loop', 'Do it']);
    expect(code).toBe(5);
    const command = /To go on: (.*)$/m.exec(stdout)?.[1] ?? '';
    expect(command).toContain('run --continue');
    const again = await run('/bin/sh', ['-c', command], stage.project.root, {
      env: stage.env,
      timeoutMs: 240_000,
    });
    expect(again.exitCode).toBe(0);
    expect(stage.starts().map(({ resumed }) => resumed)).toEqual([false, true]);
    expect(await holdfast(['run', '--continue'])).toMatchObject({ exitCode: 1 });
  });

  it('goes on with the only one that is not over, and knows one without a run by its id', async () => {
    const crash: Action = { do: 'crash' };
    stage = await stageWith([DONE, crash, crash, crash, crash, crash, crash]);
    expect(finished(await holdfast(['run', '--json', 'idle', 'loop', 'Do it']))).toMatchObject({
      why: 'completed',
    });
    const crashed = await holdfast(['run', 'taskie', 'Build it']);
    const command = /To try it again: (.*)$/m.exec(crashed.stdout)?.[1] ?? '';
    expect(command).toMatch(/run --continue [\da-f-]{36}$/);
    const again = finished(await holdfast(['run', '--continue', '--json']));
    expect(again).toMatchObject({ code: 5, why: 'crashes', asked: 'taskie Build it' });
    const named = await run('/bin/sh', ['-c', command], stage.project.root, {
      ...{ env: stage.env },
    });
    expect(named.stdout).toMatch(/asked +taskie Build it/);
    expect(stage.starts()).toHaveLength(8);
  });

  it('grants more to a run in a work tree', async () => {
    stage = await stageWith([{ do: 'unheld' }, WORK, WORK, WORK, DONE]);
    const commit = [
      '-c',
      'user.name=A',
      '-c',
      'user.email=a@example.com',
      'commit',
      '--allow-empty',
      '-qm',
      'x',
    ];
    await run('git', commit, stage.project.root, { env: stage.env });
    const paused = await holdfast(['run', '--worktree', '--usd', '0.01', 'idle', 'loop', 'Do it']);
    expect(paused.exitCode).toBe(7);
    const granted = await holdfast(['run', '--json', '--continue', '--usd', '5']);
    expect(finished(granted)).toMatchObject({ code: 0 });
  });

  it('works in a work tree of its own, and says how to merge it', async () => {
    stage = await stageWith([{ do: 'run', line: 'echo x >made && git add . && git commit -qm Made' }, DONE]);
    const git = (...args: string[]) => run('git', args, stage.project.root, { env: stage.env });
    for (const [key, value] of [
      ['user.name', 'A'],
      ['user.email', 'a@example.com'],
    ])
      await git('config', '--global', key ?? '', value ?? '');
    await git('commit', '--allow-empty', '-qm', 'Begin');
    const ran = await holdfast(['run', '--worktree', 'idle', 'loop', 'Do it']);
    expect(ran.exitCode).toBe(0);
    expect(stage.project.exists('made')).toBe(false);
    expect(ran.stdout).toMatch(/commits +1/);
    const command = /To take it over: (.*)$/m.exec(ran.stdout)?.[1] ?? '';
    await run('/bin/sh', ['-c', command], stage.project.root, { env: stage.env });
    expect(stage.project.exists('made')).toBe(true);
  });

  it('is refused inside an agent’s session, and says what is wrong with a command line', async () => {
    stage = await stageWith([]);
    const inside = await holdfast(['run', 'idle', 'loop', 'x'], { CLAUDE_CODE_SESSION_ID: 's1' });
    expect(inside).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('only a person starts') });
    const wrong: readonly (readonly [string[], RegExp])[] = [
      [['run'], /which workflow/],
      [['run', 'nothing'], /there is no workflow "nothing"/],
      [['run', 'idle', 'status'], /starts no run. These do: idle loop/],
      [['run', 'taskie'], /what is to be built/],
      [['run', '--access', 'all', 'idle', 'loop', 'x'], /--access is "edit" or "full"/],
      [['run', '--client', 'vi', 'idle', 'loop', 'x'], /--client is claude or codex/],
      [['run', '--fresh', 'claudex', 'plan', 'x'], /--fresh does not go with claudex/],
      [['run', '--stop-at', 'lunch', 'taskie', 'x'], /--stop-at is one of/],
      [['run', '--stop-at', 'plan', 'claudex', 'plan', 'x'], /has no stages/],
      [
        ['run', '--stop-at', 'task', 'idle', 'loop', 'x'],
        /^holdfast: run: --stop-at is for taskie; idle has no stages\.\n$/,
      ],
      [['run', '--persist', '-1', 'idle', 'loop', 'x'], /--persist is a whole number/],
      [['run', '--tokens', 'many', 'idle', 'loop', 'x'], /--tokens takes/],
      [['run', '--answer', 'x', 'idle', 'loop', 'x'], /--answer goes with --continue/],
      [['run', '--continue', '--worktree', '--json'], /--worktree is said at the start/],
    ];
    for (const [args, text] of wrong) {
      const ran = await holdfast(args);
      expect({ args, code: ran.exitCode, said: text.test(ran.stderr) || ran.stderr }).toEqual({
        args,
        code: 2,
        said: true,
      });
    }
    expect(await holdfast(['run', '--continue'])).toMatchObject({ exitCode: 1 });
    expect(stage.starts()).toEqual([]);
  });
});

/** Asked to end once its client hangs. */
function interrupted(args: readonly string[]): Promise<{ code: number | null; stdout: string }> {
  const child = spawn(path.join(plugin, 'bin', 'holdfast'), args, {
    cwd: stage.project.root,
    env: stage.env,
  });
  let stdout = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  const timer = setInterval(() => stage.isHung() && child.kill('SIGINT') && clearInterval(timer), 50);
  const limit = setTimeout(() => child.kill('SIGKILL'), 50_000);
  return new Promise((resolve) =>
    child.on('close', (code) => {
      clearInterval(timer);
      clearTimeout(limit);
      resolve({ code, stdout });
    }),
  );
}

// `holdfast status --line`, as Claude Code, tmux and a prompt call it.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { plugin } from '../support/hook.ts';
import { SESSION, viewScene } from './scene.ts';

const LINE = ['status', '--line'];
const sent = (cwd: string, session = SESSION): string =>
  JSON.stringify({ session_id: session, cwd, workspace: { project_dir: cwd, current_dir: cwd }, model: {} });

describe('the status line', () => {
  it('says where the session’s run stands, its budget, and that it asks', async () => {
    const scene = viewScene();
    await scene.done(['idle', 'loop', '--max', '10', '--hours', '4', 'a task']);
    await scene.stop();
    const line = await scene.cli(LINE, { stdin: sent(scene.root) });
    expect(line).toMatchObject({ exitCode: 0, stderr: '' });
    expect(line.stdout).toMatch(/^idle 1\/10 · .* of 4 h\n$/);
    await scene.done(['ask', 'Which?']);
    expect((await scene.cli(LINE, { stdin: sent(scene.root) })).stdout).toContain('asks you');
  });

  it('is empty for another session, where nothing runs, and where there is no project', async () => {
    const scene = viewScene();
    expect(await scene.cli(LINE, { stdin: '' })).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    await scene.done(['idle', 'loop', 'a task']);
    expect((await scene.cli(LINE, { stdin: sent(scene.root, 'another') })).stdout).toBe('');
    await scene.done(['idle', 'cancel']);
    expect((await scene.cli(LINE, { stdin: sent(scene.root) })).stdout).toBe('');
  });

  it('is the session’s, too, where a busy machine is late to look at what was sent', async () => {
    const scene = viewScene();
    await scene.done(['idle', 'loop', 'a task']);
    const late = path.join(path.dirname(scene.root), 'late.cjs');
    fs.writeFileSync(
      late,
      `const real = setTimeout;
      globalThis.setTimeout = (...words) => {
        const timer = real(...words);
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
        return timer;
      };`,
    );
    const options = { stdin: sent(scene.root, 'another'), env: { NODE_OPTIONS: `--require "${late}"` } };
    expect(await scene.cli(LINE, options)).toEqual({ exitCode: 0, stdout: '', stderr: '' });
  });

  it('is about the folder where nothing, or nothing it understands, is sent', async () => {
    const scene = viewScene();
    await scene.done(['idle', 'loop', '--max', '5', 'a task']);
    for (const stdin of ['', 'no json', '[1]', '{"session_id":7,"workspace":"x"}', '{"torn'])
      expect(await scene.cli(LINE, { stdin }), stdin).toMatchObject({ exitCode: 0, stdout: 'idle 0/5\n' });
  });

  it('says what a check said last', async () => {
    const scene = viewScene();
    scene.userConfig({ checks: { test: { run: ['false'] } } });
    await scene.done(['idle', 'loop', '--max', '10', '--check', 'test', 'a task']);
    await scene.stop();
    await scene.stop('<loop-done>COMPLETE</loop-done>');
    expect((await scene.cli(LINE, { stdin: sent(scene.root) })).stdout).toMatch(
      /^idle \d\/10 · test ✗ \d+ s ago/,
    );
  });

  it('does not wait for an input that never comes, as in tmux', async () => {
    const scene = viewScene();
    await scene.done(['idle', 'loop', '--max', '5', 'a task']);
    const child = spawn(path.join(plugin, 'bin/holdfast'), LINE, { cwd: scene.root, env: scene.env });
    let said = '';
    child.stdout.on('data', (chunk) => {
      said += chunk;
    });
    const code = await new Promise((resolve) => child.on('close', resolve));
    child.stdin.destroy();
    expect({ code, said }).toEqual({ code: 0, said: 'idle 0/5\n' });
  });

  it('stands alone', async () => {
    const scene = viewScene();
    const { exitCode, stderr } = await scene.cli(['status', '--line', '--json']);
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('stands alone'),
    });
  });
});

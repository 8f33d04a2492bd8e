// The byte code that a stop leaves for the next one: quicker when it is there, never needed, never trusted blindly.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fireHook, inRealProcesses, runCli } from '../support/hook.ts';
import { type TempProject, tempProject } from '../support/project.ts';

inRealProcesses();

let temp: TempProject;
let folder: string;
beforeEach(async () => {
  temp = tempProject('project', { emptyHome: true });
  folder = path.join(temp.home, '.local', 'state', 'holdfast', 'code');
  await runCli(temp.root, ['idle', 'loop', 'a task'], { env: { CLAUDE_CODE_SESSION_ID: 's' } });
});
afterEach(() => temp.remove());

const stop = () =>
  fireHook(temp.root, { session_id: 's', cwd: temp.root, last_assistant_message: 'not yet' });
const files = (): string[] => fs.readdirSync(folder).sort();
const times = (): number[] => files().map((name) => fs.statSync(path.join(folder, name)).mtimeMs);

describe('the byte code of a stop', () => {
  it('is kept for the next one, readable by its owner alone, and not written again', async () => {
    await stop();
    const [first, written] = [files(), times()];

    const second = await stop();

    expect(first.map((name) => name.split('-')[0])).toEqual(['hook.cjs', 'workflows']);
    expect(first.map((name) => fs.statSync(path.join(folder, name)).mode & 0o777)).toEqual([0o600, 0o600]);
    expect(second.answer?.decision).toBe('block');
    expect(times()).toEqual(written);
  });

  it('is another for the stops of another workflow', async () => {
    await stop();
    const first = files();
    fs.mkdirSync(path.join(temp.root, '.taskie', 'plans'), { recursive: true });

    const next = await stop();

    const added = files().filter((name) => !first.includes(name));
    expect(next.answer?.decision).toBe('block');
    expect(first.every((name) => name.endsWith('-idle-held'))).toBe(true);
    expect(added.map((name) => name.split('-')[0])).toEqual(['hook.cjs', 'workflows']);
    expect(added.every((name) => name.endsWith('-taskie-held'))).toBe(true);
  });

  it('of an allowed one is kept until one is held, which runs more', async () => {
    const another = { session_id: 'other', cwd: temp.root, last_assistant_message: 'not mine' };
    await fireHook(temp.root, another);
    const allowed = files();
    await stop();
    const [held, written] = [files(), times()];
    await fireHook(temp.root, another);

    expect(allowed.length).toBeGreaterThan(0);
    expect(allowed.every((name) => name.endsWith('-idle'))).toBe(true);
    expect(held.filter((name) => name.endsWith('-held')).map((name) => name.split('-')[0])).toEqual([
      'hook.cjs',
      'workflows',
    ]);
    expect(files()).toEqual(held);
    expect(times()).toEqual(written);
  });

  it.each(['', 'garbage', 'half'])('that is broken (%j) is made again and costs no answer', async (how) => {
    await stop();
    for (const name of files()) {
      const file = path.join(folder, name);
      const whole = fs.readFileSync(file);
      fs.writeFileSync(file, how === 'half' ? whole.subarray(0, whole.length / 2) : how);
    }

    const next = await stop();

    expect(next).toMatchObject({ exitCode: 0, stderr: '', answer: { decision: 'block' } });
    expect(fs.statSync(path.join(folder, files()[0] ?? '')).size).toBeGreaterThan(10_000);
  });

  it('that others may write is not run', async () => {
    await stop();
    for (const name of files()) fs.chmodSync(path.join(folder, name), 0o666);

    const next = await stop();

    expect(next.answer?.decision).toBe('block');
    expect(files().map((name) => fs.statSync(path.join(folder, name)).mode & 0o777)).toEqual([0o600, 0o600]);
  });

  it('of an older bundle is removed in time', async () => {
    await stop();
    const old = path.join(folder, 'hook.cjs-1-1-1-v20.0.0-x64');
    fs.writeFileSync(old, 'old');
    fs.utimesSync(old, 0, 0);
    fs.rmSync(
      path.join(
        folder,
        files().find((name) => name.startsWith('hook.cjs-') && !name.includes('-1-1-1-')) ?? '',
      ),
    );

    await stop();

    expect(files().filter((name) => name.startsWith('hook.cjs-'))).toHaveLength(1);
    expect(files()).not.toContain('hook.cjs-1-1-1-v20.0.0-x64');
  });

  it('is kept by commands too, but only where a stop has made the folder', async () => {
    expect(fs.existsSync(folder)).toBe(false);
    await stop();
    await runCli(temp.root, ['status']);

    expect(files().map((name) => name.split('-')[0])).toContain('cli.cjs');
    const written = times();
    expect((await runCli(temp.root, ['status'])).stdout).toContain('idle:');
    expect(times()).toEqual(written);
  });

  it('is done without where it cannot be written', async () => {
    fs.mkdirSync(path.dirname(folder), { recursive: true });
    fs.writeFileSync(folder, 'a file in the place of the folder');

    expect(await stop()).toMatchObject({ exitCode: 0, stderr: '', answer: { decision: 'block' } });
  });
});

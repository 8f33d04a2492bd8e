// Beside the jwz tool itself, which holds a lock of its own while it posts: nothing of either is lost or torn.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Bench, SESSION } from '../crash/bench.ts';
import { fireHook } from '../support/hook.ts';

const LOG = '.jwz/messages.jsonl';
const WRITER = path.resolve(import.meta.dirname, 'jwz-writer.cjs');

let bench: Bench;
beforeEach(async () => {
  bench = new Bench();
  await start('--max', '1000', 'The outer task.');
  bench.project.write('.jwz/lock', '');
});
afterEach(() => bench.remove());

type Entry = { type: string; id: string; name?: string; topic_id?: string; body?: string };
type State = { event: string; posted?: number; stack: { iter: number }[] };

const start = async (...args: string[]): Promise<void> => {
  const ran = await bench.holdfast(['idle', 'loop', ...args]);
  expect(ran).toMatchObject({ exitCode: 0, stderr: '' });
};
const compact = () =>
  fireHook(
    bench.root,
    { session_id: SESSION, hook_event_name: 'PreCompact', cwd: bench.root, trigger: 'auto', prompt_id: 'p1' },
    { args: ['pre-compact'] },
  );

/** A line that is no JSON, torn or run into another, fails the test. */
function statesOf(topic: string): State[] {
  const lines = bench.project.read(LOG).trimEnd().split('\n');
  const entries: Entry[] = lines.map((line) => JSON.parse(line));
  const { id } = entries.find(({ name }) => name === topic) ?? { id: '' };
  return entries.filter(({ topic_id }) => topic_id === id).map(({ body }) => JSON.parse(body ?? ''));
}

/** `begun` comes when half of its line is written, `ended` when all of it is and the lock is free again. */
function postWithJwz(pauseMs: number): { begun: Promise<void>; ended: Promise<number | null> } {
  const args = ['-x', '.jwz/lock', process.execPath, WRITER, String(pauseMs)];
  const child = spawn('flock', args, { cwd: bench.root, stdio: ['ignore', 'pipe', 'inherit'] });
  const timer = setTimeout(() => child.kill('SIGKILL'), 60_000);
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve(code);
    });
  });
  return { begun: new Promise((resolve) => child.stdout.once('data', () => resolve())), ended };
}

describe('while jwz is in the middle of a line', () => {
  it.each([
    ['a stop', () => bench.stop({ last_assistant_message: 'Hm.' })],
    ['a stop with a signal', () => bench.stop({ last_assistant_message: '<loop-done>STUCK</loop-done>' })],
    ['idle loop', () => bench.holdfast(['idle', 'loop', 'An inner task.'])],
    ['idle issue', () => bench.holdfast(['idle', 'issue', '17'])],
    ['idle grind', () => bench.holdfast(['idle', 'grind', 'bugs'])],
    ['idle cancel', () => bench.holdfast(['idle', 'cancel'])],
    ['idle cancel --top', () => bench.holdfast(['idle', 'cancel', '--top'])],
    ['cancel', () => bench.holdfast(['cancel'])],
    ['the anchor before a compaction', compact],
  ])('%s waits for it, and builds on what was posted', async (_, act) => {
    if (_ === 'idle cancel --top') await start('An inner task.');
    const before = statesOf('loop:current').length;
    const { begun, ended } = postWithJwz(1500);
    await begun;
    expect(await act()).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await ended).toBe(0);
    const after = statesOf('loop:current');
    const ours = _.startsWith('the anchor') ? 0 : 1;
    expect(after).toHaveLength(before + 1 + ours);
    expect(after.at(-1)).toMatchObject({ posted: 1 });
    expect(bench.project.exists(LOG) && statesOf('loop:anchor')).toHaveLength(1 - ours);
  });

  it('idle resume waits for it too', async () => {
    const { stack } = statesOf('loop:current').at(-1) ?? { stack: [] };
    const log = bench.project
      .read(LOG)
      .replaceAll(/\\"updated_at\\":\\"[^"]*"/g, '\\"updated_at\\":\\"2020-01-01T00:00:00Z\\"');
    bench.project.write(LOG, log);
    const { begun, ended } = postWithJwz(1500);
    await begun;
    expect(await bench.holdfast(['idle', 'resume'])).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await ended).toBe(0);
    expect(statesOf('loop:current').at(-1)).toMatchObject({ event: 'STATE', posted: 1, stack });
  });
});

it('stops, compactions and posts at once: each is there, whole, and built on the one before', async () => {
  const posts = async (): Promise<void> => {
    for (let post = 0; post < 6; post++) expect(await postWithJwz(15).ended).toBe(0);
  };
  const stops = async (): Promise<(string | undefined)[]> => {
    const reasons: (string | undefined)[] = [];
    for (let stop = 0; stop < 5; stop++)
      reasons.push((await bench.stop({ last_assistant_message: 'Hm.' })).answer?.reason);
    return reasons;
  };
  const compactions = async (): Promise<void> => {
    for (let compaction = 0; compaction < 3; compaction++) await compact();
  };
  const [first, second] = await Promise.all([stops(), stops(), compactions(), posts()]);
  const told = [...first, ...second].flatMap(
    (reason) => /^\[ITERATION (\d+)\//.exec(reason ?? '')?.[1] ?? [],
  );
  const last = statesOf('loop:current').at(-1);
  expect(told.length).toBeGreaterThan(0);
  expect(new Set(told).size).toBe(told.length);
  expect(last).toMatchObject({ posted: 6, stack: [{ iter: told.length }] });
  expect(statesOf('loop:current')).toHaveLength(1 + 6 + told.length);
  // One that could not have the lock in time is in the journal, and wrote nothing.
  const late = bench.journal().filter(({ error }) => /still holds/.test(String(error)));
  expect(statesOf('loop:anchor').length).toBeGreaterThanOrEqual(3 - late.length);
});

it('a lock that is never given back lets the stop go with a notice, and commands say whose it is', async () => {
  const holder = spawn('flock', ['-x', '.jwz/lock', 'cat'], {
    cwd: bench.root,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    holder.stdin.write('held\n');
    await new Promise((resolve) => holder.stdout.once('data', resolve));
    const fired = await bench.stop({ last_assistant_message: 'Hm.' });
    expect(fired).toMatchObject({ exitCode: 0, stderr: '' });
    expect(fired.answer?.decision).toBeUndefined();
    expect(fired.answer?.systemMessage).toContain('held the lock');
    const refused = await bench.holdfast(['idle', 'cancel']);
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
    expect(refused.stderr).toContain('jwz still holds');
    expect(statesOf('loop:current')).toHaveLength(1);
  } finally {
    holder.stdin.end();
  }
});

it('where there is no flock, Holdfast goes on under its own lock and says so at the start', async () => {
  const folder = path.dirname(bench.project.write('bin/empty', ''));
  fs.symlinkSync(process.execPath, path.join(folder, 'node'));
  const env = { PATH: folder };
  const started = await bench.holdfast(['idle', 'loop', 'An inner task.'], { env });
  expect(started).toMatchObject({ exitCode: 0, stderr: '' });
  expect(started.stdout).toContain('flock is not on PATH');
  expect(statesOf('loop:current')).toHaveLength(2);
});

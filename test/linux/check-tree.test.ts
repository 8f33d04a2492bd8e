// What only Linux can show of a check's end: a child that left the process group, its parent or our mark is found and
// ended all the same. By `holdfast check` as built, since the watcher beside a check loads the built file.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually, isRunning } from '../proof/checks.ts';
import { makeRepository, type Repository } from '../proof/repository.ts';
import { cleanEnvironment } from '../support/hook.ts';

const holdfast = path.resolve(import.meta.dirname, '../../dist/holdfast/bin/holdfast');
let repository: Repository;

beforeEach(() => {
  repository = makeRepository();
});
afterEach(() => repository.end());

/** Each notes its id and would live for a minute. */
const CHILDREN = [
  'sleep 60 & echo $! >> pids',
  "setsid sh -c 'echo $$ >> pids; exec sleep 60' &",
  "(setsid nohup sh -c 'echo $$ >> pids; exec sleep 60' >/dev/null 2>&1 &)",
  "env -i setsid sh -c 'echo $$ >> pids; exec sleep 60' &",
  '(env -i PATH="$PATH" setsid sh -c \'echo $$ >> pids; exec sleep 60\' &)',
];

function begin(run: string) {
  repository.write(
    '../home/.config/holdfast/holdfast.config.json',
    JSON.stringify({ checks: { test: { run } } }),
  );
  const child = spawn(holdfast, ['check', 'test'], {
    cwd: repository.root,
    env: cleanEnvironment(repository.root),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  const ended = new Promise<{ code: number | null; said: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, said })),
  );
  return { child, ended };
}

async function noted(): Promise<number[]> {
  const file = path.join(repository.root, 'pids');
  const lines = () => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n').slice(0, -1) : []);
  await eventually(() => lines().length >= CHILDREN.length);
  return lines().map(Number);
}

/** The last one is known by its output alone. */
const WAITING = `${CHILDREN.join('\n')}\nwhile :; do sleep 1; done`;

describe('what a check started', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('is ended with it on %s, and nothing counts', async (signal) => {
    const { child, ended } = begin(WAITING);
    const pids = await noted();
    expect(pids.filter(isRunning)).toEqual(pids);
    child.kill(signal);
    const { code, said } = await ended;
    expect(code).toBe(130);
    expect(said).toContain('interrupted');
    await eventually(() => pids.filter(isRunning).length === 0);
    expect(fs.existsSync(path.join(repository.home, '.local/state/holdfast/receipts'))).toBe(false);
    expect(fs.readdirSync(path.join(repository.root, '.holdfast/attempts'))).toEqual([]);
  });

  it('is ended when whoever ran it is killed, with its group', async () => {
    const { child, ended } = begin(WAITING);
    const pids = await noted();
    process.kill(-(child.pid ?? 0), 'SIGKILL');
    await ended;
    await eventually(() => pids.filter(isRunning).length === 0);
  });

  it('is ended when the check kills whoever ran it', async () => {
    const { ended } = begin(`${CHILDREN.join('\n')}\nsleep 1; kill -9 $PPID; sleep 60`);
    const pids = await noted();
    expect((await ended).code).not.toBe(0);
    await eventually(() => pids.filter(isRunning).length === 0);
  });

  it('is ended when the check has ended by itself, and what it said counts', async () => {
    const { ended } = begin(`${CHILDREN.join('\n')}\nsleep 1`);
    const pids = await noted();
    const { code, said } = await ended;
    expect(said).toContain('passed');
    expect(code).toBe(0);
    expect(pids.filter(isRunning)).toEqual([]);
  });
});

// The lock with many processes at once: nothing that was counted under it is lost, whoever is killed while holding it.

import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildLockFixtures, type LockFixtures } from '../fixtures/lock/build.ts';
import { ended, environment, type Kind, kill } from '../fixtures/lock/processes.ts';

let fixtures: LockFixtures;
let home: string;
let started: ChildProcess[];

beforeAll(async () => {
  fixtures = await buildLockFixtures();
});

afterAll(() => fs.rmSync(fixtures.folder, { recursive: true }));

beforeEach(() => {
  home = fs.mkdtempSync(join(tmpdir(), 'holdfast-lock-'));
  started = [];
  fs.writeFileSync(join(home, 'counter'), '0');
  fs.writeFileSync(join(home, 'log'), '');
});

afterEach(async () => {
  await Promise.all(started.map(kill));
  fs.rmSync(home, { recursive: true });
});

describe.each<Kind>(['kernel', 'lease'])('the %s lock', (kind) => {
  test('64 processes count to 3,200 without losing one', { timeout: 240_000 }, async () => {
    const counters = Array.from({ length: 64 }, () => count(kind, '50'));
    const codes = await Promise.all(counters.map(ended));

    expect(codes).toEqual(Array(64).fill(0));
    expect(fs.readFileSync(join(home, 'counter'), 'utf8')).toBe('3200');
    const replayed = replayLog(new Set());
    expect(replayed.commits.size).toBe(64);
    expect([...replayed.commits.values()]).toEqual(Array(64).fill(50));
  });

  test('no count is lost when holders are killed at any point', { timeout: 240_000 }, async () => {
    const stages = ['begin', 'replace', 'commit'];
    const spared = Array.from({ length: 16 }, () => count(kind, '30'));
    const doomed = Array.from({ length: 18 }, (_, i) =>
      count(kind, '30', `${1 + Math.floor(Math.random() * 30)}`, stages[i % 3] ?? ''),
    );
    const hunted = Array.from({ length: 6 }, () => count(kind, '100000'));

    const hunt = hunted.map(async (child) => {
      await sleep(500 + Math.random() * 1_500);
      await kill(child);
    });
    const codes = await Promise.all(spared.map(ended));
    await Promise.all([...hunt, ...doomed.map(ended)]);

    expect(codes).toEqual(Array(16).fill(0));
    expect(doomed.map((child) => child.signalCode)).toEqual(Array(18).fill('SIGKILL'));
    const { commits, cutShort } = replayLog(new Set([...doomed, ...hunted].map((child) => child.pid)));
    expect(spared.map((child) => commits.get(child.pid ?? 0))).toEqual(Array(16).fill(30));
    // The six that died after `begin` and the six after `replace` at least: otherwise nothing was tried here.
    expect(cutShort).toBeGreaterThanOrEqual(12);
  });
});

test('processes of both kinds count together without losing one', async () => {
  const counters = Array.from({ length: 24 }, (_, i) => count(i % 2 === 0 ? 'kernel' : 'lease', '30'));
  const codes = await Promise.all(counters.map(ended));

  expect(codes).toEqual(Array(24).fill(0));
  expect(fs.readFileSync(join(home, 'counter'), 'utf8')).toBe('720');
  expect([...replayLog(new Set()).commits.values()]).toEqual(Array(24).fill(30));
});

function count(kind: Kind, ...parameters: string[]): ChildProcess {
  const child = spawn(process.execPath, [fixtures.counter, home, ...parameters], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: environment(kind),
  });
  started.push(child);
  return child;
}

/**
 * Checks the log line by line. Each `begin` must be followed at once by its own `commit`: anything in between is a
 * second holder. Only a process we killed may leave a `begin` without one, once, and then the next value tells
 * whether its count was written or not. Each value must follow from the last; the file must hold the last one.
 */
function replayLog(killed: Set<number | undefined>): { commits: Map<number, number>; cutShort: number } {
  const commits = new Map<number, number>();
  const cut = new Set<number>();
  let possible = [0];
  let open: { pid: number; value: number } | null = null;

  const cutOpen = () => {
    if (open === null) return;
    expect(killed, `process ${open.pid} was alive, yet another held the lock`).toContain(open.pid);
    expect(cut, `process ${open.pid} died twice`).not.toContain(open.pid);
    cut.add(open.pid);
    possible = [open.value - 1, open.value];
    open = null;
  };

  for (const line of fs.readFileSync(join(home, 'log'), 'utf8').trimEnd().split('\n')) {
    const [step, pid, value] = line.split(' ').map((word, i) => (i === 0 ? word : Number(word))) as [
      string,
      number,
      number,
    ];
    if (step === 'begin') {
      cutOpen();
      expect(cut, `process ${pid} was dead`).not.toContain(pid);
      expect(
        possible.map((last) => last + 1),
        `a count was lost at: ${line}`,
      ).toContain(value);
      open = { pid, value };
      continue;
    }
    expect(open, `somebody else held the lock at: ${line}`).toEqual({ pid, value });
    commits.set(pid, (commits.get(pid) ?? 0) + 1);
    possible = [value];
    open = null;
  }
  cutOpen();
  expect(possible).toContain(Number(fs.readFileSync(join(home, 'counter'), 'utf8')));
  return { commits, cutShort: cut.size };
}

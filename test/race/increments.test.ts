// Many real processes change one file through the store: no change is lost, whoever dies in between.

import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildLockFixtures, type LockFixtures } from '../fixtures/lock/build.ts';
import { kill } from '../fixtures/lock/processes.ts';
import { type TempProject, tempProject } from '../support/project.ts';

let programs: LockFixtures;
let project: TempProject;
let started: ChildProcess[];

beforeAll(async () => {
  programs = await buildLockFixtures();
});

afterAll(() => fs.rmSync(programs.folder, { recursive: true }));

beforeEach(() => {
  project = tempProject();
  project.write('counts.json', '{"total":0,"by":{}}');
  started = [];
});

afterEach(async () => {
  await Promise.all(started.map(kill));
  project.remove();
});

type Incrementer = {
  child: ChildProcess;
  /** How many increments it has said are done. */
  said(): number;
  ended: Promise<number | null>;
};

function start(times: number): Incrementer {
  const child = spawn(process.execPath, [programs.incrementer, project.root, String(times)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.push(child);
  let output = '';
  child.stdout?.on('data', (chunk) => {
    output += chunk;
  });
  // What it said is all here only when its output is closed too.
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, said: () => output.length, ended: closed };
}

const counts = (): { total: number; by: Record<string, number> } => JSON.parse(project.read('counts.json'));

const doneBy = ({ child }: Incrementer): number => counts().by[child.pid ?? 0] ?? 0;

describe('a file that many processes change', () => {
  test('has all 3,200 increments of 64 processes, and no other file is left beside it', {
    timeout: 600_000,
  }, async () => {
    const processes = Array.from({ length: 64 }, () => start(50));

    const codes = await Promise.all(processes.map((each) => each.ended));

    expect(codes).toEqual(Array(64).fill(0));
    expect(counts().total).toBe(3_200);
    expect(processes.map(doneBy)).toEqual(Array(64).fill(50));
    expect(fs.readdirSync(project.root).sort()).toEqual(['.git', '.holdfast', 'counts.json']);
  });

  test('has every increment that a killed process had said was done, and at most the one it was at', {
    timeout: 600_000,
  }, async () => {
    const spared = Array.from({ length: 8 }, () => start(40));
    const doomed = Array.from({ length: 16 }, () => start(1_000_000));

    await Promise.all(
      doomed.map(async (each) => {
        while (each.said() === 0) await sleep(5);
        await sleep(Math.random() * 1_000);
        each.child.kill('SIGKILL');
        await each.ended;
      }),
    );
    const codes = await Promise.all(spared.map((each) => each.ended));

    expect(codes).toEqual(Array(8).fill(0));
    expect(spared.map(doneBy)).toEqual(Array(8).fill(40));
    for (const each of doomed) {
      expect(each.child.signalCode).toBe('SIGKILL');
      expect([each.said(), each.said() + 1]).toContain(doneBy(each));
    }
    const { total, by } = counts();
    expect(Object.values(by).reduce((sum, count) => sum + count)).toBe(total);
  });
});

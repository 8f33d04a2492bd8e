// The family of a reviewer, with real processes, on both ways to find it: by /proc where there is one, and by `ps`.

import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { familyOf } from './end.ts';
import { type Process, type ProcessTable, procTable, psTable } from './table.ts';

const ATTEMPT = 'attempt-of-this-test';
const proc = procTable();
const tables: [name: string, table: ProcessTable][] = [
  ['ps', psTable],
  ...(proc === null ? [] : [['/proc', proc] as [string, ProcessTable]]),
];

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-family-'));
const leaders: ChildProcess[] = [];
const strays: number[] = [];

afterEach(() => {
  for (const leader of leaders.splice(0)) leader.kill('SIGKILL');
  for (const pid of strays.splice(0)) if (isThere(pid)) process.kill(pid, 'SIGKILL');
});

afterAll(() => fs.rmSync(folder, { recursive: true }));

/** Starts `node -e script` as a reviewer is started; `note(pid)` in it makes a process known here. */
function lead(script: string): { pid: number; ended: Promise<unknown> } {
  const prelude = `
    const { spawn } = require('node:child_process');
    const note = (pid) => require('node:fs').appendFileSync(process.argv[1], pid + '\\n');
    const sleeper = (options) => spawn('/bin/sleep', ['50'], { stdio: 'ignore', env: {}, ...options });
  `;
  const leader = spawn(process.execPath, ['-e', prelude + script, notes()], {
    detached: true,
    stdio: 'ignore',
  });
  leaders.push(leader);
  return { pid: leader.pid ?? 0, ended: new Promise((resolve) => leader.once('exit', resolve)) };
}

let count = 0;
const notes = (): string => path.join(folder, `notes-${++count}`);

async function noted(many: number): Promise<number[]> {
  const file = path.join(folder, `notes-${count}`);
  const lines = () => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n').slice(0, -1) : []);
  await eventually(() => lines().length >= many);
  const pids = lines().map(Number);
  strays.push(...pids);
  return pids;
}

async function eventually(isSo: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1000 && !isSo(); tries++)
    await new Promise((resolve) => setTimeout(resolve, 15));
  expect(isSo()).toBe(true);
}

/** Living, and no zombie: `ps` tells on every system. */
const isThere = (pid: number): boolean => psTable.list().some((each) => each.pid === pid);

describe.each(tables)('a family found by %s', (_, table) => {
  it('has the children of children, in groups, sessions and environments of their own', async () => {
    const { pid } = lead(`
      const child = spawn(process.execPath, ['-e', \`
        const child = require('node:child_process').spawn('/bin/sleep', ['50'], { detached: true, env: {}, stdio: 'ignore' });
        require('node:fs').appendFileSync(process.argv[1], child.pid + '\\\\n');
        setTimeout(() => {}, 50_000);
      \`, process.argv[1]], { detached: true, env: {}, stdio: 'ignore' });
      note(child.pid);
      setTimeout(() => {}, 50_000);
    `);
    const descendants = await noted(2);
    const family = familyOf(ATTEMPT, pid, table);
    expect(family.look().map((each) => each.pid)).toEqual(expect.arrayContaining([pid, ...descendants]));
    await family.end();
    expect([pid, ...descendants].filter(isThere)).toEqual([]);
  });

  it('remembers a child whose parent has ended since', async () => {
    const { pid, ended } = lead(`
      note(sleeper({ detached: true }).pid);
      process.once('SIGTERM', () => process.exit(0));
      setTimeout(() => {}, 50_000);
    `);
    const [child = 0] = await noted(1);
    const family = familyOf(ATTEMPT, pid, table);
    await eventually(() => family.look().some((each) => each.pid === child));
    process.kill(pid, 'SIGTERM');
    await ended;
    expect(isThere(child)).toBe(true);
    await family.end();
    expect(isThere(child)).toBe(false);
  });

  it('has what an ended leader left in its group', async () => {
    const { pid, ended } = lead('const left = sleeper({}); left.unref(); note(left.pid);');
    const [child = 0] = await noted(1);
    await ended;
    expect(isThere(child)).toBe(true);
    await familyOf(ATTEMPT, pid, table).end();
    expect(isThere(child)).toBe(false);
  });

  it('ends what ignores every signal that can be ignored, and what is started meanwhile', async () => {
    const { pid } = lead(`
      for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => note(sleeper({ detached: true }).pid));
      note(process.pid);
      setTimeout(() => {}, 50_000);
    `);
    await noted(1);
    await familyOf(ATTEMPT, pid, table).end();
    const all = await noted(3);
    expect(all.filter(isThere)).toEqual([]);
  });

  it('lets those who were stopped hear that they are to end', async () => {
    const { pid, ended } = lead(`
      process.once('SIGINT', () => process.exit(7));
      note(process.pid);
      setTimeout(() => {}, 50_000);
    `);
    await noted(1);
    process.kill(pid, 'SIGSTOP');
    await familyOf(ATTEMPT, pid, table).end();
    expect(await ended).toBe(7);
  });

  it('does not have its neighbours, nor us', async () => {
    const { pid } = lead('note(process.pid); setTimeout(() => {}, 50_000);');
    await noted(1);
    const neighbour = spawn('/bin/sleep', ['50'], { stdio: 'ignore' });
    leaders.push(neighbour);
    const family = familyOf(ATTEMPT, pid, table);
    expect(family.look().map((each) => each.pid)).toEqual([pid]);
    await family.end();
    expect(isThere(pid)).toBe(false);
    expect(isThere(neighbour.pid ?? 0)).toBe(true);
  });
});

describe('an id that the system gave to another process', () => {
  const seen = (started: string, ids: readonly [pid: number, parent: number][]): Process[] =>
    ids.map(([pid, parent]) => ({ pid, parent, group: pid, session: null, started }));

  it('is no longer one of the family, nor are its children', () => {
    let list = seen('before', [
      [900_001, 1],
      [900_002, 900_001],
    ]);
    const family = familyOf(ATTEMPT, 900_001, { list: () => list, isMarked: () => false });
    expect(family.look()).toHaveLength(2);
    list = seen('after', [
      [900_001, 1],
      [900_002, 1],
      [900_003, 900_002],
    ]);
    expect(family.look()).toEqual([]);
  });
});

describe('where no process can be listed', () => {
  it('the group of the leader is ended', async () => {
    const broken: ProcessTable = {
      list: () => {
        throw new Error('ps: not found');
      },
      isMarked: () => false,
    };
    const { pid } = lead(
      "process.on('SIGINT', () => {}); note(sleeper({}).pid); setTimeout(() => {}, 50_000);",
    );
    const [child = 0] = await noted(1);
    await familyOf(ATTEMPT, pid, broken).end();
    expect([pid, child].filter(isThere)).toEqual([]);
  });
});

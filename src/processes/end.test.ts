// The family of a reviewer, with real processes, on both ways to find it: by /proc where there is one, and by `ps`.

import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { familyOf, familyOfChild } from './end.ts';
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

describe('who belongs to a family', () => {
  const LEADER = 900_001;
  const one = (pid: number, more: Partial<Process> = {}): Process => ({
    ...{ pid, parent: 1, group: pid, session: null, started: 't' },
    ...more,
  });
  const tableOf = (list: Process[], marked: number[] = []): ProcessTable => ({
    list: () => list,
    isMarked: (pid, attempt) => attempt === ATTEMPT && marked.includes(pid),
  });
  const members = (leader: number | null, list: Process[], marked: number[] = []): number[] =>
    familyOf(ATTEMPT, leader, tableOf(list, marked))
      .look()
      .map(({ pid }) => pid);

  it.each<[string, number | null, Process[], number[], number[]]>([
    ['the leader', LEADER, [one(LEADER), one(900_005)], [], [LEADER]],
    ['nobody without a leader and a mark', null, [one(LEADER)], [], []],
    ['a child', LEADER, [one(900_002, { parent: LEADER })], [], [900_002]],
    ['one of its group', LEADER, [one(900_002, { group: LEADER })], [], [900_002]],
    ['one of its session', LEADER, [one(900_002, { session: LEADER })], [], [900_002]],
    ['one of another session', LEADER, [one(900_002, { session: 900_009 })], [], []],
    ['one that is marked', null, [one(900_002), one(900_003)], [900_003], [900_003]],
    [
      'the child of one that is marked',
      null,
      [one(900_002, { parent: 900_003 }), one(900_003)],
      [900_003],
      [900_002, 900_003],
    ],
    [
      'a grandchild that is listed first',
      LEADER,
      [one(900_003, { parent: 900_002 }), one(900_002, { parent: LEADER })],
      [],
      [900_003, 900_002],
    ],
    ['never the first process', LEADER, [one(1, { parent: LEADER })], [1], []],
    ['never ourselves', LEADER, [one(process.pid, { parent: LEADER })], [process.pid], []],
    ['the second process may be one', null, [one(2)], [2], [2]],
  ])('%s', (_, leader, list, marked, expected) => {
    expect(members(leader, list, marked)).toEqual(expected);
  });

  it('lists those alone that are younger than a child, where that is asked', () => {
    const asked: unknown[] = [];
    const since = { pid: LEADER, started: '7', uptime: 1 };
    const list = (given?: unknown): Process[] => {
      asked.push(given);
      return [];
    };
    familyOf(ATTEMPT, LEADER, { list, isMarked: () => false }, since).look();
    familyOf(ATTEMPT, LEADER, { list, isMarked: () => false }).look();
    expect(asked).toEqual([since, undefined]);
  });

  it('of a child is found on this system', async () => {
    const child = spawn('/bin/sleep', ['50'], { stdio: 'ignore', detached: true });
    leaders.push(child);
    const ended = new Promise((resolve) => child.once('exit', (_, signal) => resolve(signal)));
    const family = familyOfChild(ATTEMPT, child.pid ?? 0);
    expect(family.look().map(({ pid }) => pid)).toEqual([child.pid]);
    await family.end();
    expect(await ended).toBe('SIGINT');
  });

  describe('and hears that it is to end', () => {
    const AT_ONCE = { SIGINT: 0, SIGTERM: 0, SIGKILL: 0 };

    /** Notes who was sent what, and sends nothing. */
    function heard(): unknown[] {
      const calls: unknown[] = [];
      const kill = vi.spyOn(process, 'kill').mockImplementation((...call) => {
        calls.push(call);
        return true;
      });
      onTestFinished(() => kill.mockRestore());
      return calls;
    }
    const signals = (to: number[]) => (name: string) =>
      [name, 'SIGCONT'].flatMap((each) => to.map((pid) => [pid, each]));
    const ALL = ['SIGINT', 'SIGTERM', 'SIGKILL'];

    it('each by itself and with the group of the leader, three times, and is woken each time', async () => {
      const calls = heard();
      const list = [one(LEADER), one(900_002, { parent: LEADER })];
      await familyOf(ATTEMPT, LEADER, tableOf(list)).end(AT_ONCE);
      expect(calls).toEqual(ALL.flatMap(signals([-LEADER, LEADER, 900_002])));
    });

    it('without the group where nobody is left in it, or nobody leads', async () => {
      const calls = heard();
      await familyOf(ATTEMPT, LEADER, tableOf([one(900_002, { parent: LEADER })])).end(AT_ONCE);
      await familyOf(ATTEMPT, null, tableOf([one(900_003)], [900_003])).end(AT_ONCE);
      expect(calls).toEqual([...ALL.flatMap(signals([900_002])), ...ALL.flatMap(signals([900_003]))]);
    });

    it('not at all where there is none', async () => {
      const calls = heard();
      await familyOf(ATTEMPT, LEADER, tableOf([one(900_009)])).end();
      expect(calls).toEqual([]);
    });

    it('no more once it has ended', async () => {
      const calls = heard();
      let looks = 0;
      const list = () => (++looks > 2 ? [] : [one(LEADER)]);
      await familyOf(ATTEMPT, LEADER, { list, isMarked: () => false }).end({ ...AT_ONCE, SIGINT: 60_000 });
      expect(calls).toEqual(signals([-LEADER, LEADER])('SIGINT'));
    });

    it('the last one again and again, also who turns up meanwhile', async () => {
      const calls = heard();
      let looks = 0;
      const lists = [[one(LEADER)], [one(LEADER), one(900_002, { parent: LEADER })], [one(900_002)], []];
      const list = () => lists[looks++] ?? [];
      await familyOf(ATTEMPT, LEADER, { list, isMarked: () => false }).end({ ...AT_ONCE, SIGKILL: 60_000 });
      expect(calls).toEqual([
        ...ALL.flatMap(signals([-LEADER, LEADER])),
        ...signals([-LEADER, LEADER, 900_002])('SIGKILL'),
        ...signals([900_002])('SIGKILL'),
      ]);
    });

    it('and is given no longer than a hook has, when it is told to end itself', async () => {
      vi.useFakeTimers({ now: 0 });
      onTestFinished(() => void vi.useRealTimers());
      const calls = heard();
      const first = new Map<string, number>();
      const list = () => [one(LEADER)];
      const ending = familyOf(ATTEMPT, LEADER, { list, isMarked: () => false }).end();
      let isOver = false;
      void ending.then(() => {
        isOver = true;
      });
      for (; !isOver && Date.now() < 5000; await vi.advanceTimersByTimeAsync(10))
        for (const [, name] of calls.splice(0) as [number, string][])
          if (!first.has(name)) first.set(name, Date.now());
      expect([...first].filter(([name]) => name !== 'SIGCONT')).toEqual([
        ['SIGINT', 0],
        ['SIGTERM', 360],
        ['SIGKILL', 720],
      ]);
      expect(Date.now()).toBeLessThan(1100);
    });

    it('where nothing can be listed: the group, while it lives', async () => {
      const broken: ProcessTable = {
        list: () => {
          throw new Error('ps: not found');
        },
        isMarked: () => false,
      };
      expect(familyOf(ATTEMPT, null, broken).look()).toEqual([]);
      const calls = heard();
      expect(familyOf(ATTEMPT, LEADER, broken).look()).toEqual([
        { pid: LEADER, parent: 0, group: LEADER, session: null, started: 'unknown' },
      ]);
      expect(calls).toEqual([[-LEADER, 0]]);
      vi.mocked(process.kill).mockImplementation(() => {
        throw new Error('ESRCH');
      });
      expect(familyOf(ATTEMPT, LEADER, broken).look()).toEqual([]);
    });
  });
});

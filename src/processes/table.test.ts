// Which processes are listed for a child that was started just now: on a folder that looks like /proc.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { procTable } from './table.ts';

const made: string[] = [];

afterAll(() => {
  for (const folder of made) fs.rmSync(folder, { recursive: true });
});

/** `processes`: when each was started, by id; `last`: the id that was given out last. */
function table(processes: Record<number, number>, last: number | null) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-proc-'));
  made.push(folder);
  const write = (name: string, text: string) => {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), text);
  };
  write('self/stat', '');
  if (last !== null) write('loadavg', `0.15 2.37 3.35 1/99 ${last}\n`);
  for (const [pid, started] of Object.entries(processes)) {
    const between = Array(15).fill(0).join(' ');
    write(`${pid}/stat`, `${pid} (a) name) S 7 8 9 ${between} ${started} 0 0\n`);
  }
  const found = procTable(folder);
  if (found === null) throw new Error('the folder is not taken for /proc');
  return found;
}

const since = (uptime = process.uptime()) => ({ pid: 500, started: '1000', uptime });
const ids = (list: { pid: number }[]) => list.map(({ pid }) => pid).sort((a, b) => a - b);

describe('the list of processes', () => {
  const processes = { 20: 1001, 400: 10, 500: 1000, 501: 1000, 600: 999 };

  it('has all of them, with what the system tells', () => {
    const list = table(processes, 501).list();
    expect(ids(list)).toEqual([20, 400, 500, 501, 600]);
    expect(list).toContainEqual({ pid: 20, parent: 7, group: 8, session: 9, started: '1001' });
  });

  it('has none that is older than a child', () => {
    expect(ids(table({ 500: 1000, 501: 1000, 600: 999 }, 601).list(since()))).toEqual([500, 501]);
  });

  it('has a younger one with a lower id, where ids began again', () => {
    expect(ids(table(processes, 21).list(since()))).toEqual([20, 500, 501]);
  });

  it('has it after a second, when they may have begun again and come past the child', () => {
    expect(ids(table(processes, 501).list(since(process.uptime() - 1.1)))).toEqual([20, 500, 501]);
  });

  it('has it where the last id is unknown', () => {
    expect(ids(table(processes, null).list(since()))).toEqual([20, 500, 501]);
  });

  it('passes by lower ids that cannot be younger', () => {
    expect(ids(table(processes, 501).list(since()))).toEqual([500, 501]);
  });
});

describe('the start of a process', () => {
  it('is found where there is one', () => {
    expect(table({ 500: 1000 }, 500).startOf?.(500)).toMatchObject({ pid: 500, started: '1000' });
    expect(table({ 500: 1000 }, 500).startOf?.(501)).toBeNull();
  });
});

// Which processes are listed for a child that was started just now: on a folder that looks like /proc.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { procTable, psTable, psTableOf } from './table.ts';

const made: string[] = [];

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

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

/** A folder with these files, and links for those that begin with `→`. */
function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-proc-'));
  made.push(folder);
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    if (text.startsWith('→')) fs.symlinkSync(text.slice(1), file);
    else fs.writeFileSync(file, text);
  }
  return folder;
}

const statOf = (state: string, started: string | number, name = 'sleep'): string =>
  `5 (${name}) ${state} 7 8 9 ${Array(15).fill(0).join(' ')} ${started} 0 0\n`;

describe('what is no living process', () => {
  it('is not listed: one that has ended, one of which nothing is told, and what is none', () => {
    const files = {
      'self/stat': '',
      '10/stat': statOf('S', 1),
      '11/stat': statOf('Z', 1),
      '12/stat': statOf('X', 1),
      '13/stat': '13 (cut off) S 7 8 9 0 0',
      '14/stat': '',
      '15/other': '',
      '16/stat': statOf('S', 1, 'a) Z 1 (b'),
      '0/stat': statOf('S', 1),
      'sys/stat': statOf('S', 1),
      '17x/stat': statOf('S', 1),
    };
    expect(ids(procTable(folderOf(files))?.list() ?? [])).toEqual([10, 16]);
  });

  it('is no start of one either', () => {
    const found = procTable(folderOf({ 'self/stat': '', '13/stat': '13 (cut off) S 7', '14/stat': '' }));
    expect([found?.startOf?.(13), found?.startOf?.(14), found?.startOf?.(15)]).toEqual([null, null, null]);
  });

  it('is listed where there is no /proc', () => {
    expect(procTable(folderOf({ 'selfish/stat': '' }))).toBeNull();
    expect(procTable('/nonexistent')).toBeNull();
  });
});

describe('a child that was started just now', () => {
  const processes = { 1: 2000, 500: 1000, 501: 1000 };

  it.each([
    [1, [500, 501]],
    [1.01, [1, 500, 501]],
  ])('%d seconds ago: lists %j', (age, expected) => {
    vi.spyOn(process, 'uptime').mockReturnValue(50 + age);
    expect(ids(table(processes, 501).list(since(50)))).toEqual(expected);
  });

  it('is itself the last one', () => {
    expect(ids(table(processes, 500).list(since()))).toEqual([500, 501]);
    expect(ids(table(processes, 499).list(since()))).toEqual([1, 500, 501]);
  });

  it('is known with our own time', () => {
    vi.spyOn(process, 'uptime').mockReturnValue(50);
    expect(table({ 500: 1000 }, 500).startOf?.(500)).toEqual({ pid: 500, started: '1000', uptime: 50 });
  });
});

describe('the mark of an attempt', () => {
  const attempts = '/h/.local/state/holdfast/attempts';
  it.each<[string, Record<string, string>, boolean]>([
    ['its variable', { environ: 'A=1\0HOLDFAST_ATTEMPT=a1\0B=2\0' }, true],
    ['another’s variable', { environ: 'HOLDFAST_ATTEMPT=a11\0' }, false],
    ['a part of a variable', { environ: 'XHOLDFAST_ATTEMPT=a1\0' }, false],
    ['its standard output', { 'fd/1': `→${attempts}/0f-a1/stdout` }, true],
    ['its standard error', { 'fd/2': `→${attempts}/0f-a1/stderr` }, true],
    ['both in one file', { 'fd/1': `→${attempts}/0f-a1/stderr`, 'fd/2': '→/dev/null' }, true],
    ['a file that was removed', { 'fd/1': `→${attempts}/0f-a1/stdout (deleted)` }, true],
    ['a file that is called so', { 'fd/1': `→${attempts}/0f-a1/stdout (deleted) x` }, false],
    ['another’s output', { 'fd/1': `→${attempts}/0f-a2/stdout` }, false],
    ['another file of it', { 'fd/1': `→${attempts}/0f-a1/schema.json` }, false],
    ['one whose id ends the same', { 'fd/1': `→${attempts}/0f-b-a1/stdout` }, false],
    [
      'its output at another number',
      { 'fd/0': `→${attempts}/0f-a1/stdout`, 'fd/3': `→${attempts}/0f-a1/stdout` },
      false,
    ],
    ['none', {}, false],
  ])('%s', (_, files, expected) => {
    const inProcess = Object.entries(files).map(([name, text]) => [`7/${name}`, text]);
    const found = procTable(folderOf({ 'self/stat': '', ...Object.fromEntries(inProcess) }));
    expect(found?.isMarked(7, 'a1')).toBe(expected);
  });

  it('is none that ps shows', () => {
    expect(psTable.isMarked(process.pid, 'a1')).toBe(false);
  });
});

describe('the list of ps', () => {
  it('has those that live, with the day and time of their start', () => {
    const printed = [
      '    1     0     1 Ss   Mon Nov 16 10:00:00 2026',
      '  412     1   400 R+   Tue Nov 17 11:22:33 2026',
      '  413   412   400 Z    Tue Nov 17 11:22:34 2026',
      '  414   412   400 Z+   Tue Nov 17 11:22:34 2026',
      '',
      '  415',
    ];
    const script = `#!/bin/sh\n[ "$*" = "-axo pid=,ppid=,pgid=,stat=,lstart=" ] || exit 1\ncat <<END\n${printed.join('\n')}\nEND\n`;
    const folder = folderOf({ ps: script });
    fs.chmodSync(path.join(folder, 'ps'), 0o755);
    expect(psTableOf(`${folder}:/bin`).list()).toEqual([
      { pid: 1, parent: 0, group: 1, session: null, started: 'Mon Nov 16 10:00:00 2026' },
      { pid: 412, parent: 1, group: 400, session: null, started: 'Tue Nov 17 11:22:33 2026' },
    ]);
  });

  it('is that of the system, whatever else is first on PATH', () => {
    const folder = folderOf({ ps: '#!/bin/sh\n: >"$0.ran"\n' });
    fs.chmodSync(path.join(folder, 'ps'), 0o755);
    vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
    expect(psTable.list().map(({ pid }) => pid)).toContain(process.pid);
    expect(fs.existsSync(path.join(folder, 'ps.ran'))).toBe(false);
  });
});

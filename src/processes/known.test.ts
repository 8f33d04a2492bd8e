import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { isAbove, isThere, processWith } from './known.ts';

afterEach(() => vi.restoreAllMocks());

/** `state` and `start` as /proc/PID/stat has them; null: there is no such file. */
function proc(stat: { state: string; start: string } | null): void {
  vi.spyOn(fs, 'readFileSync').mockImplementation(() => {
    if (stat === null) throw Object.assign(new Error('no entry'), { code: 'ENOENT' });
    return `7 (a ) b) ${stat.state} ${'0 '.repeat(18)}${stat.start} 0 0\n`;
  });
}

function kill(code: 'EPERM' | 'ESRCH' | null): void {
  vi.spyOn(process, 'kill').mockImplementation(() => {
    if (code !== null) throw Object.assign(new Error(code), { code });
    return true;
  });
}

describe('a process', () => {
  test('is there until it has ended', async () => {
    const child = spawn('sleep', ['60']);
    const known = processWith(child.pid ?? 0);
    expect(isThere(known)).toBe(true);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
    expect(isThere(known)).toBe(false);
  }, 20_000);

  test('is not there any more when its number is another’s', () => {
    proc({ state: 'S', start: '100' });
    kill(null);
    const known = processWith(7);
    expect(isThere(known)).toBe(true);
    proc({ state: 'S', start: '200' });
    expect(isThere(known)).toBe(false);
  });

  test.each(['Z', 'X'])('has ended though nobody has collected it yet (%s)', (state) => {
    proc({ state, start: '100' });
    kill(null);
    expect(isThere(processWith(7))).toBe(false);
    expect(isThere({ pid: 7, start: '100' })).toBe(false);
  });

  test.each([
    [null, true],
    ['EPERM', true],
    ['ESRCH', false],
  ] as const)('is judged by a signal where /proc shows none: %s', (code, expected) => {
    proc(null);
    kill(code);
    expect(isThere(processWith(7))).toBe(expected);
    expect(isThere({ pid: 7, start: '100' })).toBe(expected);
  });
});

test('ourselves and what is above us never end before us', () => {
  expect([isAbove(process.pid), isAbove(process.ppid)]).toEqual([true, true]);
  const child = spawn('sleep', ['60']);
  try {
    expect(isAbove(child.pid ?? 0)).toBe(false);
  } finally {
    child.kill('SIGKILL');
  }
});

test('what is above what is above us is above us, up to the first process', () => {
  const parentOf = (pid: number): number =>
    Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }));
  let above = parentOf(process.ppid);
  expect(above).toBeGreaterThan(0);
  for (; above > 1; above = parentOf(above)) expect(isAbove(above)).toBe(true);
  expect(isAbove(above)).toBe(true);
  expect(isAbove(-1)).toBe(false);
});

test.each([
  [{ pid: 7, start: null }, null, true],
  [{ pid: 7, start: null }, { state: 'S', start: '100' }, true],
  [{ pid: 7, start: '100' }, { state: 'R', start: '100' }, true],
  [{ pid: 7, start: '100' }, { state: 'R', start: '1000' }, false],
])('%j is there where /proc shows %j: %s', (known, stat, expected) => {
  proc(stat);
  kill(null);
  expect(isThere(known)).toBe(expected);
});

test('a process is known by its number and its start', () => {
  proc({ state: 'S', start: '100' });
  expect(processWith(7)).toEqual({ pid: 7, start: '100' });
  expect(vi.mocked(fs.readFileSync).mock.calls).toEqual([['/proc/7/stat', 'latin1']]);
  proc(null);
  expect(processWith(7)).toEqual({ pid: 7, start: null });
});

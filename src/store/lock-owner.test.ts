import fs from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { isAbandoned, isRunning, ownRecord, startIn } from './lock-owner.ts';

afterEach(() => vi.restoreAllMocks());

const mine = (): Record<string, unknown> => JSON.parse(ownRecord(null));
const recordOf = (change: object = {}): string => `${JSON.stringify({ ...mine(), ...change })}\n`;
const SILENT = () => 10_001;
const RENEWED = () => 10_000;
const notAsked = (): number => {
  throw new Error('asked when it was not needed');
};
/** No process has such an id: the kernel gives no higher one than 2^22. */
const NOBODY = 2 ** 22 + 1;

describe('the record of a holder', () => {
  it('is one line, with the kernel’s file where there is one', () => {
    expect(ownRecord(null)).toMatch(/^[^\n]+\n$/);
    expect(mine()).toMatchObject({ pid: process.pid, kernelFile: null });
    expect(JSON.parse(ownRecord(7))).toEqual({ ...mine(), kernelFile: 7 });
    expect(mine().boot).toBe(fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
    expect(mine().namespace).toBe(fs.readlinkSync('/proc/self/ns/pid'));
  });

  it('of this process is no dead one’s, however long it is silent', () => {
    expect(mine().start).toEqual(expect.stringMatching(/^\d+$/));
    expect(isAbandoned(ownRecord(null), null, notAsked)).toBe(false);
  });

  it('is read up to the end of its line', () => {
    expect(isAbandoned(`${recordOf()}what an older, longer one left`, null, notAsked)).toBe(false);
  });
});

describe('a holder is dead', () => {
  it.each([
    ['', true],
    ['no record\n', true],
    ['null\n', true],
    ['{"pid":0}\n', true],
    ['{"pid":-4}\n', true],
    ['{"pid":1.5}\n', true],
    ['{"pid":"1"}\n', true],
  ])('where its record says nothing (%j) and is silent', (record) => {
    expect(isAbandoned(record, null, SILENT)).toBe(true);
    expect(isAbandoned(record, null, RENEWED)).toBe(false);
    // A clock that was set back.
    expect(isAbandoned(record, null, () => -10_001)).toBe(true);
    expect(isAbandoned(record, null, () => -10_000)).toBe(false);
  });

  it.each([[-4], [1.5], ['1'], [null]])(
    'where its record is whole but for its pid, %j, and is silent',
    (pid) => {
      expect(isAbandoned(recordOf({ pid }), null, SILENT)).toBe(true);
      expect(isAbandoned(recordOf({ pid }), null, RENEWED)).toBe(false);
    },
  );

  it.each([['boot'], ['namespace']])('from another %s, when it is silent', (what) => {
    const record = recordOf({ [what]: 'another' });
    expect(isAbandoned(record, null, SILENT)).toBe(true);
    expect(isAbandoned(record, null, RENEWED)).toBe(false);
  });

  it('when the kernel’s lock that it held is ours', () => {
    expect(isAbandoned(recordOf({ kernelFile: 5 }), 5, notAsked)).toBe(true);
    expect(isAbandoned(recordOf({ kernelFile: 5 }), 6, notAsked)).toBe(false);
    expect(isAbandoned(recordOf({ kernelFile: null }), 5, notAsked)).toBe(false);
    // In another namespace too; but of another boot the number says nothing.
    expect(isAbandoned(recordOf({ kernelFile: 5, namespace: 'another' }), 5, notAsked)).toBe(true);
    expect(isAbandoned(recordOf({ kernelFile: 5, boot: 'another' }), 5, RENEWED)).toBe(false);
  });

  it('when its pid is another process’s now', () => {
    expect(isAbandoned(recordOf({ start: '1' }), null, notAsked)).toBe(true);
    expect(isAbandoned(recordOf({ pid: 1, start: '1' }), null, notAsked)).toBe(true);
  });

  it('when there is no such process', () => {
    expect(isAbandoned(recordOf({ pid: NOBODY }), null, notAsked)).toBe(true);
    expect(isAbandoned(recordOf({ pid: NOBODY, start: null }), null, notAsked)).toBe(true);
  });

  it('where nothing tells when it started, only when it is silent', () => {
    expect(isAbandoned(recordOf({ start: null }), null, RENEWED)).toBe(false);
    expect(isAbandoned(recordOf({ start: null }), null, SILENT)).toBe(true);
  });
});

describe('a process', () => {
  const stat = (state: string): string =>
    `12 (a ) name) ${state} ${Array.from({ length: 25 }, (_, index) => index + 4).join(' ')}`;

  it.each([
    ['', null],
    [stat('S'), '22'],
    [stat('Z'), 'ended'],
    [stat('X'), 'ended'],
    ['12 (a) S 4 5', null],
  ])('started, as /proc says it in %j: %s', (text, start) => {
    expect(startIn(text)).toBe(start);
  });

  it('runs, also where it may not be signalled', () => {
    expect(isRunning(process.pid)).toBe(true);
    expect(isRunning(NOBODY)).toBe(false);
    const kill = vi.spyOn(process, 'kill').mockImplementation(() => {
      throw Object.assign(new Error('not yours'), { code: 'EPERM' });
    });
    expect(isRunning(process.pid)).toBe(true);
    expect(kill).toHaveBeenCalledWith(process.pid, 0);
  });

  it('is looked up without leaving a file open', () => {
    const open = () => fs.readdirSync('/proc/self/fd').length;
    isAbandoned(recordOf(), null, notAsked);
    const before = open();
    for (let times = 0; times < 5; times++) isAbandoned(recordOf(), null, notAsked);
    expect(open()).toBe(before);
  });
});

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Call, WrongUsage } from '../engine/workflow-cli.ts';
import { cliCommand } from '../hook/runtime.ts';
import { awaitedBy, wholeNumber } from './awaited.ts';

let folder: string;

beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-awaited-')));
});
afterEach(() => {
  vi.restoreAllMocks();
  fs.rmSync(folder, { recursive: true });
});

const awaited = (flags: Call['flags']) => awaitedBy({ flags, cwd: folder } as Call);
/** An id that no process has: above what the system gives out. */
const NOBODY = String(2 ** 22 + 7);

describe('what is waited for', () => {
  it('is nothing but time where nothing is named', () => {
    expect(awaited({})).toBeNull();
    expect(awaited({ for: '5' })).toBeNull();
  });

  it.each<[Call['flags'], string]>([
    [{ pid: '1', file: 'x' }, 'wait: it takes --pid or --file, not both.'],
    [{ pid: '' }, 'wait: --pid takes the number of a process, such as $! after `command &`.'],
    [{ pid: '0' }, 'wait: --pid takes the number of a process, such as $! after `command &`.'],
    [{ pid: 'x' }, 'wait: --pid takes the number of a process, such as $! after `command &`.'],
    [
      { pid: String(process.pid) },
      `wait: process ${process.pid} runs this command, so it does not end before it. Name the one you started: $! after \`command &\`.`,
    ],
    [
      { pid: String(process.ppid) },
      `wait: process ${process.ppid} runs this command, so it does not end before it. Name the one you started: $! after \`command &\`.`,
    ],
    [{ file: '' }, 'wait: --file takes the path of a file.'],
    [{ file: true }, 'wait: --file takes the path of a file.'],
  ])('is refused where it cannot be: %j', (flags, text) => {
    expect(() => awaited(flags)).toThrow(new WrongUsage(text));
  });

  it('is a process, until it has ended', () => {
    const one = awaited({ pid: NOBODY, for: '9' });
    expect(one?.isOver()).toBe(true);
    expect(one?.overAtOnce).toBe(
      `No process ${NOBODY} runs where this shell can see it: it has ended, or it runs in a sandbox of its own. In that case let it make a file when it is done, and wait for that: ${cliCommand()} wait --file FILE`,
    );
    expect(one?.over).toBe(`process ${NOBODY} has ended.`);
    expect(one?.notOver()).toBe(
      `process ${NOBODY} still runs. Call again: ${cliCommand()} wait --pid ${NOBODY} --for 9`,
    );
  });

  it('is a file, until it is there', () => {
    const file = path.join(folder, 'a b');
    const one = awaited({ file: 'a b' });
    expect(one?.isOver()).toBe(false);
    expect(one?.notOver()).toBe(
      `${file} is not there yet. Call again: ${cliCommand()} wait --file '${file}'`,
    );
    fs.writeFileSync(file, '');
    expect(one?.isOver()).toBe(true);
    expect(one?.overAtOnce).toBe(`${file} is there already.`);
    expect(one?.over).toBe(`${file} is there now.`);
  });

  it('is said to be a mistake where its folder is not there, or may not be entered', () => {
    const file = path.join(folder, 'none/done');
    expect(awaited({ file, for: '3' })?.notOver()).toBe(
      `${file} is not there yet, and neither is its folder. Call again: ${cliCommand()} wait --file ${file} --for 3`,
    );
    vi.spyOn(fs, 'accessSync').mockImplementation(() => {
      throw new Error('EACCES');
    });
    expect(awaited({ file: 'done' })?.notOver()).toBe(
      `whether ${path.join(folder, 'done')} is there cannot be seen, since its folder may not be entered. Call again: ${cliCommand()} wait --file ${path.join(folder, 'done')}`,
    );
  });
});

it.each([
  ['1', 1],
  ['999999999', 999_999_999],
  ['1000000000', null],
  ['0', null],
  ['01', null],
  ['-1', null],
  ['1.5', null],
  ['1 ', null],
  ['', null],
  [7, null],
  [undefined, null],
])('%j is the whole number %j', (text, number) => {
  expect(wholeNumber(text)).toBe(number);
});

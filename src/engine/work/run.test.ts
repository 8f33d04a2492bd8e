import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { bareProject } from '../../../test/support/bare-project.ts';
import { familyOf } from '../../processes/end.ts';
import type { Project } from '../project.ts';
import { type ProgramEnd, type ProgramRun, runProgram } from './run.ts';

let project: Project;
let attempt: string;
let count = 0;

beforeEach(() => {
  project = bareProject();
  attempt = `attempt-${process.pid}-${++count}`;
});

const at = (name: string): string => path.join(project.root, name);
const read = (name: string): string => fs.readFileSync(at(name), 'utf8');
const sh = (script: string): ProgramRun['command'] => ({ program: '/bin/sh', args: ['-c', script] });

type Over = Partial<Omit<ProgramRun, 'stderr'>> & { stderr?: string };

async function run(
  command: string | ProgramRun['command'],
  { stderr: other = at('err'), ...over }: Over = {},
): Promise<ProgramEnd> {
  const stdout = fs.openSync(at('out'), 'w+', 0o600);
  const stderr = other === at('out') ? stdout : fs.openSync(other, 'w+', 0o600);
  try {
    return await runWith(command, stdout, stderr, over);
  } finally {
    for (const each of new Set([stdout, stderr])) fs.closeSync(each);
  }
}

function runWith(
  command: string | ProgramRun['command'],
  stdout: number,
  stderr: number,
  over: Partial<ProgramRun>,
): Promise<ProgramEnd> {
  return runProgram({
    ...{ attempt, cwd: project.root, env: project.env, programEnv: { PATH: project.env.PATH } },
    ...{ stdout, stderr, deadlineMs: 60_000 },
    ...{ whenAskedToEnd: () => {}, interrupted: async () => {} },
    command: typeof command === 'string' ? sh(command) : command,
    ...over,
  });
}

/** Of this attempt, whoever started it. */
const living = (): number => familyOf(attempt, null).look().length;

describe('a program that runs to its end', () => {
  it.each([
    ['exit 0', 0],
    ['exit 3', 3],
    ['kill -KILL $$', 137],
    ['kill -TERM $$', 143],
  ])('has the code that a shell would see: %s', async (script, code) => {
    expect(await run(script)).toEqual({ kind: 'exited', code });
  });

  it('prints to two files', async () => {
    expect(await run('echo one; echo two >&2')).toEqual({ kind: 'exited', code: 0 });
    expect([read('out'), read('err')]).toEqual(['one\n', 'two\n']);
  });

  it('prints to one file in the order in which it printed', async () => {
    await run('echo one; echo two >&2; echo three', { stderr: at('out') });
    expect(read('out')).toBe('one\ntwo\nthree\n');
    expect(fs.existsSync(at('err'))).toBe(false);
  });

  it('is given its words as they are, its folder, no input, and its own environment with the mark', async () => {
    const words = ['-c', 'pwd; cat; printf "%s|" "$@"; env', 'sh', 'a b', '$HOME', ''];
    const programEnv = { PATH: project.env.PATH, COLOUR: 'blue' };
    fs.mkdirSync(at('sub'));
    await run({ program: 'sh', args: words }, { cwd: at('sub'), programEnv });
    const [cwd, ...rest] = read('out').split('\n');
    expect(cwd).toBe(at('sub'));
    expect(rest[0]).toMatch(/^a b\|\$HOME\|\|/);
    const all = rest.join('\n');
    expect(all).toContain('COLOUR=blue');
    expect(all).toContain(`HOLDFAST_ATTEMPT=${attempt}`);
    expect(all).not.toContain('HOME=');
  });

  it('leads a group of its own', async () => {
    await run('kill -s 0 -- "-$$" && echo leads');
    expect(read('out')).toBe('leads\n');
  });

  it('takes with it what it started and left', async () => {
    expect(await run('sleep 60 & echo left')).toEqual({ kind: 'exited', code: 0 });
    expect([read('out'), living()]).toEqual(['left\n', 0]);
  });

  it('leaves no timer and no file open', async () => {
    const open = vi.spyOn(fs, 'openSync');
    const close = vi.spyOn(fs, 'closeSync');
    const later = vi.spyOn(globalThis, 'setTimeout');
    const again = vi.spyOn(globalThis, 'setInterval');
    const clear = vi.spyOn(globalThis, 'clearTimeout');
    try {
      for (const stderr of [at('out'), at('err')]) await run(':', { stderr, deadlineMs: 54_321 });
      const opened = open.mock.results.filter(({ type }) => type === 'return');
      expect(close.mock.calls).toHaveLength(opened.length);
      const limits = later.mock.results.filter((_, index) => later.mock.calls[index]?.[1] === 54_321);
      const looks = again.mock.results.filter((_, index) => again.mock.calls[index]?.[1] === 200);
      expect([limits.length, looks.length]).toEqual([2, 2]);
      const cleared = clear.mock.calls.map(([timer]) => timer);
      for (const { value } of [...limits, ...looks]) expect(cleared).toContain(value);
    } finally {
      vi.restoreAllMocks();
    }
  });
});

describe('a program that is not there', () => {
  it('is missing, and nothing is asked', async () => {
    for (const program of ['no-such-program', '/no/such/program', at('')]) {
      const whenAskedToEnd = (): void => {
        throw new Error('asked');
      };
      expect(await run({ program, args: [] }, { whenAskedToEnd })).toEqual({ kind: 'missing' });
    }
  });

  it('is looked for on its own PATH', async () => {
    expect(await run({ program: 'sh', args: ['-c', ':'] }, { programEnv: {} })).toEqual({ kind: 'missing' });
  });

  it('is missing where the system cannot start it', async () => {
    fs.writeFileSync(at('orphan'), '#!/no/such/interpreter\n', { mode: 0o755 });
    expect(await run({ program: at('orphan'), args: [] })).toEqual({ kind: 'missing' });
  });
});

describe('a program that is ended', () => {
  it('has run out of time', async () => {
    expect(await run('sleep 60 & sleep 60', { deadlineMs: 150 })).toEqual({ kind: 'timed-out' });
    expect(living()).toBe(0);
  });

  it('was interrupted before it began: that is noted, and it is not begun', async () => {
    let noted = 0;
    const end = await run('echo begun', {
      whenAskedToEnd: (listener) => listener(),
      interrupted: async () => void noted++,
    });
    expect(end).toEqual({ kind: 'interrupted' });
    expect([noted, read('out')]).toEqual([1, '']);
  });

  it('was interrupted: that is noted while it lives', async () => {
    const lived: number[] = [];
    const end = await run('echo begun; exec sleep 60', {
      whenAskedToEnd: (listener) => void whenBegun().then(listener),
      interrupted: async () => void lived.push(living()),
    });
    expect(end).toEqual({ kind: 'interrupted' });
    expect([lived, living()]).toEqual([[1], 0]);
  });

  it('is ended although the interruption could not be noted', async () => {
    const ended = run('echo begun; exec sleep 60', {
      whenAskedToEnd: (listener) => void whenBegun().then(listener),
      interrupted: () => Promise.reject(new Error('a full disk')),
    });
    await expect(ended).rejects.toThrow('a full disk');
    expect(living()).toBe(0);
  });

  it('is not interrupted where nobody asks', async () => {
    let noted = 0;
    await run(':', { interrupted: async () => void noted++ });
    expect(noted).toBe(0);
  });

  async function whenBegun(): Promise<void> {
    while (!fs.existsSync(at('out')) || read('out') === '') await new Promise(setImmediate);
  }
});

describe('a program that prints too much', () => {
  const FLOODED = { kind: 'flooded', megabytes: 64 };
  /** As many bytes as that, most of them a hole that takes no room. */
  const print = (bytes: number): string =>
    `dd bs=1 count=1 seek=${bytes - 1} conv=notrunc </dev/zero 2>/dev/null`;
  const LIMIT = 64 * 1024 * 1024;

  it('is flooding above 64 megabytes', async () => {
    expect(await run(print(LIMIT))).toEqual({ kind: 'exited', code: 0 });
    expect(await run(print(LIMIT + 1))).toEqual(FLOODED);
    expect(await run(`${print(LIMIT + 1)}; exit 3`)).toEqual(FLOODED);
  });

  it('is flooding with both files together, and with one file once', async () => {
    const half = LIMIT / 2;
    expect(await run(`${print(half)}; exec 1>&2; ${print(half)}`)).toEqual({ kind: 'exited', code: 0 });
    expect(await run(`${print(half)}; exec 1>&2; ${print(half + 1)}`)).toEqual(FLOODED);
    expect(await run(print(half + 1), { stderr: at('out') })).toEqual({ kind: 'exited', code: 0 });
  });

  it('is ended while it does', async () => {
    expect(await run(`${print(LIMIT + 1)}; exec sleep 60`)).toEqual(FLOODED);
    expect(living()).toBe(0);
  });

  it('has timed out rather than flooded when that came first', async () => {
    const end = await run(`${print(LIMIT + 1)}; exec sleep 60`, { deadlineMs: 60 });
    expect(end).toEqual({ kind: 'timed-out' });
  });

  it('has not flooded where its files are gone', async () => {
    expect(await run(`rm '${at('out')}' '${at('err')}'`)).toEqual({ kind: 'exited', code: 0 });
  });
});

import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
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
const exited = (code: number) => ({ kind: 'exited', code });

async function run(
  command: string | ProgramRun['command'],
  { stderr: other = 'err', ...over }: Partial<Omit<ProgramRun, 'stderr'>> & { stderr?: string } = {},
): Promise<ProgramEnd> {
  const stdout = fs.openSync(at('out'), 'w+', 0o600);
  const stderr = other === 'out' ? stdout : fs.openSync(at(other), 'w+', 0o600);
  try {
    return await runProgram({
      ...{ attempt, cwd: project.root, env: project.env, programEnv: { PATH: project.env.PATH } },
      ...{ stdout, stderr, deadlineMs: 60_000, whenAskedToEnd: () => {}, interrupted: async () => {} },
      command: typeof command === 'string' ? { program: '/bin/sh', args: ['-c', command] } : command,
      ...over,
    });
  } finally {
    for (const each of new Set([stdout, stderr])) fs.closeSync(each);
  }
}

/** Of this attempt, whoever started it. */
const living = (): number => familyOf(attempt, null).look().length;
async function whenBegun(): Promise<void> {
  while (!fs.existsSync(at('out')) || read('out') === '') await new Promise(setImmediate);
}

describe('a program', () => {
  it.each([
    ['exit 3', 3],
    ['kill -KILL $$', 137],
    ['kill -TERM $$', 143],
  ])('has the code that a shell would see: %s', async (script, code) => {
    expect(await run(script)).toEqual(exited(code));
  });

  it('prints to two files, or to one in the order in which it printed', async () => {
    await run('echo one; echo two >&2');
    expect([read('out'), read('err')]).toEqual(['one\n', 'two\n']);
    await run('echo one; echo two >&2; echo three', { stderr: 'out' });
    expect(read('out')).toBe('one\ntwo\nthree\n');
  });

  it('is given its words as they are, no input, its own environment with the mark, and a group of its own', async () => {
    const script = 'cat; kill -s 0 -- "-$$" && printf "%s|" "$@"; env';
    const args = ['-c', script, 'sh', 'a b', '$HOME', ''];
    await run({ program: 'sh', args }, { programEnv: { PATH: project.env.PATH, COLOUR: 'blue' } });
    expect(read('out')).toMatch(/^a b\|\$HOME\|\|/);
    expect(read('out')).toContain('COLOUR=blue');
    expect(read('out')).toContain(`HOLDFAST_ATTEMPT=${attempt}`);
    expect(read('out')).not.toContain('HOME=');
  });

  it('takes with it what it started and left', async () => {
    expect(await run('sleep 60 & echo left')).toEqual(exited(0));
    expect([read('out'), living()]).toEqual(['left\n', 0]);
  });

  it('is missing where its own PATH has none, or the system cannot start it; and nothing is asked then', async () => {
    const whenAskedToEnd = (): void => {
      throw new Error('asked');
    };
    for (const program of ['no-such-program', '/no/such/program', at('')])
      expect(await run({ program, args: [] }, { whenAskedToEnd })).toEqual({ kind: 'missing' });
    expect(await run({ program: 'sh', args: ['-c', ':'] }, { programEnv: {} })).toEqual({ kind: 'missing' });
    fs.writeFileSync(at('orphan'), '#!/no/such/interpreter\n', { mode: 0o755 });
    expect(await run({ program: at('orphan'), args: [] })).toEqual({ kind: 'missing' });
  });

  it('that runs out of time is ended with all that it started', async () => {
    expect(await run('sleep 60 & sleep 60', { deadlineMs: 150 })).toEqual({ kind: 'timed-out' });
    expect(living()).toBe(0);
  });

  it('that was interrupted before it began is not begun, and that is noted', async () => {
    let noted = 0;
    const whenAskedToEnd = (listener: () => void) => listener();
    const end = await run('echo begun', { whenAskedToEnd, interrupted: async () => void noted++ });
    expect([end, noted, read('out')]).toEqual([{ kind: 'interrupted' }, 1, '']);
  });

  it('that is interrupted is ended once that is noted, and also where it cannot be', async () => {
    const whenAskedToEnd = (listener: () => void) => void whenBegun().then(listener);
    const lived: number[] = [];
    const interrupted = async () => void lived.push(living());
    const end = await run('echo begun; exec sleep 60', { whenAskedToEnd, interrupted });
    expect([end, lived, living()]).toEqual([{ kind: 'interrupted' }, [1], 0]);
    const full = () => Promise.reject(new Error('a full disk'));
    const ended = run('echo begun; exec sleep 60', { whenAskedToEnd, interrupted: full });
    await expect(ended).rejects.toThrow('a full disk');
    expect(living()).toBe(0);
  });
});

describe('a program that prints too much', () => {
  const FLOODED = { kind: 'flooded', megabytes: 64 };
  const LIMIT = 64 * 1024 * 1024;
  /** As many bytes as that, most of them a hole that takes no room. */
  const print = (bytes: number): string =>
    `dd bs=1 count=1 seek=${bytes - 1} conv=notrunc </dev/zero 2>/dev/null`;
  const both = (second: number): string => `${print(LIMIT / 2)}; exec 1>&2; ${print(second)}`;

  it.each<[string, string, object, object?]>([
    ['no more than 64 megabytes', print(LIMIT), exited(0)],
    ['one byte more', `${print(LIMIT + 1)}; exit 3`, FLOODED],
    ['as much into both files together', both(LIMIT / 2), exited(0)],
    ['more into both files together', both(LIMIT / 2 + 1), FLOODED],
    ['half of it into one file for both, counted once', print(LIMIT / 2 + 1), exited(0), { stderr: 'out' }],
    [
      'too much, but first its time is over',
      `${print(LIMIT + 1)}; exec sleep 60`,
      { kind: 'timed-out' },
      { deadlineMs: 60 },
    ],
    ['too much, and does not end', `${print(LIMIT + 1)}; exec sleep 60`, FLOODED],
    ['into files that are gone', 'rm out err', exited(0)],
  ])('%s', async (_, script, end, over = {}) => {
    expect(await run(script, over)).toEqual(end);
    expect(living()).toBe(0);
  });
});

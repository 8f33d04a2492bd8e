// The lock of the `jwz` tool, with a program in the place of `flock` that notes what it is given.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Programs, programs } from '../../../test/support/programs.ts';
import { LockBusy } from '../../store/lock.ts';
import { holdJwzLock, missesJwzLock } from './jwz-lock.ts';

const TAKE = 'flock -x -n 3';

/** A project that `jwz` has been used in. `flock`: what it does, in sh. */
function used(flock: string): Programs {
  const made = programs({ flock: { '*': flock } });
  fs.mkdirSync(path.join(made.project, '.jwz'));
  fs.writeFileSync(path.join(made.project, '.jwz/lock'), 'the lock of jwz');
  return made;
}
const here = (root: string) => ({ root, env: process.env });
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

afterEach(async () => {
  vi.restoreAllMocks();
  await nextTurn();
});

const openNow = (): number => fs.readdirSync('/dev/fd').length;

describe('the lock of jwz', () => {
  it('is taken on the open file, once for a piece of work, and given back behind it', async () => {
    const made = used('cat <&3 >"$HOME/got"');
    const before = openNow();
    holdJwzLock(here(made.project));
    holdJwzLock(here(made.project));
    expect(made.calls()).toEqual([TAKE]);
    expect(made.read('got')).toBe('the lock of jwz');
    expect(openNow()).toBe(before + 1);
    await nextTurn();
    expect(openNow()).toBe(before);
    holdJwzLock(here(made.project));
    expect(made.calls()).toEqual([TAKE, TAKE]);
  });

  it('is one for each project', () => {
    const made = used('exit 0');
    const other = path.join(made.folder, 'other');
    fs.cpSync(made.project, other, { recursive: true });
    holdJwzLock(here(made.project));
    holdJwzLock(here(other));
    expect(made.calls()).toEqual([TAKE, TAKE]);
  });

  it('is asked for again while somebody else has it', () => {
    const made = used(
      '[ -e "$HOME/second" ] && exit 0\n[ -e "$HOME/first" ] && : >"$HOME/second"\n: >"$HOME/first"\nexit 1',
    );
    holdJwzLock(here(made.project));
    expect(made.calls()).toEqual([TAKE, TAKE, TAKE]);
  });

  it('is waited for two seconds, and then it is said who has it', () => {
    const made = used('exit 1');
    const before = openNow();
    const lock = path.join(made.project, '.jwz/lock');
    // Two seconds are over at the third look, though the machine's clock was set back meanwhile.
    const times = [0, 1999, 2000];
    vi.spyOn(Date, 'now').mockReturnValue(0);
    vi.spyOn(performance, 'now').mockImplementation(() => times.shift() ?? 9999);
    expect(() => holdJwzLock(here(made.project))).toThrow(
      new LockBusy(`jwz still holds ${lock} after 2000 ms; try again when it has ended.`),
    );
    expect(made.calls()).toEqual([TAKE, TAKE]);
    expect(openNow()).toBe(before);
  });

  it.each(['exit 2', 'exit 127', 'kill -9 $$'])('is done without where flock cannot take it: %s', (does) => {
    const made = used(does);
    const before = openNow();
    holdJwzLock(here(made.project));
    expect(openNow()).toBe(before);
    holdJwzLock(here(made.project));
    expect(made.calls()).toEqual([TAKE, TAKE]);
  });

  it.each(['no file', 'a folder', 'a link out of the project'])(
    'is not looked for where it is %s',
    (what) => {
      const made = used('exit 0');
      const lock = path.join(made.project, '.jwz/lock');
      fs.rmSync(lock);
      if (what === 'a folder') fs.mkdirSync(lock);
      if (what === 'a link out of the project') {
        fs.writeFileSync(path.join(made.folder, 'project-2'), '');
        fs.symlinkSync(path.join(made.folder, 'project-2'), lock);
      }
      holdJwzLock(here(made.project));
      expect(made.calls()).toEqual([]);
    },
  );
});

describe('the program flock', () => {
  it('is missing where jwz is used and it is not on PATH', () => {
    const made = used('exit 1');
    expect(missesJwzLock(here(made.project))).toBe(false);
    expect(made.calls()).toEqual(['flock --help']);
    process.env.PATH = path.join(made.folder, 'nowhere');
    expect(missesJwzLock(here(made.project))).toBe(true);
    holdJwzLock(here(made.project));
  });

  it('is not asked for where nobody uses jwz', () => {
    const made = programs({ flock: {} });
    process.env.PATH = path.join(made.folder, 'nowhere');
    expect(missesJwzLock(here(made.project))).toBe(false);
  });
});

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type TempProject, tempProject } from '../../test/support/project.ts';
import { disk } from './disk.ts';
import type { Environment } from './environment.ts';
import { Refused } from './files.ts';
import { LockBusy, tryHold } from './lock.ts';
import { hasShape, isNumber } from './shape.ts';
import { changeUserRecord, hasUserRecord, isFirstMark, readUserRecord } from './user-state.ts';

type Count = { count: number };
const isCount = hasShape<Count>({ count: isNumber });
const PLACE = 'counts/a.json';

let project: TempProject;
let env: Environment;
let folder: string;

beforeEach(() => {
  project = tempProject('project', { emptyHome: true });
  env = { HOME: project.home };
  folder = path.join(project.home, '.local/state/holdfast');
});

afterEach(() => {
  vi.restoreAllMocks();
  project.remove();
});

const add = (): void =>
  changeUserRecord(env, PLACE, isCount, (known) => ({ count: (known?.count ?? 0) + 1 }));
const read = (): Count | null => readUserRecord(env, PLACE, isCount);
const modeOf = (name: string): string => (fs.statSync(path.join(folder, name)).mode & 0o777).toString(8);

describe('a record of the user’s', () => {
  it('is none before it is written, and none after it is removed', () => {
    expect([hasUserRecord(env, PLACE), read()]).toEqual([false, null]);
    add();
    add();
    expect([hasUserRecord(env, PLACE), read()]).toEqual([true, { count: 2 }]);
    changeUserRecord(env, PLACE, isCount, () => null);
    expect([hasUserRecord(env, PLACE), read()]).toEqual([false, null]);
  });

  it('is nobody else’s, whatever the umask', () => {
    const before = process.umask(0);
    try {
      add();
    } finally {
      process.umask(before);
    }

    expect([modeOf('.'), modeOf('counts'), modeOf(PLACE), modeOf('lock')]).toEqual([
      '700',
      '700',
      '600',
      '600',
    ]);
  });

  it('closes a folder that an earlier version left open', () => {
    fs.mkdirSync(path.join(folder, 'counts'), { recursive: true });
    fs.chmodSync(folder, 0o755);
    fs.chmodSync(path.join(folder, 'counts'), 0o777);
    add();

    expect([modeOf('.'), modeOf('counts')]).toEqual(['700', '700']);
  });

  it('stays as it was when its change fails', () => {
    add();

    expect(() =>
      changeUserRecord(env, PLACE, isCount, () => {
        throw new Error('no');
      }),
    ).toThrow('no');
    expect(read()).toEqual({ count: 1 });
    add();
    expect(read()).toEqual({ count: 2 });
  });

  it('is on the disk before it has its name', () => {
    const steps: string[] = [];
    for (const step of ['writeAll', 'sync', 'rename', 'syncFolder'] as const)
      vi.spyOn(disk, step).mockImplementation((() => steps.push(step)) as never);
    add();

    expect(steps).toEqual(['writeAll', 'sync', 'rename', 'syncFolder']);
  });

  it.each(['', '{', '[]', 'null', '{"count":"1"}'])('counts as none when it holds %j', (text) => {
    add();
    fs.writeFileSync(path.join(folder, PLACE), text);

    expect(read()).toBeNull();
    add();
    expect(read()).toEqual({ count: 1 });
  });

  it('waits for whoever changes another, and not for ever', () => {
    add();
    const held = tryHold(path.join(folder, 'lock'));
    try {
      expect(add).toThrow(LockBusy);
    } finally {
      held?.release();
    }
    add();
    expect(read()).toEqual({ count: 2 });
  });

  it('is refused behind a link, wherever it leads, and as a FIFO', () => {
    add();
    const file = path.join(folder, PLACE);
    fs.renameSync(file, path.join(folder, 'counts/b.json'));
    fs.symlinkSync('b.json', file);
    expect(read).toThrow(Refused);
    expect(add).toThrow(Refused);

    fs.rmSync(file);
    execFileSync('mkfifo', [file]);
    expect(read).toThrow(Refused);

    fs.rmSync(path.join(folder, 'counts'), { recursive: true });
    fs.mkdirSync(path.join(folder, 'others'));
    fs.writeFileSync(path.join(folder, 'others/a.json'), '{"count":1}');
    fs.symlinkSync('others', path.join(folder, 'counts'));
    expect(read).toThrow(Refused);
    expect(add).toThrow(Refused);
    expect(fs.readdirSync(path.join(folder, 'others'))).toEqual(['a.json']);
  });

  it('is refused when it, or its folder, is another user’s', () => {
    add();
    const { uid } = fs.statSync(folder);
    vi.spyOn(process, 'geteuid').mockReturnValue(uid + 1);

    expect(read).toThrow(/belongs to another user/);
    expect(add).toThrow(/belongs to another user/);
  });

  it('is root’s to use in the home of its user alone', () => {
    add();
    const found = fs.statSync(folder);
    vi.spyOn(process, 'geteuid').mockReturnValue(0);
    const others = (file: string): void => {
      const real = fs.statSync.bind(fs);
      vi.spyOn(fs, 'fstatSync').mockReturnValue({ ...found, uid: 4711, isFile: () => true } as never);
      vi.spyOn(fs, 'statSync').mockImplementation(((at: string, options: object) =>
        at === file ? { uid: 4711 } : real(at, options)) as never);
    };
    others('/nowhere');
    expect(read).toThrow(/belongs to another user/);
    vi.restoreAllMocks();
    vi.spyOn(process, 'geteuid').mockReturnValue(0);
    others(project.home);
    expect(read).not.toThrow();
  });

  it('may be kept wherever the user’s folder leads', () => {
    fs.mkdirSync(path.join(project.home, 'elsewhere'));
    fs.mkdirSync(path.join(project.home, '.local/state'), { recursive: true });
    fs.symlinkSync('../../elsewhere', folder);
    add();

    expect(read()).toEqual({ count: 1 });
    expect(fs.readdirSync(path.join(project.home, 'elsewhere')).sort()).toEqual(['counts', 'lock']);
  });
});

describe('a mark', () => {
  it('is the first once', () => {
    expect([isFirstMark(env, 'm'), isFirstMark(env, 'm'), isFirstMark(env, 'n')]).toEqual([
      true,
      false,
      true,
    ]);
    expect(modeOf('m')).toBe('600');
  });

  it('says so when it cannot be made', () => {
    fs.mkdirSync(path.dirname(folder), { recursive: true });
    fs.writeFileSync(folder, 'in the way');

    expect(() => isFirstMark(env, 'm')).toThrow();
  });
});

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
import {
  changeUserRecord,
  hasUserRecord,
  isFirstMark,
  makeUserFolder,
  readUserRecord,
  userRecordsIn,
  userStateFolder,
} from './user-state.ts';

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
      expect(add).toThrow(
        new LockBusy(
          `Another Holdfast process still holds ${path.join(folder, 'lock')} after 2000 ms; try again when it has ended.`,
        ),
      );
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

describe('what is said of a record that is not read', () => {
  const file = () => path.join(folder, PLACE);

  it('that it is behind a link', () => {
    add();
    fs.renameSync(file(), path.join(folder, 'b.json'));
    fs.symlinkSync('../b.json', file());
    expect(read).toThrow(
      expect.objectContaining({
        message: `${file()} is behind a link and is not read; remove it`,
        file: file(),
      }),
    );
  });

  it('how long it is', () => {
    add();
    const most = 4 * 1024 * 1024;
    fs.writeFileSync(file(), `{"count":1}${' '.repeat(most - 11)}`);
    expect(read()).toEqual({ count: 1 });
    fs.appendFileSync(file(), ' ');
    expect(read).toThrow(
      new Refused(`${file()} is ${most + 1} bytes long, more than the ${most} that are read`),
    );
  });

  it('whose it is, and how it goes', () => {
    add();
    const { uid } = fs.statSync(folder);
    vi.spyOn(process, 'geteuid').mockReturnValue(uid + 1);
    expect(read).toThrow(
      new Refused(
        `${file()} belongs to another user (${uid}), so nothing in it counts; to fix it, run \`sudo rm -r ${file()}\``,
      ),
    );
  });

  it('nothing, where it goes away meanwhile', () => {
    add();
    const real = fs.realpathSync.native;
    vi.spyOn(fs.realpathSync, 'native').mockImplementation(((at: string) => {
      const found = real(at);
      if (at === file()) fs.rmSync(at);
      return found;
    }) as never);
    expect(read()).toBeNull();
  });
});

describe('the user’s state folder', () => {
  it.each([
    [{ XDG_STATE_HOME: '/state', HOME: '/home' }, '/state/holdfast'],
    [{ XDG_STATE_HOME: 'relative', HOME: '/home' }, '/home/.local/state/holdfast'],
    [{ HOME: '/home' }, '/home/.local/state/holdfast'],
  ])('of %j is %s', (of, expected) => {
    expect(userStateFolder(of)).toBe(expected);
  });

  it('is made, and given as it really is', () => {
    expect(makeUserFolder(env)).toBe(fs.realpathSync(folder));
    fs.renameSync(folder, path.join(project.home, 'moved'));
    fs.symlinkSync(path.join(project.home, 'moved'), folder);
    expect(makeUserFolder(env)).toBe(fs.realpathSync(path.join(project.home, 'moved')));
  });

  it('is not closed where it is not ours to change', () => {
    add();
    fs.chmodSync(folder, 0o755);
    const real = fs.statSync.bind(fs);
    vi.spyOn(process, 'geteuid').mockReturnValue(0);
    vi.spyOn(fs, 'statSync').mockImplementation(((at: string, options: object) =>
      Object.assign(real(at, options) as fs.Stats, { uid: 4711 })) as never);
    const change = vi.spyOn(disk, 'setFolderMode');
    expect(makeUserFolder(env)).toBe(fs.realpathSync(folder));
    expect(change).not.toHaveBeenCalled();
  });

  it('is left as it is where it is closed already', () => {
    add();
    const change = vi.spyOn(disk, 'setFolderMode');
    add();
    expect(change).not.toHaveBeenCalled();
  });

  it('is its user’s, whoever the home belongs to', () => {
    add();
    const real = fs.statSync.bind(fs);
    vi.spyOn(fs, 'statSync').mockImplementation(((at: string, options: object) =>
      at === project.home ? { uid: 4711 } : real(at, options)) as never);
    expect(read()).toEqual({ count: 1 });
  });

  it('has no record open once it is read', () => {
    add();
    const next = (): number => {
      const descriptor = fs.openSync(folder, 'r');
      fs.closeSync(descriptor);
      return descriptor;
    };
    const before = next();
    read();
    expect(next()).toBe(before);
  });

  it('lists the records of a folder by their names, and nothing else', () => {
    expect(userRecordsIn(env, 'counts')).toEqual([]);
    for (const name of ['b.json', 'a.json', '.c.json', 'd.json.tmp', 'e.txt', 'json'])
      changeUserRecord(env, `counts/${name}`, isCount, () => ({ count: 1 }));
    expect(userRecordsIn(env, 'counts')).toEqual(['counts/a.json', 'counts/b.json']);
    vi.spyOn(fs, 'readdirSync').mockReturnValueOnce(['b.json', 'a.json'] as never);
    expect(userRecordsIn(env, 'counts')).toEqual(['counts/a.json', 'counts/b.json']);
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

    expect(() => isFirstMark(env, 'm')).toThrow('EEXIST');
    fs.rmSync(folder);
    expect(() => isFirstMark(env, 'none/m')).toThrow('ENOENT');
  });
});

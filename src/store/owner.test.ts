// Whose a new file is. The process is taken for root here whoever it is: in a folder of its own user it then gives to
// that user what is that user's already, so that the way is the same without rights. Really root, it works in another's.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { folderOf, makeFolderAsOwner, makeNewFolder, openAsOwner, privateMode } from './owner.ts';

const { O_RDONLY, O_RDWR, O_WRONLY, O_CREAT, O_EXCL } = fs.constants;
const isReallyRoot = process.geteuid?.() === 0;
const OTHER = 4242;

let folder: string;
/** What the process takes away from every mode. */
const umask = process.umask();

beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-owner-')));
  if (isReallyRoot) fs.chownSync(folder, OTHER, OTHER);
});
afterEach(() => {
  vi.restoreAllMocks();
  fs.rmSync(folder, { recursive: true, force: true });
});

const inFolder = (name: string): string => path.join(folder, name);
const ownerOf = (file: string): number[] => {
  const { uid, gid } = fs.lstatSync(file);
  return [uid, gid];
};
const modeOf = (file: string): number => fs.statSync(file).mode & 0o7777;
const openFiles = (): number => (process.platform === 'linux' ? fs.readdirSync('/proc/self/fd').length : 0);
const as = (user: 'root' | 'a user'): void => {
  vi.spyOn(process as Required<typeof process>, 'geteuid').mockReturnValue(user === 'root' ? 0 : 1);
};

/** Opens, closes, and answers with what the file holds then. */
function opened(name: string, flags: number, mode = 0o640): string {
  const descriptor = openAsOwner(inFolder(name), flags, mode);
  fs.closeSync(descriptor);
  return fs.readFileSync(inFolder(name), 'utf8');
}

describe.each(['root', 'a user'] as const)('as %s', (user) => {
  beforeEach(() => as(user));
  const ownerThen = (): number[] =>
    user === 'root' ? ownerOf(folder) : [process.getuid?.() ?? 0, process.getgid?.() ?? 0];

  it('a new file is the folder’s owner’s where root makes it, with the mode that was asked for', () => {
    const before = openFiles();
    expect(opened('new', O_RDWR | O_CREAT)).toBe('');
    expect(opened('exclusive', O_RDWR | O_CREAT | O_EXCL, 0o600)).toBe('');
    expect(ownerOf(inFolder('new'))).toEqual(ownerThen());
    expect(ownerOf(inFolder('exclusive'))).toEqual(ownerThen());
    expect([modeOf(inFolder('new')), modeOf(inFolder('exclusive'))]).toEqual([
      0o640 & ~umask,
      0o600 & ~umask,
    ]);
    expect(openFiles()).toBe(before);
  });

  it('a file that is there stays whose it is, and keeps what it holds', () => {
    fs.writeFileSync(inFolder('kept'), 'kept');
    const before = ownerOf(inFolder('kept'));
    expect(opened('kept', O_RDWR | O_CREAT)).toBe('kept');
    expect(opened('kept', O_RDONLY)).toBe('kept');
    expect(opened('kept', O_WRONLY)).toBe('kept');
    expect(ownerOf(inFolder('kept'))).toEqual(before);
    expect(() => opened('kept', O_RDWR | O_CREAT | O_EXCL)).toThrow('EEXIST');
  });

  it('one that is not there is not made where that was not asked for', () => {
    const before = openFiles();
    expect(() => opened('none', O_RDWR)).toThrow('ENOENT');
    expect(() => opened('none/below', O_RDWR | O_CREAT)).toThrow('ENOENT');
    expect(fs.readdirSync(folder)).toEqual([]);
    expect(openFiles()).toBe(before);
  });

  it('a folder in a file’s place is refused', () => {
    fs.mkdirSync(inFolder('taken'));
    expect(() => opened('taken', O_RDWR | O_CREAT)).toThrow('EISDIR');
  });

  it('one new folder is made, and refused where something is', () => {
    const before = openFiles();
    makeNewFolder(inFolder('one'), 0o700);
    expect(ownerOf(inFolder('one'))).toEqual(ownerThen());
    expect(modeOf(inFolder('one'))).toBe(0o700 & ~umask);
    expect(() => makeNewFolder(inFolder('one'), 0o700)).toThrow('EEXIST');
    expect(() => makeNewFolder(inFolder('none/below'), 0o700)).toThrow('ENOENT');
    expect(openFiles()).toBe(before);
  });

  it('all folders that are missing on the way are made', () => {
    makeFolderAsOwner(inFolder('a/b/c'));
    for (const each of ['a', 'a/b', 'a/b/c']) {
      expect(ownerOf(inFolder(each))).toEqual(ownerThen());
      expect(modeOf(inFolder(each))).toBe(0o777 & ~umask);
    }
    makeFolderAsOwner(inFolder('a/b/c'));
    expect(fs.readdirSync(inFolder('a'))).toEqual(['b']);
    fs.writeFileSync(inFolder('file'), '');
    expect(() => makeFolderAsOwner(inFolder('file'))).toThrow('EEXIST');
    expect(() => makeFolderAsOwner(inFolder('file/below'))).toThrow('ENOTDIR');
  });
});

describe('as root', () => {
  beforeEach(() => as('root'));

  it('a folder that somebody makes in between is taken as it is; a file is refused', () => {
    const makeFolder = fs.mkdirSync;
    const meanwhile = (make: (place: string) => void): void => {
      vi.spyOn(fs, 'mkdirSync').mockImplementationOnce(((place: string, mode: number) => {
        make(place);
        return makeFolder(place, mode);
      }) as never);
    };
    meanwhile((place) => makeFolder(place));
    makeFolderAsOwner(inFolder('a/b'));
    expect(fs.statSync(inFolder('a/b')).isDirectory()).toBe(true);
    meanwhile((place) => fs.writeFileSync(place, ''));
    expect(() => makeFolderAsOwner(inFolder('c'))).toThrow('EEXIST');
  });

  it('a file that somebody makes in between is opened as it is', () => {
    const open = fs.openSync;
    const spy = vi.spyOn(fs, 'openSync');
    // The folder, and the file that is not there yet; then somebody makes it.
    spy.mockImplementationOnce(open).mockImplementationOnce(((place: string, flags: number) => {
      try {
        return open(place, flags);
      } finally {
        fs.writeFileSync(inFolder('raced'), 'theirs');
      }
    }) as never);
    // Elsewhere there is no moment in between.
    expect(opened('raced', O_RDWR | O_CREAT)).toBe(process.platform === 'linux' ? 'theirs' : '');
  });

  it('what may not be given away stays root’s', () => {
    vi.spyOn(fs, 'fchownSync').mockImplementation(() => {
      throw Object.assign(new Error('EPERM'), { code: 'EPERM' });
    });
    expect(opened('new', O_RDWR | O_CREAT)).toBe('');
    expect(ownerOf(inFolder('new'))).toEqual([process.getuid?.(), process.getgid?.()]);
  });

  it('a folder that is not empty any more is not given away', () => {
    const given = vi.spyOn(fs, 'fchownSync');
    vi.spyOn(fs, 'readdirSync').mockReturnValueOnce(['theirs'] as never);
    const look = fs.fstatSync;
    vi.spyOn(fs, 'fstatSync')
      .mockImplementationOnce(look)
      .mockReturnValueOnce({ uid: 0 } as never);
    makeNewFolder(inFolder('one'), 0o700);
    expect(given).not.toHaveBeenCalled();
  });

  it('an empty folder that another user put in its place is not given away', () => {
    const given = vi.spyOn(fs, 'fchownSync');
    const look = fs.fstatSync;
    vi.spyOn(fs, 'fstatSync')
      .mockImplementationOnce(look)
      .mockReturnValueOnce({ uid: 4711 } as never);
    makeNewFolder(inFolder('one'), 0o700);
    expect(given).not.toHaveBeenCalled();
  });

  it('in a folder of its own gives nothing away, leaves nothing open, and asks whose it is once', () => {
    const given = vi.spyOn(fs, 'fchownSync');
    vi.spyOn(fs, 'fstatSync').mockReturnValue({ uid: 0, gid: 0 } as never);
    const before = openFiles();
    const open = vi.spyOn(fs, 'openSync');
    expect([opened('one', O_RDWR | O_CREAT), opened('two', O_RDWR | O_CREAT)]).toEqual(['', '']);
    expect(given).not.toHaveBeenCalled();
    expect(openFiles()).toBe(before);
    expect(open.mock.calls.filter(([place]) => place === folder).length).toBeLessThan(2);
  });

  it('gives nothing away where an open folder has no name of its own', async () => {
    const given = vi.spyOn(fs, 'fchownSync');
    vi.spyOn(fs, 'existsSync').mockReturnValue(false);
    // It asks once in a process.
    vi.resetModules();
    const again = await import('./owner.ts');
    fs.closeSync(again.openAsOwner(inFolder('one'), O_RDWR | O_CREAT, 0o640));
    expect(fs.readFileSync(inFolder('one'), 'utf8')).toBe('');
    expect(given).not.toHaveBeenCalled();
  });

  it('says what is wrong where a file cannot be made', () => {
    const open = fs.openSync;
    vi.spyOn(fs, 'openSync').mockImplementation(((place: string, flags: number, mode: number) => {
      if ((flags & O_CREAT) !== 0) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
      return open(place, flags, mode);
    }) as never);
    expect(() => opened('new', O_RDWR | O_CREAT)).toThrow('ENOSPC');
    expect(() => opened('new', O_RDWR | O_CREAT | O_EXCL)).toThrow('ENOSPC');
  });

  it('says that something was there where it is gone again', () => {
    vi.spyOn(fs, 'mkdirSync').mockImplementation(() => {
      throw Object.assign(new Error('EEXIST'), { code: 'EEXIST' });
    });
    expect(() => makeFolderAsOwner(inFolder('a'))).toThrow('EEXIST');
  });
});

describe('notes that are private', () => {
  it.each([
    [0o755, 0o600],
    [0o2755, 0o600],
    [0o2770, 0o660],
    [0o2775, 0o660],
  ])('in a folder with the mode %o have %o', (mode, expected) => {
    fs.chownSync(folder, process.getuid?.() ?? 0, process.getegid?.() ?? 0);
    fs.chmodSync(folder, mode);
    expect(privateMode(folder)).toBe(expected);
  });

  it('are the group’s where the folder is another group’s, which may write it', () => {
    fs.chownSync(folder, process.getuid?.() ?? 0, process.getegid?.() ?? 0);
    fs.chmodSync(folder, 0o775);
    expect(privateMode(folder)).toBe(0o600);
    vi.spyOn(process as Required<typeof process>, 'getegid').mockReturnValue(OTHER);
    expect(privateMode(folder)).toBe(0o660);
    fs.chmodSync(folder, 0o755);
    expect(privateMode(folder)).toBe(0o600);
  });

  it('are nobody else’s where there is no folder', () => {
    expect(privateMode(inFolder('none'))).toBe(0o600);
  });
});

it.each([
  ['/a/b/c', '/a/b'],
  ['/a', '/'],
  ['a/b', 'a'],
  ['a', '.'],
])('the folder of %s is %s', (file, expected) => {
  expect(folderOf(file)).toBe(expected);
});

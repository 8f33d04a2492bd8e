import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Refused } from './files.ts';
import { explainDenied, inOneLine, sayTrouble, type Trouble, troubleWith, type Use } from './trouble.ts';

let root: string;
beforeEach(() => {
  root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-trouble-')));
});
afterEach(() => {
  vi.restoreAllMocks();
  fs.rmSync(root, { recursive: true, force: true });
});

const at = (name: string): string => path.join(root, name);
const write = (name: string): string => {
  fs.mkdirSync(path.dirname(at(name)), { recursive: true });
  fs.writeFileSync(at(name), 'x');
  return at(name);
};
const systemError = (code: string, more: object): Error => Object.assign(new Error(code), { code, ...more });

/** The system denies these rights at this place; whose it is, and what else is theirs, can be said otherwise. */
function deny(
  place: string,
  rights: number,
  { code = 'EACCES', uid = process.geteuid?.() ?? 0, theirs = [place] } = {},
): void {
  const access = fs.accessSync;
  vi.spyOn(fs, 'accessSync').mockImplementation((file, mode = 0) => {
    if (file === place && (mode & rights) !== 0) throw systemError(code, { path: place });
    return access(file, mode);
  });
  const look = fs.lstatSync;
  vi.spyOn(fs, 'lstatSync').mockImplementation(((file: string, options: object) => {
    const found = look(file, options);
    return theirs.includes(file) && found !== undefined ? Object.assign(found, { uid }) : found;
  }) as typeof fs.lstatSync);
}

const { R_OK, W_OK, X_OK } = fs.constants;
const USES: readonly Use[] = ['read', 'replace', 'append'];

describe('a place', () => {
  it.each(USES)('without trouble has none, to %s', (use) => {
    expect(troubleWith(write('a/file'), root, 'file', use)).toBeNull();
    expect(troubleWith(at('a'), root, 'folder', use)).toBeNull();
    expect(troubleWith(at('a'), root, 'either', use)).toBeNull();
    expect(troubleWith(at('a/file'), root, 'either', use)).toBeNull();
    expect(troubleWith(at('nothing/yet'), root, 'file', use)).toBeNull();
    expect(troubleWith(root, root, 'folder', use)).toBeNull();
  });

  it('where a file belongs is a folder', () => {
    fs.mkdirSync(at('a b'));
    expect(troubleWith(at('a b'), root, 'file', 'read')).toEqual({
      what: `${at('a b')} is a folder where a file belongs`,
      fix: `run \`mv '${at('a b')}' '${at('a b')}.aside'\``,
    });
  });

  it('where a folder belongs is a file, at its end or on the way', () => {
    const file = write('a');
    const trouble = {
      what: `${file} is a file where a folder belongs`,
      fix: `run \`mv ${file} ${file}.aside\``,
    };
    expect(troubleWith(file, root, 'folder', 'read')).toEqual(trouble);
    expect(troubleWith(at('a/b/c'), root, 'file', 'append')).toEqual(trouble);
  });

  it.each(['folder', 'file', 'either'] as const)('where a %s belongs is a FIFO', (kind) => {
    execFileSync('mkfifo', [at('pipe')]);
    const wanted = kind === 'folder' ? 'folder' : 'file';
    expect(troubleWith(at('pipe'), root, kind, 'read')).toEqual({
      what: `${at('pipe')} is a FIFO where a ${wanted} belongs`,
      fix: `run \`rm ${at('pipe')}\``,
    });
  });

  it('is a socket', async () => {
    const server = net.createServer();
    await new Promise<void>((resolve) => server.listen(at('s'), resolve));
    expect(troubleWith(at('s'), root, 'file', 'read')?.what).toBe(
      `${at('s')} is a socket where a file belongs`,
    );
    await new Promise((resolve) => server.close(resolve));
  });

  it('is a device', () => {
    expect(troubleWith('/dev/null', '/dev', 'file', 'read')).toEqual({
      what: '/dev/null is a device where a file belongs',
      fix: 'run `rm /dev/null`',
    });
  });
});

describe('a link', () => {
  it('that stays inside is followed', () => {
    fs.symlinkSync(write('file'), at('link'));
    fs.mkdirSync(at('real'));
    fs.symlinkSync(at('real'), at('folder'));
    write('real/file');
    expect(troubleWith(at('link'), root, 'file', 'append')).toBeNull();
    expect(troubleWith(at('folder/file'), root, 'file', 'append')).toBeNull();
  });

  it('that leads out is not', () => {
    fs.symlinkSync('/usr', at('link'));
    const trouble: Trouble = {
      what: `${at('link')} is a link out of ${root} (to /usr), and no such link is followed`,
      fix: `put the file itself there, or run \`rm ${at('link')}\``,
    };
    expect(troubleWith(at('link'), root, 'folder', 'read')).toEqual(trouble);
    expect(troubleWith(at('link/lib'), root, 'either', 'read')).toEqual(trouble);
  });

  it('leads nowhere, or in circles, or where nobody may look', () => {
    fs.symlinkSync(at('nothing'), at('one'));
    fs.symlinkSync(at('circle'), at('circle'));
    const fix = (name: string): string => `run \`rm ${at(name)}\``;
    expect(troubleWith(at('one'), root, 'file', 'read')).toEqual({
      ...{ what: `${at('one')} is a link to nowhere`, fix: fix('one') },
    });
    expect(troubleWith(at('circle'), root, 'file', 'read')).toEqual({
      ...{ what: `${at('circle')} is a link that goes in circles`, fix: fix('circle') },
    });
    vi.spyOn(fs.realpathSync, 'native').mockImplementation(() => {
      throw systemError('EACCES', {});
    });
    expect(troubleWith(at('one'), root, 'file', 'read')).toEqual({
      ...{ what: `${at('one')} is a link that leads where you may not look`, fix: fix('one') },
    });
  });
});

describe('rights', () => {
  it('that are missing on the way stop every use', () => {
    write('a/file');
    deny(at('a'), X_OK);
    fs.chmodSync(at('a'), 0o755);
    for (const use of USES)
      expect(troubleWith(at('a/file'), root, 'file', use)).toEqual({
        what: `${at('a')} cannot be entered: its mode is 0755`,
        fix: `run \`chmod u+rwx ${at('a')}\``,
      });
  });

  it('to read a file are needed for every use, and to write it for appending', () => {
    const file = write('a/file');
    fs.chmodSync(file, 0o044);
    deny(file, R_OK);
    const unread = { what: `${file} cannot be read: its mode is 0044`, fix: `run \`chmod u+rw ${file}\`` };
    expect(USES.map((use) => troubleWith(file, root, 'file', use))).toEqual([unread, unread, unread]);
    vi.restoreAllMocks();
    fs.chmodSync(file, 0o644);
    deny(file, W_OK);
    const closed = { what: `${file} cannot be written: its mode is 0644`, fix: `run \`chmod u+rw ${file}\`` };
    expect(USES.map((use) => troubleWith(file, root, 'file', use))).toEqual([null, null, closed]);
  });

  it('to write its folder are needed to replace a file, and to make one', () => {
    const file = write('a/file');
    fs.chmodSync(at('a'), 0o755);
    deny(at('a'), W_OK);
    const closed = {
      what: `${at('a')} cannot be written: its mode is 0755`,
      fix: `run \`chmod u+rwx ${at('a')}\``,
    };
    expect(USES.map((use) => troubleWith(file, root, 'file', use))).toEqual([null, closed, null]);
    expect(USES.map((use) => troubleWith(at('a/new'), root, 'file', use))).toEqual([null, closed, closed]);
    expect(USES.map((use) => troubleWith(at('a'), root, 'folder', use))).toEqual([null, closed, closed]);
  });

  it('of a disk that is mounted read-only are nobody’s to change', () => {
    const file = write('file');
    deny(file, W_OK, { code: 'EROFS' });
    expect(troubleWith(file, root, 'file', 'append')).toEqual({
      what: `${file} cannot be written: its disk is mounted read-only`,
      fix: 'work where you may write, or mount that disk for writing',
    });
  });

  it('of another user’s file are changed for it alone, or for all of our folder', () => {
    const me =
      /^([^:]+):/.exec(
        fs
          .readFileSync('/etc/passwd', 'utf8')
          .split('\n')
          .find((line) => line.split(':')[2] === String(process.geteuid?.())) ?? '',
      )?.[1] ?? String(process.geteuid?.());
    const file = write('a/file');
    deny(file, W_OK, { uid: 4_000_001 });
    expect(troubleWith(file, root, 'file', 'append')).toEqual({
      what: `${file} cannot be written: it belongs to user 4000001, and you are ${me}`,
      fix: `run \`sudo chown -R ${me} ${file}\``,
    });
    vi.restoreAllMocks();
    const ours = write('.holdfast/runs/one');
    deny(ours, W_OK, { uid: 4_000_001 });
    expect(troubleWith(ours, root, 'file', 'append')?.fix).toBe(
      `run \`sudo chown -R ${me} ${at('.holdfast')}\``,
    );
  });
});

describe('rights of another user', () => {
  const OTHER = 4_000_001;
  const fixOf = (place: string): string | undefined => troubleWith(place, root, 'either', 'append')?.fix;

  it('are changed for the uppermost folder that is theirs', () => {
    const file = write('a/b/c/file');
    deny(file, W_OK, { uid: OTHER, theirs: [at('a/b'), at('a/b/c'), file] });
    expect(fixOf(file)).toMatch(new RegExp(` ${at('a/b')}\`$`));
  });

  it('are changed for the project where it is theirs', () => {
    deny(root, W_OK, { uid: OTHER });
    expect(fixOf(at('new'))).toMatch(new RegExp(` ${root}\`$`));
    expect(fixOf(root)).toMatch(new RegExp(` ${root}\`$`));
  });

  it.each([
    ['a group of ours that may write', OTHER, 0o040_775, 7, true],
    ['a group of ours that may only read', OTHER, 0o040_755, 7, false],
    ['another group', OTHER, 0o040_775, 8, false],
    ['our own user', null, 0o040_775, 7, false],
  ])('in a project of %s', (_, owner, mode, gid, isShared) => {
    const file = write('a/file');
    deny(file, W_OK, { uid: OTHER });
    vi.spyOn(process as Required<typeof process>, 'getgroups').mockReturnValue([5, 7]);
    const look = fs.statSync;
    vi.spyOn(fs, 'statSync').mockImplementation(((place: string) =>
      place === root
        ? Object.assign(look(place), { uid: owner ?? process.geteuid?.(), gid, mode })
        : look(place)) as typeof fs.statSync);
    const start = isShared ? 'sudo chmod -R g+rwX ' : 'sudo chown -R ';
    expect(fixOf(file)?.startsWith(`run \`${start}`)).toBe(true);
  });

  it('name the users by their numbers where no file has their names', () => {
    const file = write('a/file');
    deny(file, W_OK, { uid: OTHER });
    vi.spyOn(fs, 'readFileSync').mockImplementation(() => {
      throw systemError('ENOENT', {});
    });
    const me = process.geteuid?.();
    expect(troubleWith(file, root, 'file', 'append')).toEqual({
      what: `${file} cannot be written: it belongs to user ${OTHER}, and you are ${me}`,
      fix: `run \`sudo chown -R ${me} ${file}\``,
    });
  });
});

describe('the trouble behind an error', () => {
  it('is none where nothing shows', () => {
    const file = write('file');
    expect([null, undefined, 'text'].map((error) => explainDenied(error, root))).toEqual([null, null, null]);
    expect(explainDenied(new Error('plain'), root)).toBeNull();
    expect(explainDenied(systemError('EIO', { path: file, syscall: 'mkdir' }), root)).toBeNull();
    expect(explainDenied(systemError('EACCES', {}), root)).toBeNull();
    expect(explainDenied(systemError('EACCES', { path: 'relative' }), root)).toBeNull();
    expect(explainDenied(systemError('EACCES', { path: file }), root)).toBeNull();
    expect(explainDenied(new Refused('no place'), root)).toBeNull();
  });

  it('is what is in the way of a file or folder', () => {
    const file = write('file');
    fs.mkdirSync(at('folder'));
    const isFile = `${file} is a file where a folder belongs`;
    const isFolder = `${at('folder')} is a folder where a file belongs`;
    const of = (code: string, more: object): string | undefined =>
      explainDenied(systemError(code, more), root)?.what;
    expect(of('EEXIST', { path: file, syscall: 'mkdir' })).toBe(isFile);
    expect(of('ENOTDIR', { path: file, syscall: 'scandir' })).toBe(isFile);
    expect(of('ENOTDIR', { path: at('file/below'), syscall: 'open' })).toBe(isFile);
    expect(of('EEXIST', { path: file, syscall: 'open' })).toBeUndefined();
    expect(of('EISDIR', { path: at('folder') })).toBe(isFolder);
    expect(of('EISDIR', { path: file, dest: at('folder') })).toBe(isFolder);
    expect(explainDenied(new Refused('x', { file: at('folder') }), root)?.what).toBe(isFolder);
  });

  it('is that of its cause, where it has one', () => {
    fs.mkdirSync(at('folder'));
    const cause = systemError('EISDIR', { path: at('folder') });
    expect(explainDenied(new Refused('x', { cause }), root)?.what).toContain(
      'is a folder where a file belongs',
    );
    expect(explainDenied(new Error('x', { cause }), root)).toBeNull();
  });

  it('of rights is that of the file, or else of its folder', () => {
    const file = write('a/file');
    deny(at('a'), W_OK);
    expect(explainDenied(systemError('EPERM', { path: file }), root)?.what).toMatch(/\/a cannot be written/);
    vi.restoreAllMocks();
    deny(file, W_OK);
    expect(explainDenied(systemError('EROFS', { path: file }), root)?.what).toMatch(/file cannot be written/);
  });

  it('is none where it is gone by now', () => {
    vi.spyOn(fs, 'lstatSync').mockImplementation(() => {
      throw systemError('ENOENT', {});
    });
    expect(explainDenied(systemError('EACCES', { path: at('a') }), root)).toBeNull();
  });

  it.each([
    ['.holdfast', []],
    ['.local', []],
    ['.config', []],
    ['.claudex', ['.claudex']],
  ])('without a project is looked for from where %s begins', (name, folders) => {
    fs.symlinkSync('/usr', at(name));
    const error = systemError('ENOTDIR', { path: at(`${name}/runs/one`), syscall: 'open' });
    expect(explainDenied(error, null, folders)?.what).toBe(
      `${at(name)} is a link out of ${root} (to /usr), and no such link is followed`,
    );
    // A root that it does not lie in is none.
    expect(explainDenied(error, '/elsewhere', folders)?.what).toContain(`out of ${root}`);
  });

  it('is one line for a person', () => {
    fs.mkdirSync(at('folder'));
    const error = systemError('EISDIR', { path: at('folder') });
    expect(inOneLine(error, root)).toBe(
      `${at('folder')} is a folder where a file belongs: run \`mv ${at('folder')} ${at('folder')}.aside\``,
    );
    expect(inOneLine(new Error('first\nsecond'), root)).toBe('first');
    expect(sayTrouble({ what: 'it is so', fix: 'do that' })).toBe('it is so; to fix it, do that');
  });
});

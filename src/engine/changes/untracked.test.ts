import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { bareProject } from '../../../test/support/bare-project.ts';
import type { Git } from '../proof/git.ts';
import { type Untracked, untrackedFiles } from './untracked.ts';

let top: string;
beforeEach(() => {
  top = bareProject().root;
});

const write = (file: string, content: string | Buffer, mode = 0o644): void =>
  fs.writeFileSync(path.join(top, file), content, { mode });

/** What is made of the lines that git lists. */
async function found(lines: readonly string[], mostBytes = 100_000): Promise<Untracked | null> {
  const git: Git = async () => Buffer.from(lines.map((line) => `${line}\0`).join(''), 'latin1');
  return untrackedFiles(asking(git), [], mostBytes);
}

const asking = (git: Git) => ({
  ...{ git, top, signal: new AbortController().signal, without: ['.holdfast'] },
  folders: {
    ...{ own: '/own', common: '/common', hash: 'sha1' as const },
    ...{ ignoreCase: false, precomposeUnicode: false, split: false },
  },
});

/** One new file: what is said of it, and its patch. */
async function added(name: string, mostBytes?: number): Promise<{ how: string; patch: string | null }> {
  const all = await found([`? ${name}`], mostBytes);
  expect(all?.odd).toEqual([]);
  expect(all?.files).toHaveLength(1);
  return { how: all?.files[0]?.how ?? '', patch: all?.patch?.toString('utf8') ?? null };
}

const head = (name: string, mode = '100644'): string =>
  `diff --git a/${name} b/${name}\nnew file mode ${mode}\n`;
const hunk = (name: string, size: string, mode?: string): string =>
  `${head(name, mode)}--- /dev/null\n+++ b/${name}\n@@ -0,0 +${size} @@\n`;

describe('a list of git’s', () => {
  it('is asked for with what is ignored, and is not known where git does not tell', async () => {
    const git = vi.fn<Git>(async () => null);
    expect(await untrackedFiles(asking(git), ['--exclude-from=x'], 10)).toBeNull();
    expect(git.mock.calls[0]?.[0]).toEqual([
      ...['ls-files', '--cached', '--others', '-v', '-z', '--exclude-from=x', '--'],
      ':(top,exclude,literal).holdfast',
    ]);
  });

  it('has nothing to say of what git knows and looks at', async () => {
    for (const name of ['a', 'b', 'c']) write(name, 'x\n');
    expect(await found(['H a', 'M b', 'C c'])).toEqual({ odd: [], files: [], patch: Buffer.alloc(0) });
    expect(await found([])).toEqual({ odd: [], files: [], patch: Buffer.alloc(0) });
  });

  it('names what git was told not to look at, while it is there', async () => {
    for (const name of ['flagged', 'skipped', 'both', 'n\n']) write(name, 'x\n');
    const how = 'git is told not to look at it: not in the patch';
    expect(await found(['h flagged', 'S skipped', 's both', 'h gone', 'z n\n', 'a gone'])).toEqual({
      odd: ['flagged', 'skipped', 'both', '"n\\n"'].map((name) => ({ name, how })),
      files: [],
      patch: Buffer.alloc(0),
    });
  });

  it('names repositories of their own', async () => {
    expect(await found(['? inner/', '? o"dd/', 'H known/'])).toEqual({
      odd: ['inner/', '"o\\"dd/"'].map((name) => ({
        ...{ name, how: 'a repository of its own: not in the patch' },
      })),
      files: [],
      patch: Buffer.alloc(0),
    });
  });
});

describe('a new file', () => {
  it.each([
    ['one line', 'x\n', 'new, +1', '1', '+x\n'],
    ['one line without an end', 'x', 'new, +1', '1', '+x\n\\ No newline at end of file\n'],
    ['two lines', 'x\ny\n', 'new, +2', '1,2', '+x\n+y\n'],
    ['two lines without an end', 'x\r\ny', 'new, +2', '1,2', '+x\r\n+y\n\\ No newline at end of file\n'],
    ['an empty line', '\n', 'new, +1', '1', '+\n'],
    ['empty lines at its end', 'x\n\n\n', 'new, +3', '1,3', '+x\n+\n+\n'],
    ['other letters', 'ü€\n', 'new, +1', '1', '+ü€\n'],
  ])('is an addition: %s', async (_, content, how, size, body) => {
    write('a.txt', content);
    expect(await added('a.txt')).toEqual({ how, patch: `${hunk('a.txt', size)}${body}` });
  });

  it('has its bytes in the patch as they are', async () => {
    const bytes = Buffer.from([0x66, 0xfc, 0xff, 0x0a]);
    write('latin', bytes);
    const all = await found(['? latin']);
    expect(all?.patch).toEqual(Buffer.concat([Buffer.from(`${hunk('latin', '1')}+`), bytes]));
  });

  it('is only named when it is empty', async () => {
    write('empty', '');
    expect(await added('empty')).toEqual({ how: 'new, +0', patch: head('empty') });
  });

  it('is a program when its owner may run it', async () => {
    write('run', 'x\n', 0o755);
    expect((await added('run')).patch).toBe(`${hunk('run', '1', '100755')}+x\n`);
    fs.chmodSync(path.join(top, 'run'), 0o611);
    expect((await added('run')).patch).toBe(`${hunk('run', '1')}+x\n`);
  });

  it('is binary with a zero among its first 8,000 bytes', async () => {
    const shown = { how: 'new, binary: not in the patch' };
    const text = `Binary files /dev/null and b/bin differ\n`;
    write('bin', Buffer.from([0, 1]));
    expect((await added('bin')).how).toBe(shown.how);
    write('bin', Buffer.concat([Buffer.alloc(7999, 'x'), Buffer.from([0])]));
    expect(await added('bin')).toEqual({ ...shown, patch: `${head('bin')}${text}` });
    write('bin', Buffer.concat([Buffer.alloc(8000, 'x'), Buffer.from([0])]));
    expect((await added('bin')).how).toBe('new, +1');
  });

  it('is where it leads when it is a link, never what is there', async () => {
    fs.symlinkSync('/etc/passwd', path.join(top, 'link'));
    expect(await added('link')).toEqual({
      how: 'new, +1',
      patch: `${hunk('link', '1', '120000')}+/etc/passwd\n\\ No newline at end of file\n`,
    });
  });

  it('is quoted as git does it', async () => {
    write('q"é\n', 'x\n');
    const name = Buffer.from('q"é\n').toString('latin1');
    expect((await added(name)).patch).toBe(
      'diff --git "a/q\\"\\303\\251\\n" "b/q\\"\\303\\251\\n"\nnew file mode 100644\n' +
        '--- /dev/null\n+++ "b/q\\"\\303\\251\\n"\n@@ -0,0 +1 @@\n+x\n',
    );
    expect((await found([`? ${name}`]))?.files[0]?.name).toBe('"q\\"\\303\\251\\n"');
  });

  it('is named and does not cost the patch when it cannot be read', async () => {
    execFileSync('mkfifo', [path.join(top, 'fifo')]);
    fs.mkdirSync(path.join(top, 'folder'));
    write('a', 'x\n');
    const all = await found(['? gone', '? fifo', '? folder', '? a']);
    expect(all?.files).toEqual([
      ...['gone', 'fifo', 'folder'].map((name) => ({ name, how: 'new, cannot be read' })),
      { name: 'a', how: 'new, +1' },
    ]);
    expect(all?.patch?.toString()).toBe(`${hunk('a', '1')}+x\n`);
  });

  it('is closed again', async () => {
    write('a', 'x\n');
    const open = vi.spyOn(fs, 'openSync');
    const close = vi.spyOn(fs, 'closeSync');
    try {
      await found(['? a', '? gone']);
      const opened = open.mock.results.flatMap(({ type, value }) => (type === 'return' ? [value] : []));
      expect(opened.length).toBeGreaterThan(0);
      expect(close.mock.calls.flat().sort()).toEqual(opened.sort());
    } finally {
      vi.restoreAllMocks();
    }
  });
});

describe('a patch of new files', () => {
  const both = (): string => `${hunk('a', '1')}+x\n${hunk('b', '1')}+y\n`;

  it('has them one after the other', async () => {
    write('a', 'x\n');
    write('b', 'y\n');
    const all = await found(['? a', 'H known', '? b']);
    expect(all?.files).toEqual([
      { name: 'a', how: 'new, +1' },
      { name: 'b', how: 'new, +1' },
    ]);
    expect(all?.patch?.toString()).toBe(both());
  });

  it('is as long as it may be, and none when it would be longer', async () => {
    write('a', 'x\n');
    write('b', 'y\n');
    const size = both().length;
    expect((await found(['? a', '? b'], size))?.patch?.toString()).toBe(both());
    expect(await found(['? a', '? b', '? a'], size - 1)).toEqual({
      odd: [],
      files: [
        { name: 'a', how: 'new, +1' },
        { name: 'b', how: 'new' },
        { name: 'a', how: 'new' },
      ],
      patch: null,
    });
  });

  it('is none when one file alone is longer, which is not read then', async () => {
    write('a', 'x'.repeat(101));
    const read = vi.spyOn(fs, 'readFileSync');
    try {
      expect(await added('a', 100)).toEqual({ how: 'new', patch: null });
      expect(read).not.toHaveBeenCalled();
      write('a', 'x'.repeat(100));
      expect(await added('a', 100)).toEqual({ how: 'new', patch: null });
      expect(read).toHaveBeenCalledOnce();
    } finally {
      vi.restoreAllMocks();
    }
  });

  it('is made of 5,000 files, and of no more', async () => {
    const lines = Array.from({ length: 5000 }, () => '? gone');
    const all = await found(lines);
    expect(all?.files.at(-1)?.how).toBe('new, cannot be read');
    expect(all?.patch).toEqual(Buffer.alloc(0));
    const more = await found([...lines, '? last']);
    expect(more?.files).toHaveLength(5001);
    expect(more?.files.slice(-2).map(({ how }) => how)).toEqual(['new, cannot be read', 'new']);
    expect(more?.patch).toBeNull();
  });
});

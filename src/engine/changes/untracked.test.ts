import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { bareProject } from '../../../test/support/bare-project.ts';
import type { Git } from '../proof/git.ts';
import type { GitFolders } from '../proof/git-folders.ts';
import { quotedName } from './name.ts';
import { untrackedFiles } from './untracked.ts';

let top: string;
beforeEach(() => {
  top = bareProject().root;
});
const at = (file: string): string => path.join(top, file);
const write = (file: string, content: string | Buffer): void => fs.writeFileSync(at(file), content);

/** What is made of the lines that git lists; null: git does not tell. */
async function found(lines: readonly string[] | null, mostBytes = 100_000) {
  const git: Git = async () => lines && Buffer.from(lines.map((line) => `${line}\0`).join(''), 'latin1');
  const about = { git, top, signal: new AbortController().signal, without: [], folders: {} as GitFolders };
  return untrackedFiles(about, [], mostBytes);
}
/** One new file: what is said of it, and its patch. */
async function added(name: string, mostBytes?: number): Promise<[string | undefined, string | undefined]> {
  const all = await found([`? ${name}`], mostBytes);
  return [all?.files[0]?.how, all?.patch?.toString('utf8')];
}
const head = (name: string, mode = '100644'): string =>
  `diff --git a/${name} b/${name}\nnew file mode ${mode}\n`;
const hunk = (name: string, size: string, mode?: string): string =>
  `${head(name, mode)}--- /dev/null\n+++ b/${name}\n@@ -0,0 +${size} @@\n`;

it('a list of git’s has names of what git does not look at, while it is there, and of other repositories', async () => {
  for (const name of ['known', 'flagged', 'skipped', 'both', 'n\n']) write(name, 'x\n');
  const all = await found([
    'H known',
    'M known',
    'h flagged',
    'S skipped',
    's both',
    'h gone',
    'z n\n',
    '? o"dd/',
    'H in/',
  ]);
  const flagged = ['flagged', 'skipped', 'both', '"n\\n"'].map((name) => [
    name,
    'git is told not to look at it: not in the patch',
  ]);
  const odd = [...flagged, ['"o\\"dd/"', 'a repository of its own: not in the patch']];
  expect(all?.odd.map(({ name, how }) => [name, how])).toEqual(odd);
  expect([all?.files, all?.patch]).toEqual([[], Buffer.alloc(0)]);
  expect(await found(null)).toBeNull();
});

describe('a new file', () => {
  it.each([
    ['x\n', '1', '+x\n'],
    ['x', '1', '+x\n\\ No newline at end of file\n'],
    ['x\r\ny', '1,2', '+x\r\n+y\n\\ No newline at end of file\n'],
    ['\n', '1', '+\n'],
    ['ü€\n\n\n', '1,3', '+ü€\n+\n+\n'],
  ])('is an addition: %j', async (content, size, body) => {
    write('a.txt', content);
    const lines = size.split(',').at(-1);
    expect(await added('a.txt')).toEqual([`new, +${lines}`, `${hunk('a.txt', size)}${body}`]);
  });

  it('is what it is: empty, a program, binary, bytes that are no text, or where a link leads', async () => {
    write('empty', '');
    expect(await added('empty')).toEqual(['new, +0', head('empty')]);
    write('run', 'x\n');
    fs.chmodSync(at('run'), 0o755);
    expect((await added('run'))[1]).toBe(`${hunk('run', '1', '100755')}+x\n`);
    fs.chmodSync(at('run'), 0o611);
    expect((await added('run'))[1]).toBe(`${hunk('run', '1')}+x\n`);
    write('bin', Buffer.concat([Buffer.alloc(7999, 'x'), Buffer.from([0])]));
    const binary = `${head('bin')}Binary files /dev/null and b/bin differ\n`;
    expect(await added('bin')).toEqual(['new, binary: not in the patch', binary]);
    write('bin', Buffer.concat([Buffer.alloc(8000, 'x'), Buffer.from([0])]));
    expect((await added('bin'))[0]).toBe('new, +1');
    const bytes = Buffer.from([0x66, 0xfc, 0xff, 0x0a]);
    write('latin', bytes);
    expect((await found(['? latin']))?.patch?.subarray(-4)).toEqual(bytes);
    fs.symlinkSync('/etc/passwd', at('link'));
    const link = `${hunk('link', '1', '120000')}+/etc/passwd\n\\ No newline at end of file\n`;
    expect(await added('link')).toEqual(['new, +1', link]);
  });

  it('is named, costs no patch where it cannot be read, and is closed again', async () => {
    execFileSync('mkfifo', [at('fifo')]);
    fs.mkdirSync(at('folder'));
    write('a', 'x\n');
    const open = vi.spyOn(fs, 'openSync');
    const close = vi.spyOn(fs, 'closeSync');
    const all = await found(['? gone', '? fifo', '? folder', '? a']);
    const opened = open.mock.results.flatMap(({ type, value }) => (type === 'return' ? [value] : []));
    expect(close.mock.calls.flat().sort()).toEqual(opened.sort());
    vi.restoreAllMocks();
    const unread = 'new, cannot be read';
    expect(all?.files.map(({ how }) => how)).toEqual([unread, unread, unread, 'new, +1']);
    expect(all?.patch?.toString()).toBe(`${hunk('a', '1')}+x\n`);
  });
});

describe('a patch of new files', () => {
  it('is as long as it may be, and none when it would be longer', async () => {
    write('a', 'x\n');
    write('b', 'y\n');
    const both = `${hunk('a', '1')}+x\n${hunk('b', '1')}+y\n`;
    expect((await found(['? a', 'H b', '? b'], both.length))?.patch?.toString()).toBe(both);
    const cut = await found(['? a', '? b', '? a'], both.length - 1);
    expect([cut?.patch, cut?.files.map(({ how }) => how)]).toEqual([null, ['new, +1', 'new', 'new']]);
    write('a', 'x'.repeat(101));
    expect(await added('a', 100)).toEqual(['new', undefined]);
  });

  it('is made of 5,000 files, and of no more', async () => {
    const lines = Array.from({ length: 5000 }, () => '? gone');
    expect((await found(lines))?.patch).toEqual(Buffer.alloc(0));
    const more = await found([...lines, '? last']);
    expect([more?.patch, more?.files.slice(-2).map(({ how }) => how)]).toEqual([
      null,
      ['new, cannot be read', 'new'],
    ]);
  });
});

it.each([
  ['é/日本 b.ts', 'é/日本 b.ts'],
  ['a\nb', '"a\\nb"'],
  ['"', '"\\""'],
  ['back\\slash', '"back\\\\slash"'],
  ['\u001b[2J', '"\\033[2J"'],
  ['\u0007\b\t\v\f\r', '"\\a\\b\\t\\v\\f\\r"'],
  ['\u0001\u001f\u007f', '"\\001\\037\\177"'],
  ['~ é\t', '"~ \\303\\251\\t"'],
  ['a\u202eb\u2028', 'a<U+202E>b<U+2028>'],
])('the name %j is written %s', (name, written) => {
  expect(quotedName(Buffer.from(name))).toBe(written);
  expect(quotedName(Buffer.from([0x66, 0xfc]), 'a/')).toBe('"a/f\\374"');
});

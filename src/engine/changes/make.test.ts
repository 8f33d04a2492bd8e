import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { bareProject, writeIn } from '../../../test/support/bare-project.ts';
import { ensureAttemptFolder, homeOf } from '../../store/home.ts';
import type { Project } from '../project.ts';
import { type MakeChanges, makeChanges } from './make.ts';
import type { Changes } from './types.ts';

const MEGABYTE = 1024 * 1024;
const HEAD = 'a'.repeat(40);
const BASE = 'b'.repeat(40);
const EMPTY = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
const EMPTY_LONG = '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321';

let project: Project;

/** A repository as far as it is looked at, and a program that says for git what lies in files beside the project. */
beforeEach(() => {
  project = bareProject();
  project = { ...project, env: { ...project.env, PATH: `${beside('bin')}:/usr/bin:/bin` } };
  ensureAttemptFolder(project.root, 'one');
  writeIn(project, '.git/HEAD', `${HEAD}\n`);
  writeIn(project, '.git/objects/x', '');
  const answers = [
    ['cat-file', 'type'],
    ['--numstat', 'counted'],
    ['--patch', 'patch'],
    ['ls-files', 'listed'],
  ];
  const cases = answers.map(([asked, file]) => `*${asked}*) cat ${file};;`).join('\n');
  const script = `#!/bin/sh\ncd '${beside('')}' || exit 1\nprintf '%s\\n' "$*" >>asked\ncase "$*" in\n${cases}\nesac\n`;
  fs.mkdirSync(beside('bin'));
  fs.writeFileSync(beside('bin/git'), script, { mode: 0o755 });
  says({ type: 'commit\n', counted: '1\t0\ta.txt\0', patch: 'the patch\n', listed: '' });
});
afterEach(() => vi.useRealTimers());

const beside = (name: string): string => path.join(path.dirname(project.root), name);
const attempt = (name: string): string => path.join(project.root, '.holdfast/attempts/one', name);

/** Null: git fails there. */
function says(said: Partial<Record<'type' | 'counted' | 'patch' | 'listed', string | null>>): void {
  for (const [name, text] of Object.entries(said))
    if (text === null) fs.rmSync(beside(name), { force: true });
    else fs.writeFileSync(beside(name), text);
}

/** What git was asked, from its own settings on. */
function asked(): string[] {
  if (!fs.existsSync(beside('asked'))) return [];
  const lines = fs.readFileSync(beside('asked'), 'utf8').trimEnd().split('\n');
  return lines.map((line) => line.replace(/^.*core\.(?:precomposeUnicode|bigFileThreshold)=\S+ /, '')).sort();
}

const make = (more: Partial<MakeChanges> = {}, root = project.root): Promise<Changes | null> =>
  makeChanges(
    { ...project, root, home: homeOf(root) },
    { attempt: 'one', since: BASE, without: [], whenAskedToEnd: () => {}, ...more },
  );

describe('the changes', () => {
  it('are a patch of ours alone and a line for each file: odd ones, known ones, new ones', async () => {
    writeIn(project, 'new.txt', 'x\n');
    const counted = '1\t0\ta\tb\0' + '12\t3\ta.txt\0-\t-\tb.bin\0' + '2\t2\ta.txt\0';
    says({ counted, patch: 'a\u0001\n', listed: '? inner/\0? new.txt\0H a.txt\0' });
    const made = await make();
    const odd = ['inner/ (a repository of its own: not in the patch)', '"a\\tb" (+1 -0)'];
    const lines = [
      ...odd,
      'a.txt (+2 -2)',
      'b.bin (binary, or marked so: not in the patch)',
      'new.txt (new, +1)',
    ];
    expect(made).toMatchObject({
      since: { kind: 'commit', commit: BASE },
      top: project.root,
      count: 5,
      lines,
    });
    const text = fs.readFileSync(attempt('changes.patch'), 'utf8');
    expect(text).toMatch(/^a<U\+0001>\ndiff --git a\/new.txt b\/new.txt\n/);
    expect(made?.file).toEqual({ kind: 'patch', path: attempt('changes.patch'), bytes: text.length });
    expect(fs.statSync(attempt('changes.patch')).mode & 0o777).toBe(0o600);
  });

  it('are asked of git so that nothing of the repository is run, without what does not count or is ignored', async () => {
    writeIn(project, '.git/info/exclude', 'x\n');
    const below = path.join(project.root, 'sub/project');
    fs.mkdirSync(below, { recursive: true });
    ensureAttemptFolder(below, 'one');
    expect((await make({ without: ['.holdfast', 'x/../[y]'] }, below))?.top).toBe(project.root);
    const not = ':(top,exclude,literal)sub/project/.holdfast :(top,exclude,literal)sub/project/[y]';
    const safe =
      '--no-color --no-ext-diff --no-textconv --no-renames --ignore-submodules=dirty --submodule=short';
    const diff = `diff-index ${safe} --src-prefix=a/ --dst-prefix=b/`;
    const exclude = `--exclude-per-directory=.gitignore --exclude-from=${project.root}/.git/info/exclude`;
    expect(asked()).toEqual([
      `cat-file -t ${BASE}`,
      `${diff} --numstat -z ${BASE} -- ${not}`,
      `${diff} --patch ${BASE} -- ${not}`,
      `ls-files --cached --others -v -z ${exclude} -- ${not}`,
    ]);
  });

  const commit: Changes['since'] = { kind: 'commit', commit: BASE };
  it.each<[string, string | null, () => void, string, Changes['since']]>([
    ['the commit that is given', BASE, () => {}, BASE, commit],
    ['nothing before the first commit', 'none', () => {}, EMPTY, { kind: 'no-commit-yet' }],
    ['nothing, with long ids', 'none', () => config(), EMPTY_LONG, { kind: 'no-commit-yet' }],
    ['the last commit where nobody knows it', null, () => {}, HEAD, { kind: 'uncommitted' }],
    ['the last commit where it is no id', 'HEAD', () => {}, HEAD, { kind: 'uncommitted' }],
    ['the last commit where it is none', BASE, () => says({ type: 'blob\n' }), HEAD, { kind: 'uncommitted' }],
    ['the last commit where it is gone', BASE, () => says({ type: null }), HEAD, { kind: 'uncommitted' }],
    [
      'nothing where there is no commit',
      null,
      () => writeHead('ref: refs/heads/x'),
      EMPTY,
      { kind: 'uncommitted' },
    ],
  ])('begin with %s', async (_, since, prepare, from, said) => {
    prepare();
    expect((await make({ since }))?.since).toEqual(said);
    expect(asked().join('\n')).toContain(`--numstat -z ${from} --`);
    expect(asked()).toHaveLength(since === BASE ? 4 : 3);
  });
  const config = (): unknown => writeIn(project, '.git/config', '[extensions]\n\tobjectFormat = sha256\n');
  const writeHead = (text: string): unknown => writeIn(project, '.git/HEAD', `${text}\n`);

  it.each<[string, () => unknown, Partial<MakeChanges>?]>([
    ['nobody knows the last commit', () => writeHead('no commit'), { since: null }],
    ['nothing changed', () => says({ counted: '', patch: '' })],
    ['the index is in two parts', () => writeIn(project, '.git/sharedindex.x', '')],
    ['there is no git', () => fs.rmSync(beside('bin'), { recursive: true })],
    ['git does not count', () => says({ counted: null })],
    ['git does not list', () => says({ listed: null })],
    ['the hook is asked to end', () => {}, { whenAskedToEnd: (listener) => listener() }],
    ['it takes too long', () => {}, { timeLimitMs: 0 }],
    ['the file cannot be written', () => fs.mkdirSync(attempt('changes.patch/x'), { recursive: true })],
  ])('are none where %s', async (_, prepare, more) => {
    prepare();
    expect(await make(more)).toBeNull();
    expect(fs.existsSync(attempt('changes.patch')) && fs.statSync(attempt('changes.patch')).isFile()).toBe(
      false,
    );
  });

  it('are not written through a link, and our own mistakes are thrown', async () => {
    await expect(make({ without: null as unknown as string[] })).rejects.toBeInstanceOf(TypeError);
    fs.rmSync(attempt(''), { recursive: true });
    fs.mkdirSync(beside('elsewhere'));
    fs.symlinkSync(beside('elsewhere'), attempt(''));
    expect(await make()).toBeNull();
    expect(fs.readdirSync(beside('elsewhere'))).toEqual([]);
  });

  it.each([
    [29_999, false],
    [30_000, true],
  ])('are given up after %s milliseconds: %s', async (milliseconds, isOver) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const made = make();
    vi.advanceTimersByTime(milliseconds);
    expect((await made) === null).toBe(isOver);
    expect(vi.getTimerCount()).toBe(0);
  });
});

it('a patch is at most a megabyte, as it is written, and none where git or a new file has none', async () => {
  says({ patch: 'x'.repeat(MEGABYTE) });
  expect((await make())?.file).toMatchObject({ kind: 'patch', bytes: MEGABYTE });
  fs.rmSync(attempt('changes.patch'));
  for (const patch of ['x'.repeat(MEGABYTE + 1), `${'x'.repeat(MEGABYTE - 7)}\u0001`, null, '']) {
    says({ patch });
    expect(await make()).toMatchObject({ file: null, count: 1, lines: ['a.txt (+1 -0)'] });
  }
  writeIn(project, 'long', 'x'.repeat(MEGABYTE));
  says({ patch: 'x', listed: '? long\0' });
  expect(await make()).toMatchObject({ file: null, lines: ['a.txt (+1 -0)', 'long (new)'] });
});

describe('the lines for a prompt', () => {
  const names = (count: number, length = 0): string[] =>
    Array.from({ length: count }, (_, index) => `n${index}`.padEnd(length, 'x'));
  const list = (all: readonly string[]): string => all.map((name) => `${name} (+1 -0)\n`).join('');
  async function given(all: readonly string[]): Promise<{ lines: readonly string[]; text: string | null }> {
    says({ counted: all.map((name) => `1\t0\t${name}\0`).join(''), patch: null });
    const made = await make();
    expect(made?.count).toBe(all.length);
    if (made?.file) expect(made.file).toMatchObject({ kind: 'list', path: attempt('changes.txt') });
    return { lines: made?.lines ?? [], text: made?.file ? fs.readFileSync(made.file.path, 'utf8') : null };
  }

  it('are a hundred, of 300 characters each and 8,000 together, and else all of them are in a file', async () => {
    expect(await given(names(100))).toMatchObject({ lines: { length: 100 }, text: null });
    expect(await given(names(101))).toMatchObject({ lines: { length: 100 }, text: list(names(101)) });
    expect(fs.statSync(attempt('changes.txt')).mode & 0o777).toBe(0o600);
    // Each is 200 long with what is said of it.
    const long = names(40, 192);
    expect(await given(long)).toMatchObject({ lines: { length: 40 }, text: null });
    expect(await given([...long.slice(0, 39), `${long[39]}x`])).toMatchObject({ lines: { length: 39 } });
    const fits = 'x'.repeat(292);
    expect(await given([fits])).toEqual({ lines: [`${fits} (+1 -0)`], text: null });
    expect(await given([`${fits}x`])).toEqual({ lines: [`${fits}x (+1 -0…`], text: list([`${fits}x`]) });
  });

  it('are a megabyte at most in their file, which says how many are left out', async () => {
    // Each is 1,024 long with what is said of it and its end; two bytes of it are one letter.
    const kilobytes = Array.from({ length: 1024 }, (_, index) => `é${index}`.padEnd(1014, 'x'));
    expect((await given(kilobytes)).text).toBe(list(kilobytes));
    expect((await given([...kilobytes, 'a', 'b'])).text).toBe(`${list(kilobytes)}and 2 more\n`);
  });
});

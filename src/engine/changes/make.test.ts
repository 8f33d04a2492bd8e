import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { bareProject } from '../../../test/support/bare-project.ts';
import { ensureAttemptFolder, homeOf } from '../../store/home.ts';
import type { Project } from '../project.ts';
import { type MakeChanges, MOST_BYTES, makeChanges } from './make.ts';
import type { Changes } from './types.ts';

const HEAD = 'a'.repeat(40);
const BASE = 'b'.repeat(40);
const ATTEMPT = 'attempt-1';
const EMPTY = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
const EMPTY_LONG = '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321';

let project: Project;

/** A repository as far as it is looked at, and a program that says for git what lies in files beside the project. */
beforeEach(() => {
  project = bareProject();
  project = { ...project, env: { ...project.env, PATH: `${beside('bin')}:/usr/bin:/bin` } };
  ensureAttemptFolder(project.root, ATTEMPT);
  inGit('HEAD', `${HEAD}\n`);
  inGit('objects/x', '');
  const script = [
    '#!/bin/sh',
    `cd '${beside('')}' || exit 1`,
    `printf '%s\\n' "$*" >>asked`,
    'case "$*" in',
    '*cat-file*) cat type;;',
    '*--numstat*) cat counted;;',
    '*--patch*) cat patch;;',
    '*ls-files*) cat listed;;',
    'esac',
  ];
  put(beside('bin/git'), `${script.join('\n')}\n`, 0o755);
  says({ type: 'commit\n', counted: '', patch: '', listed: '' });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const beside = (name: string): string => path.join(path.dirname(project.root), name);
const at = (file: string): string => path.join(project.root, file);
function put(file: string, content: string, mode = 0o644): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, content, { mode });
}
const inGit = (file: string, content: string): void => put(at(path.join('.git', file)), content);

/** Null: git fails there. */
function says(said: Partial<Record<'type' | 'counted' | 'patch' | 'listed', string | null>>): void {
  for (const [name, text] of Object.entries(said))
    if (text === null) fs.rmSync(beside(name), { force: true });
    else put(beside(name), text);
}

/** What git was asked, without its settings. */
const asked = (): string[] =>
  fs.existsSync(beside('asked'))
    ? fs
        .readFileSync(beside('asked'), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => line.replace(/^.*core\.(?:precomposeUnicode|bigFileThreshold)=\S+ /, ''))
        .sort()
    : [];

const make = (more: Partial<MakeChanges> = {}, root = project.root): Promise<Changes | null> =>
  makeChanges(
    { ...project, root, home: homeOf(root) },
    { attempt: ATTEMPT, since: BASE, without: [], whenAskedToEnd: () => {}, ...more },
  );

const attempt = (name: string): string => at(`.holdfast/attempts/${ATTEMPT}/${name}`);
const counted = (names: readonly string[]): string => names.map((name) => `1\t0\t${name}\0`).join('');
const one = { counted: counted(['a.txt']), patch: 'the patch\n' };

describe('the changes', () => {
  it('are a patch in the attempt’s folder and a line for each file: odd ones, known ones, new ones', async () => {
    put(at('new.txt'), 'x\n');
    says({ counted: '2\t1\ta.txt\0', patch: 'a\u0001\n', listed: '? inner/\0? new.txt\0H a.txt\0' });
    const text = [
      'a<U+0001>\ndiff --git a/new.txt b/new.txt\nnew file mode 100644\n',
      '--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+x\n',
    ].join('');

    expect(await make()).toEqual({
      since: { kind: 'commit', commit: BASE },
      file: { kind: 'patch', path: attempt('changes.patch'), bytes: text.length },
      top: project.root,
      count: 3,
      lines: ['inner/ (a repository of its own: not in the patch)', 'a.txt (+2 -1)', 'new.txt (new, +1)'],
    });
    expect(fs.readFileSync(attempt('changes.patch'), 'utf8')).toBe(text);
    expect(fs.statSync(attempt('changes.patch')).mode & 0o777).toBe(0o600);
    expect(fs.existsSync(attempt('changes.txt'))).toBe(false);
  });

  it('are without what does not count, wherever in the repository the project is', async () => {
    says(one);
    fs.mkdirSync(at('sub/project'), { recursive: true });
    ensureAttemptFolder(at('sub/project'), ATTEMPT);
    await make({ without: ['.holdfast', 'x/../y'] });
    const here = [':(top,exclude,literal).holdfast', ':(top,exclude,literal)y'].join(' ');
    const diff = asked().find((line) => line.includes('--patch'));
    expect(diff?.endsWith(` --patch ${BASE} -- ${here}`)).toBe(true);
    fs.rmSync(beside('asked'));

    expect((await make({ without: ['.holdfast'] }, at('sub/project')))?.top).toBe(project.root);
    const below = ':(top,exclude,literal)sub/project/.holdfast';
    expect(asked()).toContain(
      `ls-files --cached --others -v -z --exclude-per-directory=.gitignore -- ${below}`,
    );
  });

  it('are without what the repository ignores', async () => {
    says(one);
    inGit('info/exclude', 'x\n');
    await make();
    expect(asked()).toContain(
      `ls-files --cached --others -v -z --exclude-per-directory=.gitignore --exclude-from=${at('.git/info/exclude')} --`,
    );
  });

  it('are none where there are none', async () => {
    expect(await make()).toBeNull();
    expect(fs.readdirSync(path.dirname(attempt('x')))).toEqual([]);
  });
});

describe('where they begin', () => {
  const from = (): string | undefined =>
    /--numstat -z (\w+) /.exec(asked().find((line) => line.includes('--numstat')) ?? '')?.[1];
  beforeEach(() => says(one));

  it('is the commit that is given', async () => {
    expect((await make())?.since).toEqual({ kind: 'commit', commit: BASE });
    expect(from()).toBe(BASE);
    expect(asked()).toContain(`cat-file -t ${BASE}`);
  });

  it('is nothing before the first commit', async () => {
    expect((await make({ since: 'none' }))?.since).toEqual({ kind: 'no-commit-yet' });
    expect(from()).toBe(EMPTY);
    expect(asked()).toHaveLength(3);
  });

  it('is nothing before the first commit, also with long ids', async () => {
    inGit('config', '[extensions]\n\tobjectFormat = sha256\n');
    expect((await make({ since: 'none' }))?.since).toEqual({ kind: 'no-commit-yet' });
    expect(from()).toBe(EMPTY_LONG);
  });

  it.each([
    ['nobody knows it', null, 'commit\n'],
    ['it is no id', 'HEAD', 'commit\n'],
    ['it is no commit', BASE, 'blob\n'],
    ['it is gone', BASE, null],
  ])('is the last commit where %s', async (_, since, type) => {
    says({ type });
    expect((await make({ since }))?.since).toEqual({ kind: 'uncommitted' });
    expect(from()).toBe(HEAD);
    expect(asked()).toHaveLength(since === BASE ? 4 : 3);
  });

  it('is nothing where nobody knows it and there is no commit yet', async () => {
    inGit('HEAD', 'ref: refs/heads/main\n');
    expect((await make({ since: null }))?.since).toEqual({ kind: 'uncommitted' });
    expect(from()).toBe(EMPTY);
  });

  it('is not known where the last commit is not', async () => {
    inGit('HEAD', 'no commit\n');
    expect(await make({ since: null })).toBeNull();
    expect(asked()).toEqual([]);
  });
});

describe('they cannot be known', () => {
  beforeEach(() => says(one));

  it('without a repository, without git, and where the index is in two parts', async () => {
    inGit('sharedindex.x', '');
    expect(await make()).toBeNull();
    fs.rmSync(at('.git/sharedindex.x'));
    expect(await make()).not.toBeNull();
    fs.rmSync(beside('asked'));
    project = { ...project, env: { ...project.env, PATH: beside('none') } };
    expect(await make()).toBeNull();
    project = { ...project, env: { ...project.env, PATH: `${beside('bin')}:/usr/bin:/bin` } };
    fs.rmSync(at('.git'), { recursive: true });
    expect(await make()).toBeNull();
    expect(asked()).toEqual([]);
  });

  it('where git does not count or list', async () => {
    says({ counted: null });
    expect(await make()).toBeNull();
    says({ ...one, listed: null });
    expect(await make()).toBeNull();
  });

  it('when the hook is asked to end, at once or meanwhile', async () => {
    expect(await make({ whenAskedToEnd: (listener) => listener() })).toBeNull();
    expect(asked()).toEqual([]);
    let end = (): void => {};
    const made = make({
      whenAskedToEnd: (listener) => {
        end = listener;
      },
    });
    end();
    expect(await made).toBeNull();
    expect(fs.readdirSync(path.dirname(attempt('x')))).toEqual([]);
  });

  it('when the file cannot be written', async () => {
    fs.mkdirSync(attempt('changes.patch/x'), { recursive: true });
    expect(await make()).toBeNull();
  });

  it('when a link leads out of the project where the file should be', async () => {
    fs.rmSync(path.dirname(attempt('x')), { recursive: true });
    fs.mkdirSync(beside('elsewhere'));
    fs.symlinkSync(beside('elsewhere'), path.dirname(attempt('x')));
    expect(await make()).toBeNull();
    expect(fs.readdirSync(beside('elsewhere'))).toEqual([]);
  });

  it('but our own mistakes are no such thing', async () => {
    const without = null as unknown as readonly string[];
    await expect(make({ without })).rejects.toBeInstanceOf(TypeError);
  });

  it.each([
    [29_999, false],
    [30_000, true],
  ])('after %s milliseconds: %s', async (milliseconds, isOver) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const made = make();
    vi.advanceTimersByTime(milliseconds);
    expect((await made) === null).toBe(isOver);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a patch', () => {
  it('is at most a megabyte, as it is written', async () => {
    expect(MOST_BYTES).toBe(1_048_576);
    says({ ...one, patch: 'x'.repeat(MOST_BYTES) });
    expect((await make())?.file).toMatchObject({ kind: 'patch', bytes: MOST_BYTES });
    for (const patch of ['x'.repeat(MOST_BYTES + 1), `${'x'.repeat(MOST_BYTES - 7)}\u0001`]) {
      fs.rmSync(attempt('changes.patch'), { force: true });
      says({ patch });
      const made = await make();
      expect(made).toMatchObject({ file: null, count: 1, lines: ['a.txt (+1 -0)'] });
      expect(fs.existsSync(attempt('changes.patch'))).toBe(false);
    }
  });

  it('is none where git or a new file has none, or all of it is empty', async () => {
    says({ ...one, patch: null });
    expect((await make())?.file).toBeNull();
    put(at('long'), 'x'.repeat(MOST_BYTES));
    says({ ...one, listed: '? long\0' });
    expect(await make()).toMatchObject({ file: null, lines: ['a.txt (+1 -0)', 'long (new)'] });
    says({ counted: one.counted, patch: '', listed: '' });
    expect((await make())?.file).toBeNull();
  });
});

describe('the lines for a prompt', () => {
  const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `n${index}`);
  const list = (all: readonly string[]): string => all.map((name) => `${name} (+1 -0)\n`).join('');
  const given = async (all: readonly string[]): Promise<Changes> => {
    says({ counted: counted(all), patch: null });
    const made = await make();
    if (made === null) throw new Error('no changes');
    expect(made.count).toBe(all.length);
    return made;
  };

  it('are a hundred, and all of them are in a file when there are more', async () => {
    const hundred = await given(names(100));
    expect(hundred.lines.map((line) => `${line}\n`).join('')).toBe(list(names(100)));
    expect(hundred.file).toBeNull();
    const more = await given(names(101));
    expect(more.lines).toEqual(hundred.lines);
    const text = list(names(101));
    expect(more.file).toEqual({ kind: 'list', path: attempt('changes.txt'), bytes: text.length });
    expect(fs.readFileSync(attempt('changes.txt'), 'utf8')).toBe(text);
    expect(fs.statSync(attempt('changes.txt')).mode & 0o777).toBe(0o600);
  });

  it('are no file of their own where there is a patch', async () => {
    says({ counted: counted(names(101)), patch: 'x' });
    expect(await make()).toMatchObject({ file: { kind: 'patch' }, count: 101 });
    expect(fs.existsSync(attempt('changes.txt'))).toBe(false);
  });

  it('have 8,000 characters together', async () => {
    // Each is 200 long with what is said of it.
    const long = names(40).map((name) => name.padEnd(192, 'x'));
    const full = await given(long);
    expect(full.lines.join('').length).toBe(8000);
    expect([full.lines.length, full.file]).toEqual([40, null]);
    const over = await given([...long.slice(0, 39), `${long[39]}x`]);
    expect([over.lines.length, over.file?.kind]).toEqual([39, 'list']);
  });

  it('have 300 characters each', async () => {
    const fits = 'x'.repeat(292);
    expect(await given([fits])).toMatchObject({ lines: [`${fits} (+1 -0)`], file: null });
    const long = await given(['a', `${fits}x`]);
    expect(long).toMatchObject({
      lines: ['a (+1 -0)', `${fits}x (+1 -0`.concat('…')],
      file: { kind: 'list' },
    });
    expect(fs.readFileSync(attempt('changes.txt'), 'utf8')).toBe(`a (+1 -0)\n${fits}x (+1 -0)\n`);
  });

  it('are a megabyte at most in their file, which says how many are left out', async () => {
    // Each is 1,024 long with what is said of it and its end; two bytes of it are one letter.
    const kilobytes = Array.from({ length: 1024 }, (_, index) => `é${index}`.padEnd(1014, 'x'));
    const full = await given(kilobytes);
    expect(full.file?.bytes).toBe(MOST_BYTES);
    expect(fs.readFileSync(attempt('changes.txt'), 'utf8')).toBe(list(kilobytes));
    await given([...kilobytes, 'a', 'b']);
    expect(fs.readFileSync(attempt('changes.txt'), 'utf8')).toBe(`${list(kilobytes)}and 2 more\n`);
  });
});

// The changes that a reviewer of code is given, in real repositories.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gitIn, makeRepository, type Repository } from '../proof/repository.ts';
import { changesIn } from './made.ts';

let repository: Repository;
let base: string;

beforeEach(() => {
  repository = makeRepository();
  repository.write('a.txt', 'one\ntwo\n');
  repository.write('src/b.txt', 'b\n');
  repository.write('gone.txt', 'gone\n');
  repository.write('.gitignore', 'ignored\n');
  repository.write('.holdfast/.gitignore', '*\n');
  base = commit('first');
});

afterEach(() => repository.end());

function commit(message: string): string {
  repository.git('add', '-A');
  repository.git('commit', '-qm', message);
  return repository.git('rev-parse', 'HEAD').trim();
}

const at = (file: string): string => path.join(repository.root, file);

describe('the patch', () => {
  it('has what was committed since, what is staged, what is neither, and what git does not know yet', async () => {
    repository.write('a.txt', 'one\n2\n');
    commit('second');
    repository.write('src/b.txt', 'staged\n');
    repository.git('add', 'src/b.txt');
    repository.remove('gone.txt');
    repository.write('new/c.txt', 'c\nd');
    repository.write('ignored', 'x');
    const made = await changesIn(repository, base);
    expect(made?.since).toEqual({ kind: 'commit', commit: base });
    expect(made?.lines).toEqual([
      'a.txt (+1 -1)',
      'gone.txt (+0 -1)',
      'src/b.txt (+1 -1)',
      'new/c.txt (new, +2)',
    ]);
    expect(made?.file).toMatchObject({ kind: 'patch', path: at('.holdfast/attempts/one/changes.patch') });
    expect(made?.file?.bytes).toBe(Buffer.byteLength(made?.text ?? ''));
    expect(made?.text).toContain('-two\n+2\n');
    expect(made?.text).toContain('-b\n+staged\n');
    expect(made?.text).toContain('-gone\n');
    expect(made?.text).toContain('+c\n+d\n\\ No newline at end of file\n');
    expect(made?.text).not.toContain('ignored');
  });

  it('makes of the beginning what is there now, whatever the names and the ends of files are', async () => {
    repository.write('a.txt', 'one\r\ntwo');
    repository.remove('gone.txt');
    repository.write('with blank/é ü.txt', 'é\n');
    repository.write('quote"back\\slash.txt', 'x\n');
    repository.write('line\nend\tand tab.txt', 'x\n\ny');
    repository.write('empty.txt', '');
    repository.write('only-line-end.txt', '\n');
    repository.write('run.sh', '#!/bin/sh\n');
    fs.chmodSync(at('run.sh'), 0o755);
    fs.symlinkSync('a.txt', at('link'));
    const made = await changesIn(repository, base);
    const copy = path.join(repository.folder, 'copy');
    repository.git('worktree', 'add', '-q', copy, base);
    const patch = path.join(repository.folder, 'patch');
    fs.writeFileSync(patch, made?.text ?? '');
    gitIn(copy, repository.home, ['apply', '--whitespace=nowarn', patch]);
    const treeOf = (folder: string): string => {
      gitIn(folder, repository.home, ['add', '-A']);
      return gitIn(folder, repository.home, ['write-tree']);
    };
    expect(treeOf(copy)).toBe(treeOf(repository.root));
    expect(made?.lines).toContain('"line\\nend\\tand tab.txt" (new, +3)');
    expect(made?.lines).toContain('"quote\\"back\\\\slash.txt" (new, +1)');
    expect(made?.lines).toContain('with blank/é ü.txt (new, +1)');
    expect(made?.lines.every((line) => !line.includes('\n'))).toBe(true);
  });

  it('is without our own files, also where the project is a folder of the repository', async () => {
    repository.write('.taskie/plans/p/task-1-review-1.md', 'an earlier review');
    repository.write('a.txt', 'changed\n');
    expect((await changesIn(repository, base))?.lines).toEqual(['a.txt (+1 -2)']);
    const inner = { root: at('src'), env: repository.env };
    repository.write('src/.taskie/plans/p/task-1-review-1.md', 'an earlier review');
    repository.git('add', 'src/.taskie');
    const made = await changesIn(inner, base);
    expect(made?.lines).toEqual(['a.txt (+1 -2)', '.taskie/plans/p/task-1-review-1.md (new, +1)']);
    expect(made?.top).toBe(repository.root);
  });

  it('shows what a screen would hide, and sends no code to a terminal', async () => {
    repository.write('a.txt', 'one\u001b]0;owned\u0007\n');
    repository.write('b.txt', 'if (x\u202e) {\u200b}\r\n');
    repository.write('latin.txt', Buffer.from([0x66, 0xfc, 0x0a]));
    repository.write('\u202egpj.txt', 'x\n');
    const made = await changesIn(repository, base);
    expect(made?.text).toContain('+one<U+001B>]0;owned<U+0007>\n');
    expect(made?.text).toContain('+if (x<U+202E>) {<U+200B>}\r\n');
    expect(made?.text).toContain('+f\ufffd\n');
    expect(made?.lines).toContain('<U+202E>gpj.txt (new, +1)');
    expect(made?.text).not.toContain('\u202e');
  });

  it('names what it cannot show', async () => {
    repository.write('.gitattributes', 'a.txt -diff\n');
    repository.write('bin.dat', Buffer.from([1, 0, 2]));
    base = commit('second');
    repository.write('a.txt', 'hidden by an attribute\n');
    repository.write('bin.dat', Buffer.from([1, 0, 3]));
    repository.write('new.dat', Buffer.from([0]));
    repository.git('update-index', '--assume-unchanged', 'src/b.txt');
    repository.git('update-index', '--skip-worktree', 'gone.txt');
    repository.write('src/b.txt', 'hidden by a flag\n');
    repository.write('gone.txt', 'hidden by another\n');
    fs.mkdirSync(at('nested'));
    gitIn(at('nested'), repository.home, ['init', '-q']);
    const made = await changesIn(repository, base);
    expect(made?.lines).toEqual([
      'nested/ (a repository of its own: not in the patch)',
      'gone.txt (git is told not to look at it: not in the patch)',
      'src/b.txt (git is told not to look at it: not in the patch)',
      'a.txt (binary, or marked so: not in the patch)',
      'bin.dat (binary, or marked so: not in the patch)',
      'new.dat (new, binary: not in the patch)',
    ]);
  });
});

describe('where the changes begin', () => {
  it('is the last commit, and said to be, where nobody knows the beginning or it is gone', async () => {
    repository.write('a.txt', 'one\n2\n');
    commit('second');
    repository.write('src/b.txt', 'not committed\n');
    const blob = repository.git('rev-parse', 'HEAD:a.txt').trim();
    for (const since of [null, 'a'.repeat(40), blob, '--output=/tmp/x', 'HEAD~1', 'f'.repeat(64)]) {
      const made = await changesIn(repository, since);
      expect(made?.since).toEqual({ kind: 'uncommitted' });
      expect(made?.lines).toEqual(['src/b.txt (+1 -1)']);
    }
  });

  it('works in a linked work tree, without a branch, with packed refs, and with long ids', async () => {
    const linked = path.join(repository.folder, 'linked');
    repository.git('worktree', 'add', '-q', '--detach', linked, base);
    fs.writeFileSync(path.join(linked, 'a.txt'), 'changed\n');
    fs.mkdirSync(path.join(linked, '.holdfast'));
    expect(await changesIn({ root: linked, env: repository.env }, null)).toMatchObject({
      lines: ['a.txt (+1 -2)'],
    });
    const long = makeRepository(['--object-format=sha256']);
    try {
      long.write('x', 'x\n');
      long.git('add', '-A');
      long.git('commit', '-qm', 'first');
      const id = long.git('rev-parse', 'HEAD').trim();
      long.write('x', 'y\n');
      expect(await changesIn(long, id)).toMatchObject({
        since: { kind: 'commit', commit: id },
        lines: ['x (+1 -1)'],
      });
      expect(await changesIn(long, 'none')).toMatchObject({ lines: ['x (+1 -0)'] });
    } finally {
      long.end();
    }
  });
});

describe('there are no changes to show', () => {
  it('without git, without its program, and where its index is in two parts', async () => {
    repository.write('a.txt', 'changed\n');
    const empty = path.join(repository.folder, 'empty');
    fs.mkdirSync(empty);
    expect(await changesIn({ root: empty, env: repository.env }, base)).toBeNull();
    expect(await changesIn(repository, base, { env: { PATH: empty } })).toBeNull();
    repository.git('update-index', '--split-index');
    expect(await changesIn(repository, base)).toBeNull();
  });

  it('where git fails: a broken index, a tree that is missing', async () => {
    repository.write('a.txt', 'changed\n');
    const index = fs.readFileSync(at('.git/index'));
    fs.writeFileSync(at('.git/index'), 'no index');
    expect(await changesIn(repository, base)).toBeNull();
    fs.writeFileSync(at('.git/index'), index);
    const tree = repository.git('rev-parse', `${base}^{tree}`).trim();
    fs.rmSync(at(`.git/objects/${tree.slice(0, 2)}/${tree.slice(2)}`));
    expect(await changesIn(repository, base)).toBeNull();
  });
});

describe('above a megabyte there is only the list', () => {
  it('is one of a prompt’s length, and whole in a file, for 40,000 files', async () => {
    const blob = repository.git('rev-parse', 'HEAD:a.txt').trim();
    const input = Array.from({ length: 40_000 }, (_, at) => `100644 ${blob}\tmany/${at}/file.txt\n`).join('');
    execFileSync('git', ['update-index', '--index-info'], { cwd: repository.root, input });
    repository.git('commit', '-qm', 'many');
    const many = repository.git('rev-parse', 'HEAD').trim();
    const made = await changesIn(repository, many);
    expect(made?.count).toBe(40_000);
    expect(made?.lines.length).toBeLessThanOrEqual(100);
    expect(made?.lines.join('').length).toBeLessThanOrEqual(8000);
    expect(made?.file).toMatchObject({ kind: 'list', path: at('.holdfast/attempts/one/changes.txt') });
    expect(made?.file?.bytes).toBeLessThanOrEqual(1024 * 1024 + 100);
    expect(made?.text).toMatch(/and \d+ more\n$/);
  });
});

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeRepository, type Repository } from '../../../test/proof/repository.ts';
import { asCommitId, headIn, headOf, workTreeOf } from './head.ts';

let repository: Repository;

beforeEach(() => {
  repository = makeRepository();
});
afterEach(() => repository.end());

function commit(): string {
  repository.write('a.txt', String(Math.random()));
  repository.git('add', '-A');
  repository.git('commit', '-qm', 'one');
  return repository.git('rev-parse', 'HEAD').trim();
}

const head = (root = repository.root): string | null => headOf(root, repository.env);
const put = (file: string, content: string): void => repository.write(`.git/${file}`, content);

describe('the commit that a work tree is at', () => {
  it('is none before the first one', () => {
    expect(head()).toBe('none');
    commit();
    repository.git('pack-refs', '--all');
    repository.git('checkout', '-q', '--orphan', 'fresh');
    expect(head()).toBe('none');
  });

  it('is that of the branch, loose or packed, and of no branch', () => {
    const first = commit();
    expect(head()).toBe(first);
    repository.git('pack-refs', '--all');
    expect(head()).toBe(first);
    repository.git('branch', '-q', 'x/main');
    const second = commit();
    expect(head()).toBe(second);
    repository.git('pack-refs', '--all');
    expect(head()).toBe(second);
    repository.git('checkout', '-q', '--detach', first);
    expect(head()).toBe(first);
  });

  it('is a linked work tree’s own, and the repository’s in a folder below', () => {
    const first = commit();
    const linked = path.join(repository.folder, 'linked');
    repository.git('worktree', 'add', '-q', '-b', 'other', linked);
    const second = commit();
    expect([head(linked), head()]).toEqual([first, second]);
    fs.mkdirSync(path.join(repository.root, 'deep/down'), { recursive: true });
    expect(head(path.join(repository.root, 'deep/down'))).toBe(second);
  });

  it('is an inner repository’s own', () => {
    commit();
    const inner = path.join(repository.root, 'inner');
    execFileSync('git', ['init', '-q', inner]);
    expect(head(inner)).toBe('none');
  });

  it.each([
    ['refs in a form of their own', () => put('HEAD', 'ref: refs/heads/.invalid\n')],
    ['a HEAD that leads out', () => put('HEAD', 'ref: refs/heads/../../../../mark\n')],
    ['a HEAD that is no branch', () => put('HEAD', 'ref: refs/tags/x\n')],
    ['a HEAD of many lines', () => put('HEAD', 'ref: refs/heads/a\nref: refs/heads/b\n')],
    ['an empty HEAD', () => put('HEAD', '')],
    ['a branch that is no id', () => put(branch(), 'ref: refs/heads/other\n')],
    ['a branch that is a folder', () => put(`${branch()}/x`, 'x')],
    ['a HEAD that is a FIFO', () => fifo('HEAD')],
    ['a branch that is a FIFO', () => fifo(branch())],
    ['packed refs that are no ids', () => put('packed-refs', `xyz ${branch()}\n`)],
  ])('is not known with %s', (_, break_) => {
    fs.writeFileSync(repository.mark, 'a'.repeat(40));
    break_();
    expect(head()).toBeNull();
  });

  it('is not known without git', () => {
    fs.rmSync(path.join(repository.root, '.git'), { recursive: true });
    expect(head()).toBeNull();
    expect(head('/nowhere/at/all')).toBeNull();
  });
});

const branch = (): string => repository.git('symbolic-ref', 'HEAD').trim();

function fifo(file: string): void {
  const place = path.join(repository.root, '.git', file);
  fs.rmSync(place, { force: true });
  execFileSync('mkfifo', [place]);
}

it.each([
  ['a'.repeat(40), true],
  ['0'.repeat(64), true],
  ['none', true],
  ['A'.repeat(40), false],
  ['a'.repeat(41), false],
  [`${'a'.repeat(40)}\n`, false],
  ['HEAD', false],
  ['', false],
  [null, false],
  [40, false],
])('of a record %j is believed: %s', (value, isBelieved) => {
  expect(asCommitId(value)).toBe(isBelieved ? value : null);
});

describe('what stands in the place of a ref', () => {
  const git = (name: string): string => path.join(repository.root, '.git', name);

  it.each([
    ['ref: refs/tags/v1\n'],
    ['ref: refs/heads/.invalid\n'],
    ['ref: refs/heads/../../outside\n'],
    ['0123\n'],
    [''],
  ])('%j is no commit', (text) => {
    commit();
    put('HEAD', text);
    expect(head()).toBeNull();
  });

  it('is none where a ref is no id, or what should be packed is none', () => {
    const id = commit();
    const branch = fs.readFileSync(git('HEAD'), 'utf8').trim().slice('ref: '.length);
    put(branch, 'not an id\n');
    expect(head()).toBeNull();
    fs.rmSync(git(branch));
    put('packed-refs', `# pack-refs\nnot-an-id ${branch}\n`);
    expect(head()).toBeNull();
    put('packed-refs', `${id} ${branch}-other\n${id} ${branch}\n`);
    expect(head()).toBe(id);
    put('packed-refs', `${id} ${branch}-other\n`);
    expect(head()).toBe('none');
    fs.rmSync(git('packed-refs'));
    expect(head()).toBe('none');
  });

  it('is none where there is no HEAD', () => {
    const own = path.join(repository.folder, 'empty');
    fs.mkdirSync(own);
    const folders = workTreeOf(repository.root, repository.env)?.folders;
    expect(folders && headIn(folders)).toBe('none');
    expect(folders && headIn({ ...folders, own })).toBeNull();
  });

  it('is none where it is too large to be read', () => {
    const id = commit();
    repository.git('pack-refs', '--all');
    expect(head()).toBe(id);
    fs.truncateSync(git('packed-refs'), 64 * 1024 * 1024 + 1);
    expect(head()).toBeNull();
  });

  it('is none where it cannot be read', () => {
    commit();
    fs.rmSync(git('HEAD'));
    fs.mkdirSync(git('HEAD'));
    expect(head()).toBeNull();
  });
});

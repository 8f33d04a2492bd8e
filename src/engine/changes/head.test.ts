import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeRepository, type Repository } from '../../../test/proof/repository.ts';
import { asCommitId, headIn, headOf, workTreeOf } from './head.ts';

let repository: Repository;
beforeEach(() => {
  repository = makeRepository();
});
afterEach(() => repository.end());

function commit(): string {
  repository.git('commit', '-q', '--allow-empty', '-m', String(Math.random()));
  return repository.git('rev-parse', 'HEAD').trim();
}

const head = (root = repository.root): string | null => headOf(root, repository.env);
const branch = (): string => repository.git('symbolic-ref', 'HEAD').trim();
const put = (file: string, content: string): void => repository.write(`.git/${file}`, content);
const git = (file: string): string => path.join(repository.root, '.git', file);
const fifo = (file: string): void => {
  fs.rmSync(git(file), { force: true });
  execFileSync('mkfifo', [git(file)]);
};

it('the commit of a work tree is that of its branch, loose or packed, and of no branch', () => {
  expect(head()).toBe('none');
  const first = commit();
  expect(head()).toBe(first);
  repository.git('pack-refs', '--all');
  expect(head()).toBe(first);
  repository.git('branch', '-q', 'x/main');
  const second = commit();
  repository.git('pack-refs', '--all');
  expect(head()).toBe(second);
  repository.git('checkout', '-q', '--detach', first);
  expect(head()).toBe(first);
  repository.git('checkout', '-q', '--orphan', 'fresh');
  expect(head()).toBe('none');
});

it('the commit of a linked work tree and of an inner repository is their own, of a folder the repository’s', () => {
  const first = commit();
  const [linked, deep, inner] = ['linked', 'deep/down', 'inner'].map((name) =>
    path.join(repository.root, name),
  );
  repository.git('worktree', 'add', '-q', '-b', 'other', linked ?? '');
  const second = commit();
  fs.mkdirSync(deep ?? '', { recursive: true });
  execFileSync('git', ['init', '-q', inner ?? '']);
  expect([linked, deep, inner].map(head)).toEqual([first, second, 'none']);
});

it.each<[string, () => void]>([
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
  [
    'packed refs of more than 64 megabytes',
    () => {
      put('packed-refs', '');
      fs.truncateSync(git('packed-refs'), 64 * 1024 * 1024 + 1);
    },
  ],
  ['no git', () => fs.rmSync(git(''), { recursive: true })],
])('the commit of a work tree is not known with %s', (_, break_) => {
  fs.writeFileSync(repository.mark, 'a'.repeat(40));
  break_();
  expect(head()).toBeNull();
});

it('the commit of a branch is none where no packed ref has just its name', () => {
  const id = 'a'.repeat(40);
  const name = branch();
  put('packed-refs', `# pack-refs\n${id} ${name}-other\n`);
  expect(head()).toBe('none');
  put('packed-refs', `${id} ${name}-other\n${id} ${name}\n`);
  expect(head()).toBe(id);
  const folders = workTreeOf(repository.root, repository.env)?.folders;
  expect(folders && headIn({ ...folders, own: repository.home })).toBeNull();
});

it.each<[unknown, boolean]>([
  ['a'.repeat(40), true],
  ['0'.repeat(64), true],
  ['none', true],
  ...['A'.repeat(40), 'a'.repeat(41), `${'a'.repeat(40)}\n`, 'HEAD', '', null, 40].map(
    (id): [unknown, boolean] => [id, false],
  ),
])('of a record %j is believed: %s', (value, isBelieved) => {
  expect(asCommitId(value)).toBe(isBelieved ? value : null);
});

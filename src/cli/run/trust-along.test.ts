import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeRepository, type Repository } from '../../../test/proof/repository.ts';
import { loadConfig } from '../../config/config.ts';
import type { Project } from '../../engine/project.ts';
import { giveTrust, isTrusted, listTrust, trustOf } from '../../engine/proof/trust.ts';
import { homeOf } from '../../store/home.ts';
import { carryTrust } from './trust-along.ts';

let repository: Repository;
let other: string;

beforeEach(() => {
  repository = makeRepository();
  // Another folder without git: nothing is shared with it by itself.
  other = path.join(repository.folder, 'other');
  fs.mkdirSync(other);
});
afterEach(() => repository.end());

const projectIn = async (root: string): Promise<Project> => ({
  ...{ root, home: homeOf(root), env: repository.env, now: Date.now() - 1000, cli: 'holdfast' },
  config: await loadConfig(root, repository.env),
});
const checksIn = (root: string, checks: object): void =>
  fs.writeFileSync(path.join(root, 'holdfast.config.json'), JSON.stringify({ checks }));
const trustedIn = (project: Project): string[] =>
  project.config.checks
    .filter((each) => each.from === 'project' && isTrusted(each, trustOf(project), Number.POSITIVE_INFINITY))
    .map(({ name }) => name);

it('the very same commands are trusted in the other folder, and no others', async () => {
  const here = { same: { run: 'npm test' }, changed: { run: 'npm run a' }, gone: { run: 'x' } };
  checksIn(repository.root, { ...here, unasked: { run: 'npm run b' } });
  checksIn(other, {
    ...{ same: { run: 'npm test' }, changed: { run: 'npm run other' } },
    ...{ unasked: { run: 'npm run b' }, more: { run: 'npm test' } },
  });
  const from = await projectIn(repository.root);
  giveTrust(
    from,
    from.config.checks.filter(({ name }) => name !== 'unasked'),
  );
  const to = await projectIn(other);
  carryTrust(from, to);
  expect(trustedIn(to)).toEqual(['same']);
  expect(trustedIn(from)).toEqual(['same', 'changed', 'gone']);
});

it('where nothing is trusted, or nothing is the same, nothing is written', async () => {
  checksIn(repository.root, { test: { run: 'npm test' } });
  checksIn(other, { test: { run: 'npm test' } });
  const from = await projectIn(repository.root);
  const to = await projectIn(other);
  carryTrust(from, to);
  expect(listTrust(repository.env)).toEqual([]);
  giveTrust(from, from.config.checks);
  checksIn(other, { test: { run: 'npm run another' } });
  carryTrust(from, await projectIn(other));
  expect(listTrust(repository.env).map(({ root }) => root)).toEqual([repository.root]);
});

it('the user’s own checks need no trust, and are given none', async () => {
  repository.write(
    '../home/.config/holdfast/holdfast.config.json',
    JSON.stringify({ checks: { mine: { run: 'npm test' } } }),
  );
  carryTrust(await projectIn(repository.root), await projectIn(other));
  expect(listTrust(repository.env)).toEqual([]);
});

it('what a work tree shares with its repository stays trusted, also what is not committed yet', async () => {
  checksIn(repository.root, { a: { run: 'npm run a' } });
  repository.git('add', '-A');
  repository.git('-c', 'user.name=x', '-c', 'user.email=x@x', 'commit', '--quiet', '-m', 'one');
  const tree = path.join(repository.folder, 'tree');
  repository.git('worktree', 'add', '--quiet', tree);
  checksIn(repository.root, { a: { run: 'npm run a' }, b: { run: 'npm run b' } });
  const from = await projectIn(repository.root);
  giveTrust(from, from.config.checks);
  const before = listTrust(repository.env);
  const to = await projectIn(fs.realpathSync(tree));
  carryTrust(from, to);
  expect(trustedIn(to)).toEqual(['a']);
  expect(trustedIn(from)).toEqual(['a', 'b']);
  expect(listTrust(repository.env)).toEqual(before);
});

it('what was trusted in the other folder stays so beside it', async () => {
  checksIn(repository.root, { test: { run: 'npm test' } });
  checksIn(other, { test: { run: 'npm test' }, own: { run: 'npm run own' } });
  const [from, to] = [await projectIn(repository.root), await projectIn(other)];
  giveTrust(from, from.config.checks);
  giveTrust(
    to,
    to.config.checks.filter(({ name }) => name === 'own'),
  );
  carryTrust(from, to);
  expect(trustedIn(to)).toEqual(['test', 'own']);
});

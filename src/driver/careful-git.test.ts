import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { carefulGit } from './careful-git.ts';

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-test-git-'));
const ran = path.join(root, 'ran');
const env = { PATH: process.env.PATH, HOME: root };
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

const watcher = `[core]\n\tfsmonitor = "touch ${ran}; false"\n`;

beforeAll(() => {
  execFileSync('git', ['init', '--quiet', path.join(root, 'project')], { env });
  const evil = path.join(root, 'project', 'evil');
  for (const folder of ['objects', 'refs']) fs.mkdirSync(path.join(evil, folder), { recursive: true });
  fs.writeFileSync(path.join(evil, 'HEAD'), 'ref: refs/heads/main\n');
  fs.writeFileSync(
    path.join(evil, 'config'),
    `${watcher}\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ..\n`,
  );
  fs.appendFileSync(path.join(root, 'project/.git/config'), watcher);
});

/** Did `git status` in this folder run what its settings name? */
function runs(folder: string, more: Record<string, string | undefined>): boolean {
  fs.rmSync(ran, { force: true });
  spawnSync('git', ['status'], { cwd: path.join(root, folder), env: { ...env, ...more } });
  return fs.existsSync(ran);
}

it.each(['project', 'project/evil'])('git in %s runs nothing that its settings name', (folder) => {
  expect(runs(folder, {})).toBe(true);
  expect(runs(folder, carefulGit(env))).toBe(false);
});

it('leaves what the user says in the same way', () => {
  const users = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'user.name', GIT_CONFIG_VALUE_0: 'Ada' };
  expect(carefulGit(users)).toMatchObject({ GIT_CONFIG_COUNT: '3', GIT_CONFIG_KEY_1: 'safe.bareRepository' });
  expect(carefulGit(users)).not.toHaveProperty('GIT_CONFIG_KEY_0');
  expect(carefulGit({ GIT_CONFIG_COUNT: 'x' })).toMatchObject({ GIT_CONFIG_COUNT: '2' });
});

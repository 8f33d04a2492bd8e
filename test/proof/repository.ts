// A real git repository in a folder of its own, with a home and a state folder beside it.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Content, contentOf } from '../../src/engine/proof/content.ts';
import type { Environment } from '../../src/store/environment.ts';

export type Repository = ReturnType<typeof makeRepository>;

export function makeRepository(init: readonly string[] = []) {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-proof-')));
  const root = path.join(folder, 'project');
  const home = path.join(folder, 'home');
  fs.mkdirSync(home);
  fs.mkdirSync(root);
  const env: Environment = { PATH: process.env.PATH, HOME: home };
  const repository = {
    folder,
    root,
    home,
    env,
    /** Set when a program runs that must not run. */
    mark: path.join(folder, 'mark'),
    git: (...args: string[]): string => gitIn(root, home, args),
    write: (file: string, content: string | Buffer): void => {
      const target = path.join(root, file);
      fs.mkdirSync(path.dirname(target), { recursive: true });
      fs.writeFileSync(target, content);
    },
    remove: (file: string): void => fs.rmSync(path.join(root, file), { recursive: true }),
    content: async (more: Environment = {}): Promise<Content> => {
      const content = await contentOf(root, { ...env, ...more }, { without: ['.holdfast'] });
      if (content === null) throw new Error('no content');
      return content;
    },
    /** Of everything. */
    seen: async (more: Environment = {}): Promise<string> => (await repository.content(more)).of(null),
    files: async (): Promise<Record<string, string>> =>
      Object.fromEntries((await repository.content()).files()),
    /** More files than are all hashed. */
    fill: (): void => {
      for (let count = 0; count < 2100; count++)
        repository.write(`many/${Math.floor(count / 100)}/${count}`, `${count}\n`);
    },
    /** Old enough that git believes what the index says of the files. */
    age: (): void => {
      const before = new Date(Date.now() - 60_000);
      for (const file of repository.git('ls-files', '-z').split('\0').slice(0, -1))
        fs.utimesSync(path.join(root, file), before, before);
      repository.git('update-index', '-q', '--really-refresh');
    },
    end: (): void => fs.rmSync(folder, { recursive: true, force: true }),
  };
  repository.git('init', '--quiet', ...init);
  return repository;
}

export function gitIn(cwd: string, home: string, args: readonly string[]): string {
  const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.org', '-c', 'protocol.file.allow=always'];
  return execFileSync('git', [...who, ...args], {
    cwd,
    env: { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1' },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 120_000,
  });
}

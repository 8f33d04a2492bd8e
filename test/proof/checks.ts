// Checks to run in a project of a test's own.

import fs from 'node:fs';
import path from 'node:path';
import { loadConfig } from '../../src/config/config.ts';
import type { Project } from '../../src/engine/project.ts';
import type { Check } from '../../src/engine/proof/types.ts';
import { makeAttemptFolders } from '../../src/engine/work/attempt.ts';
import { type CheckRun, type CheckWanted, runCheck } from '../../src/engine/work/check.ts';
import { psTable } from '../../src/processes/table.ts';
import type { Environment } from '../../src/store/environment.ts';
import { ensureHome, homeOf } from '../../src/store/home.ts';
import { makeRepository, type Repository } from './repository.ts';

export const aCheck = (more: Partial<Check> = {}): Check => ({
  ...{ name: 'test', run: 'true', timeout: 30, retries: 0, paths: null, cwd: null, from: 'user' },
  ...more,
});

export type CheckScene = Repository & {
  /** As a hook would; answers with the log, too. */
  check(check: Partial<Check>, wanted?: Partial<CheckWanted>): Promise<CheckRun & { log: string }>;
  log(name?: string): string;
  /** The ids of processes that a check noted in the file `pids`, when there are so many. */
  noted(many: number): Promise<number[]>;
};

export async function makeCheckScene(more: Environment = {}): Promise<CheckScene> {
  const repository = makeRepository();
  const { root } = repository;
  const env = { ...repository.env, ...more };
  const project: Project = {
    ...{ root, home: homeOf(root), env, now: Date.now(), cli: 'holdfast' },
    config: await loadConfig(root, env),
  };
  const log = (name = 'test'): string => {
    const file = path.join(root, `.holdfast/checks/${name}.log`);
    return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
  };
  let count = 0;
  return {
    ...repository,
    log,
    async check(check, wanted = {}) {
      const attempt = `attempt-${process.pid}-${++count}`;
      ensureHome(root);
      makeAttemptFolders(project, attempt);
      const ran = await runCheck(aCheck(check), {
        ...{ project, attempt, sandbox: { kind: 'none' }, deadline: Date.now() + 60_000 },
        whenAskedToEnd: () => {},
        interrupted: async () => {},
        ...wanted,
      });
      return { ...ran, log: log(check.name) };
    },
    async noted(many) {
      const file = path.join(root, 'pids');
      const lines = () => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n').slice(0, -1) : []);
      await eventually(() => lines().length >= many);
      return lines().map(Number);
    },
  };
}

export async function eventually(isSo: () => boolean, withinMs = 20_000): Promise<void> {
  const end = Date.now() + withinMs;
  while (!isSo()) {
    if (Date.now() > end) throw new Error('it did not come to pass');
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

export const isRunning = (pid: number): boolean => psTable.list().some((each) => each.pid === pid);

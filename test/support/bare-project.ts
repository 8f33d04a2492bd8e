// A project in a temp folder for what reads its files in this process: no git, no command, a home of its own beside it.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DEFAULT_CONFIG } from '../../src/config/config.ts';
import { newBudget } from '../../src/engine/budget/pin.ts';
import { changeBudget } from '../../src/engine/budget/record.ts';
import type { Budget } from '../../src/engine/budget/types.ts';
import type { Project } from '../../src/engine/project.ts';
import { homeOf } from '../../src/store/home.ts';
import { atTheEnd } from './at-the-end.ts';

/** Goes when the tests of the file are done. */
export function bareProject(now = 1_000_000): Project {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-bare-')));
  atTheEnd(() => fs.rmSync(folder, { recursive: true, force: true }));
  const root = path.join(folder, 'project');
  fs.mkdirSync(root);
  const env = { HOME: path.join(folder, 'home') };
  return { root, home: homeOf(root), env, now, cli: 'holdfast', config: DEFAULT_CONFIG };
}

/** Writes a file of the project, its folders included; answers with its path. */
export function writeIn({ root }: Project, file: string, content: string): string {
  const place = path.join(root, file);
  fs.mkdirSync(path.dirname(place), { recursive: true });
  fs.writeFileSync(place, content);
  return place;
}

const NONE: Budget['limits'] = { tokens: null, timeMs: null, reviews: null, usd: null };

/** A budget that bounds nothing and of which nothing is spent, but for what is given. */
export function budgetOf(
  project: Project,
  name: string,
  {
    limits,
    spent,
    ...more
  }: Partial<Omit<Budget, 'limits' | 'spent'>> & {
    limits?: Partial<Budget['limits']>;
    spent?: Partial<Budget['spent']>;
  } = {},
): Budget {
  const budget = newBudget(project.root, name, { ...NONE, ...limits }, project.now, project.now);
  return { ...budget, spent: { ...budget.spent, ...spent }, ...more };
}

/** Puts it where the run's budget lies. */
export function giveBudget(project: Project, budget: Budget): void {
  changeBudget(project, budget.run, () => budget);
}

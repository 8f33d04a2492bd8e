// A project in a temp folder for what is called in this process: no git, no command, a HOME and a state folder beside it.
// All of it goes when the tests of the file are done.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Stop } from '../../src/clients/stop.ts';
import { DEFAULT_CONFIG } from '../../src/config/config.ts';
import { newBudget } from '../../src/engine/budget/pin.ts';
import { changeBudget } from '../../src/engine/budget/record.ts';
import type { Budget } from '../../src/engine/budget/types.ts';
import type { RunContext } from '../../src/engine/context.ts';
import type { Project } from '../../src/engine/project.ts';
import { homeOf } from '../../src/store/home.ts';
import { atTheEnd } from './at-the-end.ts';

export const NOW = Date.parse('2026-01-31T09:30:00Z');

export function bareProject(now = 1_000_000): Project {
  return projectIn(newFolder(), { now });
}

/** A folder that is a project by its `.git`, with nothing else in it. */
export function emptyFolder(): string {
  const root = newFolder();
  fs.mkdirSync(path.join(root, '.git'));
  return root;
}

function newFolder(): string {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-bare-')));
  atTheEnd(() => fs.rmSync(folder, { recursive: true, force: true }));
  const root = path.join(folder, 'project');
  fs.mkdirSync(root);
  return root;
}

export function projectIn(root: string, over: Partial<Project> = {}): Project {
  const beside = path.dirname(root);
  return {
    root,
    home: homeOf(root),
    now: NOW,
    cli: 'holdfast',
    config: DEFAULT_CONFIG,
    ...over,
    env: {
      PATH: process.env.PATH,
      HOME: path.join(beside, 'home'),
      XDG_STATE_HOME: path.join(beside, 'state'),
      ...over.env,
    },
  };
}

export function contextIn(
  project: Project,
  run: string,
  { stop = {}, ...over }: { stop?: Partial<Stop> } & Partial<Omit<RunContext, 'stop'>> = {},
): RunContext {
  const quiet: Stop = {
    client: 'claude-code',
    session: 'session-1',
    turn: null,
    cwd: project.root,
    transcriptPath: null,
    lastMessage: null,
    planMode: false,
    backgroundTasks: [],
  };
  return { project, run, stop: { ...quiet, ...stop }, now: project.now, saved: undefined, ...over };
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

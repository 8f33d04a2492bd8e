// The settings, all optional: `holdfast.config.json` in the project may only tighten what the user's own
// file and the defaults allow, since a cloned repository brings the project's file along.

import fs from 'node:fs';
import path from 'node:path';
import type { Pair } from '../reviewers/names.ts';
import type { Environment } from '../store/environment.ts';
import { readInside, realPath } from '../store/files.ts';
import { below } from '../store/paths.ts';
import type { BudgetLimits } from '../store/records.ts';
import { absolute, homeFolder } from '../store/user-folders.ts';
import { messageOf } from '../text/message-of.ts';
import { HOUR_MS } from './amount.ts';
import type { Check } from './check.ts';
import { type Notifier, notifiersIn } from './notify.ts';
import type { ReadConfig } from './parse.ts';
import type { ConfigFile } from './schema.ts';
import {
  type CheckSandbox,
  type HoldForm,
  type ReviewAccess,
  type ReviewFloor,
  type Settings,
  settle,
  type WhenAsked,
  type WhenProtectedChange,
} from './settings.ts';

export const CONFIG_NAME = 'holdfast.config.json';

/** Holds in a row before the guard lets go: with nothing moved at all; with tool calls alone (null: no bound). */
export type GuardDefaults = { unmoved: number; tools: number | null };

export type Config = {
  /** The user's and the project's file as far as they can be used, for limits that differ per workflow. */
  user: ConfigFile;
  project: ConfigFile;
  settings: Settings;
  review: {
    timeoutMs: number;
    access: ReviewAccess;
    /** The pair that takes turns; `chosen`: by the user. */
    models: Pair;
    chosen: boolean;
    /** The reviewer of the workflow of that name. */
    claudex: string;
  };
  /** Where a reviewer lists only what lies below it, its review counts as clean, from this round of a cycle on. */
  floor: { severity: ReviewFloor; from: number };
  journal: { keepBytes: number };
  issues: { list: string | null; show: string | null };
  /** Of both files, the project's first; where both have a name, the user's. */
  checks: readonly Check[];
  /** Names under `checks`, in either file, whose command cannot be used as it stands. */
  brokenChecks: readonly string[];
  proof: { sandbox: CheckSandbox; bail: boolean; refusals: number; acceptRed: readonly string[] };
  protect: { paths: readonly string[]; then: WhenProtectedChange };
  /** How long a run waits at most. */
  wait: { workMs: number; personMs: number };
  ask: WhenAsked;
  holdAs: HoldForm;
  /** Of `holdfast run`: how long a client may say nothing, and which one is meant where several are there. */
  run: { silenceMs: number; client: string | null };
  /** What a run may spend where its start does not say; null: as much as it likes. */
  budget: BudgetLimits | null;
  /** Whom to call; nobody unless the user's own file says so. */
  notify: readonly Notifier[];
  /** What is wrong under `budget` in the user's own file, where it is; nothing is started then. */
  brokenBudget: string | null;
  /** One line each: which key, where, what is allowed, what counts now. All other keys hold. */
  problems: readonly string[];
  /** Those of them that only speak of a key we do not know: a newer Holdfast may. */
  unknownKeys: readonly string[];
};

/** The hook itself has 7200 s (hooks.json); our own deadline must always come first. */
const REVIEW_TIMEOUT_MAX_S = 7000;

const CHECK_TIMEOUT_S = 600;

/** Reads both files. The schema is loaded only when there is one to check. */
export async function loadConfig(root: string | null, env: Environment): Promise<Config> {
  const user = await readConfig(userConfigPath(env), null);
  const project = root === null ? EMPTY : await readConfig(below(root, CONFIG_NAME), root);
  return forNobody(merge(user, project), env);
}

/** `holdfast run --unattended` says that nobody is there to be asked. It may only be said, never taken back. */
function forNobody(config: Config, env: Environment): Config {
  if (env.HOLDFAST_UNATTENDED !== '1') return config;
  return {
    ...config,
    ask: 'refuse',
    settings: { ...config.settings, ask: { value: 'refuse', from: 'user' } },
  };
}

export function userConfigPath(env: Environment): string {
  const folder = absolute(env.XDG_CONFIG_HOME) ?? below(homeFolder(env), '.config');
  return below(folder, `holdfast/${CONFIG_NAME}`);
}

/** How many holds in a row this workflow may answer without progress. */
export function guardLimits(config: Config, workflow: string, defaults: GuardDefaults): GuardDefaults {
  const user = { ...config.user.guard, ...config.user.guard?.workflows?.[workflow] };
  const project = { ...config.project.guard, ...config.project.guard?.workflows?.[workflow] };
  return {
    unmoved: Math.min(user.unmoved ?? defaults.unmoved, project.unmoved ?? Number.POSITIVE_INFINITY),
    tools: lower(user.tools ?? defaults.tools, project.tools ?? null),
  };
}

const EMPTY: ReadConfig = { file: {}, problems: [], unknown: [] };

const READ_AT_MOST = 1024 * 1024;

/** The user's own file may be a link to wherever they keep it; a project's may not lead out of the project. */
async function readConfig(file: string, root: string | null): Promise<ReadConfig> {
  let text: string | null;
  try {
    // Asked first, since mostly there is none, and an error that is thrown costs a stop more than a question.
    if (fs.statSync(file, { throwIfNoEntry: false }) === undefined) return EMPTY;
    const real = realPath(file);
    if (real !== null && !fs.statSync(real).isFile()) return await unreadable(`${file}: not a regular file`);
    text = real === null ? null : readInside(real, root ?? path.dirname(real), READ_AT_MOST);
  } catch (error) {
    const why = messageOf(error);
    return await unreadable(`${file}: cannot be read (${why})`);
  }
  if (text === null) return EMPTY;
  const { parseConfig } = await import('./parse.ts');
  const read = parseConfig(text, file, root === null ? 'user' : 'project');
  if (read.notJson !== true) return read;
  const { whereBroken } = await import('./where-broken.ts');
  return unreadable(`${file}: not valid JSON${whereBroken(text)}`);
}

async function unreadable(what: string): Promise<ReadConfig> {
  const parser = await import('./parse.ts');
  return parser.unreadable(what);
}

function merge(user: ReadConfig, project: ReadConfig): Config {
  const settings = settle(user.file, project.file);
  return {
    user: user.file,
    project: project.file,
    settings,
    review: {
      timeoutMs: Math.min(settings['review.timeout'].value, REVIEW_TIMEOUT_MAX_S) * 1000,
      access: settings['review.access'].value,
      models: settings['review.models'].value,
      chosen: settings['review.models'].from === 'user',
      claudex: settings['review.claudex'].value,
    },
    floor: { severity: settings['review.floor'].value, from: settings['review.floorFrom'].value },
    journal: { keepBytes: settings['journal.keep'].value * 1024 * 1024 },
    issues: { list: settings['idle.issues.list'].value, show: settings['idle.issues.show'].value },
    ...mergeChecks(user.file.checks ?? {}, project.file.checks ?? {}),
    proof: {
      sandbox: settings['proof.sandbox'].value,
      bail: settings['proof.bail'].value,
      refusals: settings['proof.refusals'].value,
      acceptRed: settings['proof.acceptRed'].value,
    },
    protect: {
      paths: [...(user.file.protect?.paths ?? []), ...(project.file.protect?.paths ?? [])],
      then: settings['protect.then'].value,
    },
    wait: {
      workMs: settings['wait.work'].value * 1000,
      personMs: settings['wait.person'].value * 1000,
    },
    ask: settings.ask.value,
    holdAs: settings['hold.as'].value,
    run: { silenceMs: settings['run.silence'].value * 1000, client: settings['run.client'].value },
    budget: budgetIn(settings),
    notify: notifiersIn(user.file.notify ?? []),
    brokenBudget: user.brokenBudget ?? null,
    problems: [...user.problems, ...project.problems],
    unknownKeys: [...user.unknown, ...project.unknown],
  };
}

function budgetIn(settings: Settings): BudgetLimits | null {
  const hours = settings['budget.hours'].value;
  const limits: BudgetLimits = {
    tokens: settings['budget.tokens'].value,
    timeMs: hours === null ? null : Math.round(hours * HOUR_MS),
    reviews: settings['budget.reviews'].value,
    usd: settings['budget.usd'].value,
  };
  return Object.values(limits).every((limit) => limit === null) ? null : limits;
}

type ChecksOf = NonNullable<ConfigFile['checks']>;

/** By own keys alone: one may be called `constructor`. */
function mergeChecks(user: ChecksOf, project: ChecksOf): Pick<Config, 'checks' | 'brokenChecks'> {
  const names = [
    ...Object.keys(project),
    ...Object.keys(user).filter((name) => !Object.hasOwn(project, name)),
  ];
  const checks: Check[] = [];
  const brokenChecks: string[] = [];
  for (const name of names) {
    const from = Object.hasOwn(user, name) ? 'user' : 'project';
    const { run, timeout, retries, paths, cwd } = (from === 'user' ? user : project)[name] ?? {};
    if (run === undefined) brokenChecks.push(name);
    else
      checks.push({
        ...{ name, run, timeout: timeout ?? CHECK_TIMEOUT_S, retries: retries ?? 0 },
        ...{ paths: paths ?? null, cwd: cwd ?? null, from },
      });
  }
  return { checks, brokenChecks };
}

function lower(allowed: number | null, wanted: number | null): number | null {
  if (allowed === null || wanted === null) return allowed ?? wanted;
  return Math.min(allowed, wanted);
}

/** Without any file. */
export const DEFAULT_CONFIG: Config = merge(EMPTY, EMPTY);

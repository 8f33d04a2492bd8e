// The settings, all optional: `holdfast.config.json` in the project may only tighten what the user's own
// file and the defaults allow, since a cloned repository brings the project's file along.

import fs from 'node:fs';
import path from 'node:path';
import { type Pair, USUAL_CLAUDEX, USUAL_PAIR } from '../reviewers/names.ts';
import type { Environment } from '../store/environment.ts';
import { readInside, realPath } from '../store/files.ts';
import { below } from '../store/paths.ts';
import type { BudgetLimits } from '../store/records.ts';
import { absolute, homeFolder } from '../store/user-folders.ts';
import { messageOf } from '../text/message-of.ts';
import { HOUR_MS, tokensIn } from './amount.ts';
import type { Check } from './check.ts';
import { type Notifier, notifiersIn } from './notify.ts';
import type { ConfigFile, ReadConfig } from './schema.ts';

export const CONFIG_NAME = 'holdfast.config.json';

/** Holds in a row before the guard lets go: with nothing moved at all; with tool calls alone (null: no bound). */
export type GuardDefaults = { unmoved: number; tools: number | null };

export type ReviewAccess = 'full' | 'sandboxed';

/** The lightest finding that counts where a reviewer lists any. */
export type ReviewFloor = 'low' | 'medium' | 'high';

/** When a check runs in a sandbox: where the agent is in one; always; never. */
export type CheckSandbox = 'never' | 'auto' | 'always';

/** What follows from a change of protected files: it is said; or the claim is held once, too. */
export type WhenProtectedChange = 'notice' | 'hold';

/** An agent's question: it waits for a person, or is refused since nobody is there. */
export type WhenAsked = 'wait' | 'refuse';

/** How a hold is said where the client knows both ways. */
export type HoldForm = 'block' | 'feedback';

export type Origin = 'default' | 'user' | 'project';

/** A value and which file it came from. */
export type Setting<T> = { readonly value: T; readonly from: Origin };

export type Settings = {
  /** Seconds. */
  'review.timeout': Setting<number>;
  'review.access': Setting<ReviewAccess>;
  'review.floor': Setting<ReviewFloor>;
  'review.floorFrom': Setting<number>;
  'review.models': Setting<Pair>;
  'review.claudex': Setting<string>;
  /** Megabytes. */
  'journal.keep': Setting<number>;
  /** Text for the agent, never run by us. */
  'idle.issues.list': Setting<string | null>;
  'idle.issues.show': Setting<string | null>;
  'proof.sandbox': Setting<CheckSandbox>;
  'proof.bail': Setting<boolean>;
  'proof.refusals': Setting<number>;
  'protect.then': Setting<WhenProtectedChange>;
  /** Seconds, as `wait.person`. */
  'wait.work': Setting<number>;
  'wait.person': Setting<number>;
  ask: Setting<WhenAsked>;
  'hold.as': Setting<HoldForm>;
  /** Seconds. */
  'run.silence': Setting<number>;
  /** A client's program. */
  'run.client': Setting<string | null>;
  'budget.tokens': Setting<number | null>;
  'budget.hours': Setting<number | null>;
  'budget.reviews': Setting<number | null>;
  'budget.usd': Setting<number | null>;
};

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
  proof: { sandbox: CheckSandbox; bail: boolean; refusals: number };
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

const REVIEW_TIMEOUT_S = 600;
/** The hook itself has 7200 s (hooks.json); our own deadline must always come first. */
const REVIEW_TIMEOUT_MAX_S = 7000;
const JOURNAL_KEEP_MB = 64;
const CHECK_TIMEOUT_S = 600;
const REFUSALS = 12;
const WAIT_FOR_WORK_S = 2 * 3600;
const SILENCE_S = 30 * 60;
const WAIT_FOR_PERSON_S = 7 * 24 * 3600;

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
  const { parseConfig } = await import('./schema.ts');
  return parseConfig(text, file, root === null ? 'user' : 'project');
}

async function unreadable(what: string): Promise<ReadConfig> {
  const schema = await import('./schema.ts');
  return schema.unreadable(what);
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

/** What may only be tightened by a project, and what it may say as it likes. */
function settle(user: ConfigFile, project: ConfigFile): Settings {
  return {
    'review.timeout': lowest(user.review?.timeout, project.review?.timeout, REVIEW_TIMEOUT_S),
    'review.access': tightest(ACCESSES, user.review?.access, project.review?.access, 'full'),
    'review.floor': tightest(FLOORS, user.review?.floor, project.review?.floor, 'low'),
    'review.floorFrom': highest(user.review?.floorFrom, project.review?.floorFrom, 1),
    // Which programs run here is the user's own affair, and never a repository's: its file has none of these.
    'review.models': nearest(user.review?.models, undefined, USUAL_PAIR),
    'review.claudex': nearest(user.review?.claudex, undefined, USUAL_CLAUDEX),
    'journal.keep': lowest(user.journal?.keep, project.journal?.keep, JOURNAL_KEEP_MB),
    'idle.issues.list': nearest(user.idle?.issues?.list, project.idle?.issues?.list, null),
    'idle.issues.show': nearest(user.idle?.issues?.show, project.idle?.issues?.show, null),
    'proof.sandbox': tightest(SANDBOXES, user.proof?.sandbox, project.proof?.sandbox, 'auto'),
    'proof.bail': nearest(user.proof?.bail, project.proof?.bail, false),
    'proof.refusals': lowest(user.proof?.refusals, project.proof?.refusals, REFUSALS),
    'protect.then': tightest(PROTECTIONS, user.protect?.then, project.protect?.then, 'notice'),
    'wait.work': lowest(user.wait?.work, project.wait?.work, WAIT_FOR_WORK_S),
    // The user's own affair: a project's file has none of these.
    'wait.person': nearest(user.wait?.person, undefined, WAIT_FOR_PERSON_S),
    ask: nearest(user.ask, undefined, 'wait'),
    'hold.as': nearest(user.hold?.as, undefined, 'block'),
    'run.silence': lowest(user.run?.silence, project.run?.silence, SILENCE_S),
    'run.client': nearest(user.run?.client, undefined, null),
    'budget.tokens': lowestIfAny(tokensIn(user.budget?.tokens), tokensIn(project.budget?.tokens)),
    'budget.hours': lowestIfAny(user.budget?.hours, project.budget?.hours),
    'budget.reviews': lowestIfAny(user.budget?.reviews, project.budget?.reviews),
    'budget.usd': lowestIfAny(user.budget?.usd, project.budget?.usd),
  };
}

function lowest(user: number | undefined, project: number | undefined, otherwise: number): Setting<number> {
  const allowed = user ?? otherwise;
  if (project !== undefined && project < allowed) return { value: project, from: 'project' };
  return { value: allowed, from: user === undefined ? 'default' : 'user' };
}

/** The same where there is no limit unless a file has one. */
function lowestIfAny(user: number | undefined, project: number | undefined): Setting<number | null> {
  const found = lowest(user, project, Number.POSITIVE_INFINITY);
  return found.from === 'default' ? { value: null, from: 'default' } : found;
}

function highest(user: number | undefined, project: number | undefined, otherwise: number): Setting<number> {
  const allowed = user ?? otherwise;
  if (project !== undefined && project > allowed) return { value: project, from: 'project' };
  return { value: allowed, from: user === undefined ? 'default' : 'user' };
}

/** Each from the loosest to the tightest. */
const ACCESSES: readonly ReviewAccess[] = ['full', 'sandboxed'];
const FLOORS: readonly ReviewFloor[] = ['high', 'medium', 'low'];
const SANDBOXES: readonly CheckSandbox[] = ['never', 'auto', 'always'];
const PROTECTIONS: readonly WhenProtectedChange[] = ['notice', 'hold'];

function tightest<T>(
  order: readonly T[],
  user: T | undefined,
  project: T | undefined,
  otherwise: T,
): Setting<T> {
  const allowed = user ?? otherwise;
  if (project !== undefined && order.indexOf(project) > order.indexOf(allowed))
    return { value: project, from: 'project' };
  return { value: allowed, from: user === undefined ? 'default' : 'user' };
}

function nearest<T, Otherwise>(
  user: T | undefined,
  project: T | undefined,
  otherwise: Otherwise,
): Setting<T | Otherwise> {
  if (project !== undefined) return { value: project, from: 'project' };
  return user === undefined ? { value: otherwise, from: 'default' } : { value: user, from: 'user' };
}

function lower(allowed: number | null, wanted: number | null): number | null {
  if (allowed === null || wanted === null) return allowed ?? wanted;
  return Math.min(allowed, wanted);
}

export type ChangedSetting = {
  key: string;
  value: string | number | boolean | readonly string[];
  from: 'user' | 'project';
};

/**
 * What a file set, and which one. Limits of the guard as they stand there: what a workflow's own default allows
 * beside a project's is known to that workflow.
 */
export function changedSettings({ settings, user, project }: Config): ChangedSetting[] {
  const plain = Object.entries(settings).map(([key, setting]) => ({ key, ...setting }));
  return [...plain, ...guardSettings(user, project)].flatMap(({ key, value, from }) =>
    from === 'default' || value === null ? [] : { key, value, from },
  );
}

function guardSettings(user: ConfigFile, project: ConfigFile): (Setting<number> & { key: string })[] {
  const names = Object.keys({ ...user.guard?.workflows, ...project.guard?.workflows });
  const places = [
    { at: 'guard', of: (file: ConfigFile) => file.guard },
    ...names.map((name) => ({
      at: `guard.workflows.${name}`,
      of: (file: ConfigFile) => file.guard?.workflows?.[name],
    })),
  ];
  return places.flatMap(({ at, of }) =>
    (['unmoved', 'tools'] as const).map((limit) => ({
      key: `${at}.${limit}`,
      ...lowest(of(user)?.[limit], of(project)?.[limit], Number.POSITIVE_INFINITY),
    })),
  );
}

/** Without any file. */
export const DEFAULT_CONFIG: Config = merge(EMPTY, EMPTY);

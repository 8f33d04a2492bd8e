// The settings, all optional: `holdfast.config.json` in the project may only tighten what the user's own
// file and the defaults allow, since a cloned repository brings the project's file along.

import fs from 'node:fs';
import path from 'node:path';
import type { Environment } from '../store/environment.ts';
import { readInside, realPath } from '../store/files.ts';
import { below } from '../store/paths.ts';
import { absolute, homeFolder } from '../store/user-folders.ts';
import { messageOf } from '../text/message-of.ts';
import type { Check } from './check.ts';
import type { ConfigFile, ReadConfig } from './schema.ts';

export const CONFIG_NAME = 'holdfast.config.json';

/** Holds in a row before the guard lets go: with nothing moved at all; with tool calls alone (null: no bound). */
export type GuardDefaults = { unmoved: number; tools: number | null };

export type ReviewAccess = 'full' | 'sandboxed';

export type Origin = 'default' | 'user' | 'project';

/** A value and which file it came from. */
export type Setting<T> = { readonly value: T; readonly from: Origin };

export type Settings = {
  /** Seconds. */
  'review.timeout': Setting<number>;
  'review.access': Setting<ReviewAccess>;
  /** Megabytes. */
  'journal.keep': Setting<number>;
  /** Text for the agent, never run by us. */
  'idle.issues.list': Setting<string | null>;
  'idle.issues.show': Setting<string | null>;
};

export type Config = {
  /** The user's and the project's file as far as they can be used, for limits that differ per workflow. */
  user: ConfigFile;
  project: ConfigFile;
  settings: Settings;
  review: { timeoutMs: number; access: ReviewAccess };
  journal: { keepBytes: number };
  issues: { list: string | null; show: string | null };
  checks: readonly Check[];
  proof: { sandbox: 'auto' | 'always' | 'never'; bail: boolean; refusals: number };
  protect: { paths: readonly string[]; then: 'notice' | 'hold' };
  /** One line each: which key, where, what is allowed, what counts now. All other keys hold. */
  problems: readonly string[];
  /** Those of them that only speak of a key we do not know: a newer Holdfast may. */
  unknownKeys: readonly string[];
};

const REVIEW_TIMEOUT_S = 600;
/** The hook itself has 7200 s (hooks.json); our own deadline must always come first. */
const REVIEW_TIMEOUT_MAX_S = 7000;
const JOURNAL_KEEP_MB = 64;

/** Reads both files. The schema is loaded only when there is one to check. */
export async function loadConfig(root: string | null, env: Environment): Promise<Config> {
  const user = await readConfig(userConfigPath(env), null);
  const project = root === null ? EMPTY : await readConfig(below(root, CONFIG_NAME), root);
  return merge(user, project);
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
  return parseConfig(text, file);
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
    },
    journal: { keepBytes: settings['journal.keep'].value * 1024 * 1024 },
    issues: { list: settings['idle.issues.list'].value, show: settings['idle.issues.show'].value },
    checks: [],
    proof: { sandbox: 'auto', bail: false, refusals: 12 },
    // biome-ignore lint/suspicious/noThenProperty: a word, no function
    protect: { paths: [], then: 'notice' },
    problems: [...user.problems, ...project.problems],
    unknownKeys: [...user.unknown, ...project.unknown],
  };
}

/** What may only be tightened by a project, and what it may say as it likes. */
function settle(user: ConfigFile, project: ConfigFile): Settings {
  return {
    'review.timeout': lowest(user.review?.timeout, project.review?.timeout, REVIEW_TIMEOUT_S),
    'review.access': strictest(user.review?.access, project.review?.access),
    'journal.keep': lowest(user.journal?.keep, project.journal?.keep, JOURNAL_KEEP_MB),
    'idle.issues.list': nearest(user.idle?.issues?.list, project.idle?.issues?.list),
    'idle.issues.show': nearest(user.idle?.issues?.show, project.idle?.issues?.show),
  };
}

function lowest(user: number | undefined, project: number | undefined, otherwise: number): Setting<number> {
  const allowed = user ?? otherwise;
  if (project !== undefined && project < allowed) return { value: project, from: 'project' };
  return { value: allowed, from: user === undefined ? 'default' : 'user' };
}

function strictest(user: ReviewAccess | undefined, project: ReviewAccess | undefined): Setting<ReviewAccess> {
  if (user === 'sandboxed') return { value: user, from: 'user' };
  if (project === 'sandboxed') return { value: project, from: 'project' };
  return { value: 'full', from: user === undefined ? 'default' : 'user' };
}

function nearest(user: string | undefined, project: string | undefined): Setting<string | null> {
  if (project !== undefined) return { value: project, from: 'project' };
  return user === undefined ? { value: null, from: 'default' } : { value: user, from: 'user' };
}

function lower(allowed: number | null, wanted: number | null): number | null {
  if (allowed === null || wanted === null) return allowed ?? wanted;
  return Math.min(allowed, wanted);
}

export type ChangedSetting = { key: string; value: string | number; from: 'user' | 'project' };

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

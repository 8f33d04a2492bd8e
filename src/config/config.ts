// The settings, all optional: `holdfast.config.json` in the project may only tighten what the user's own
// file and the defaults allow, since a cloned repository brings the project's file along.

import fs from 'node:fs';
import path from 'node:path';
import type { Environment } from '../store/environment.ts';
import { readInside, realPath } from '../store/files.ts';
import { below } from '../store/paths.ts';
import { absolute, homeFolder } from '../store/user-folders.ts';
import type { ConfigFile } from './schema.ts';

export const CONFIG_NAME = 'holdfast.config.json';

/** Holds in a row before the guard lets go: with nothing moved at all; with tool calls alone (null: no bound). */
export type GuardDefaults = { unmoved: number; tools: number | null };

export type ReviewAccess = 'full' | 'sandboxed';

export type Config = {
  /** The user's and the project's file as they are, for limits that differ per workflow. */
  user: ConfigFile;
  project: ConfigFile;
  review: { timeoutMs: number; access: ReviewAccess };
  /** Text for the agent, never run by us. */
  issues: { list: string | null; show: string | null };
  /** One line each: which key, what was expected. The bad file counts as empty. */
  problems: readonly string[];
};

const REVIEW_TIMEOUT_S = 600;
/** The hook itself has 7200 s (hooks.json); our own deadline must always come first. */
const REVIEW_TIMEOUT_MAX_S = 7000;

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

type ReadResult = { file: ConfigFile; problems: readonly string[] };
const EMPTY: ReadResult = { file: {}, problems: [] };

const READ_AT_MOST = 1024 * 1024;

/** The user's own file may be a link to wherever they keep it; a project's may not lead out of the project. */
async function readConfig(file: string, root: string | null): Promise<ReadResult> {
  let text: string | null;
  try {
    // Asked first, since mostly there is none, and an error that is thrown costs a stop more than a question.
    if (fs.statSync(file, { throwIfNoEntry: false }) === undefined) return EMPTY;
    const real = realPath(file);
    if (real !== null && !fs.statSync(real).isFile())
      return { file: {}, problems: [`${file}: not a regular file; it is ignored`] };
    text = real === null ? null : readInside(real, root ?? path.dirname(real), READ_AT_MOST);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { file: {}, problems: [`${file}: cannot be read (${why}); it is ignored`] };
  }
  if (text === null) return EMPTY;
  const { parseConfig } = await import('./schema.ts');
  return parseConfig(text, file);
}

function merge(user: ReadResult, project: ReadResult): Config {
  const allowed = user.file.review?.timeout ?? REVIEW_TIMEOUT_S;
  const timeout = Math.min(allowed, project.file.review?.timeout ?? allowed, REVIEW_TIMEOUT_MAX_S);
  const sandboxed = user.file.review?.access === 'sandboxed' || project.file.review?.access === 'sandboxed';
  return {
    user: user.file,
    project: project.file,
    review: { timeoutMs: timeout * 1000, access: sandboxed ? 'sandboxed' : 'full' },
    issues: {
      list: project.file.idle?.issues?.list ?? user.file.idle?.issues?.list ?? null,
      show: project.file.idle?.issues?.show ?? user.file.idle?.issues?.show ?? null,
    },
    problems: [...user.problems, ...project.problems],
  };
}

function lower(allowed: number | null, wanted: number | null): number | null {
  if (allowed === null || wanted === null) return allowed ?? wanted;
  return Math.min(allowed, wanted);
}

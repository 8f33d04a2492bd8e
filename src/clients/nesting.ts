// Which of several clients around a command is the innermost. Each puts its session's id, or a mark, into the
// environment of the agent's shell and none takes another's out, so the variables alone do not tell (Claude Code 2.1.325
// in Codex 0.166.0 and the other way round). The processes above us do: the inner client itself was started with the
// outer one's id, but without its own. So, going up, the innermost client's id is the first to be missing.

import type { Environment } from '../store/environment.ts';
import { readSystem } from '../store/open.ts';
import type { Client } from './client.ts';

/** `marks`: what the client has put into the environment of its shell, as `NAME=value`. */
export type Around = { client: Client; ids: readonly string[]; marks: readonly string[] };

export type LookAtProcess = (pid: number) => {
  /** 0: there is none above it. */
  parent: number;
  /** The variables it was started with, as `NAME=value`; null: not ours to read. */
  environment: ReadonlySet<string> | null;
} | null;

/** More than anybody nests; a bound all the same. */
const MOST_STEPS = 64;

/** One client, or all of them where nothing tells: a run that holds one session too many is better than none. */
export function innermost(
  around: readonly Around[],
  env: Environment,
  look: LookAtProcess,
): readonly Around[] {
  const first = firstMissing(around, look);
  if (first.length > 0 && first.length < around.length) return first;
  if (look(process.ppid) === null) return around;
  // A sandbox of the inner client shows no process outside of it, so not the outer client's either (Codex 0.166.0).
  const inside = around.filter(({ client }) => !isOutOfSight(client, env, look));
  return inside.length > 0 ? inside : around;
}

function firstMissing(around: readonly Around[], look: LookAtProcess): readonly Around[] {
  let pid = process.ppid;
  for (let step = 0; step < MOST_STEPS && pid > 0; step++) {
    const found = look(pid);
    if (found === null) return [];
    const { environment, parent } = found;
    const missing =
      environment === null ? [] : around.filter(({ marks }) => !marks.some((mark) => environment.has(mark)));
    if (missing.length > 0) return missing;
    pid = parent;
  }
  return [];
}

function isOutOfSight({ pidVariable }: Client, env: Environment, look: LookAtProcess): boolean {
  const pid = Number(pidVariable === undefined ? Number.NaN : env[pidVariable]);
  return Number.isInteger(pid) && pid > 0 && look(pid) === null;
}

/** From Linux's /proc; elsewhere there is none, and nothing is known. */
export const lookAtProcess: LookAtProcess = (pid) => {
  try {
    const stat = readSystem(`/proc/${pid}/stat`);
    // The name before it, in brackets, may hold anything.
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    return { parent: Number.isInteger(parent) ? parent : 0, environment: startEnvironment(pid) };
  } catch {
    return null;
  }
};

function startEnvironment(pid: number): ReadonlySet<string> | null {
  try {
    return new Set(readSystem(`/proc/${pid}/environ`).split('\0'));
  } catch {
    return null;
  }
}

// Where the sessions of a command's environment were started. A command in the agent's shell knows only its own
// folder, and an agent may have gone elsewhere; the clients' own transcripts tell. Commands only: no stop needs it.

import fs from 'node:fs';
import type { Environment } from '../store/environment.ts';
import { openRegular } from '../store/files.ts';
import { isObject, parseJson } from '../store/json.ts';
import { below } from '../store/paths.ts';
import { linesFromEnd } from './backward.ts';

/**
 * A folder for each of these sessions that is known; none where nothing tells. The environment may name more sessions:
 * those of a client around the one that runs the command.
 */
export function sessionFolders(env: Environment, sessions: readonly string[]): readonly string[] {
  const known = remembered.get(env);
  if (known !== undefined) return known;
  const found = [
    sessions.includes(claudeSession(env)) ? claudeFolder(env) : null,
    sessions.includes(codexSession(env)) ? codexFolder(env) : null,
  ];
  const folders = found.filter((folder) => folder !== null);
  remembered.set(env, folders);
  return folders;
}

const remembered = new WeakMap<Environment, readonly string[]>();

const claudeSession = (env: Environment): string => env.CLAUDE_CODE_SESSION_ID ?? '';
const codexSession = (env: Environment): string => env.CODEX_THREAD_ID || env.CODEX_SESSION_ID || '';

/** Ids come from the environment and become part of a path. */
const PLAIN_ID = /^[A-Za-z0-9][A-Za-z0-9-]{0,63}$/;

/**
 * Claude Code 2.1.325 writes `projects/<start folder>/<session>.jsonl`. Its lines follow the agent's `cd`, so the
 * first one counts, which it also does in a session that was resumed in a subfolder.
 */
function claudeFolder(env: Environment): string | null {
  const session = claudeSession(env);
  const home = env.CLAUDE_CONFIG_DIR || (env.HOME ? below(env.HOME, '.claude') : '');
  if (!PLAIN_ID.test(session) || !home.startsWith('/')) return null;
  return patiently(home, () => {
    const projects = below(home, 'projects');
    const file = namesIn(projects)
      .map((name) => below(projects, `${name}/${session}.jsonl`))
      .find((name) => fs.existsSync(name));
    return file === undefined ? null : reading(file, (descriptor) => firstCwd(descriptor));
  });
}

const WAITS = 15;
const WAIT_MS = 20;

/** The client writes on a 100 ms timer: the file may not be there at the first command of a session. */
function patiently(home: string, look: () => string | null): string | null {
  for (let waits = 0; ; waits++) {
    const found = look();
    if (found !== null || waits === WAITS || !fs.existsSync(home)) return found;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS);
  }
}

const HEAD = 256 * 1024;

function firstCwd(descriptor: number): string | null {
  const head = Buffer.alloc(HEAD);
  const count = fs.readSync(descriptor, head, 0, HEAD, 0);
  for (const line of head.toString('utf8', 0, count).split('\n')) {
    const folder = cwdOf(line.includes('"cwd"') ? parseJson(line) : null);
    if (folder !== null) return folder;
  }
  return null;
}

/**
 * Codex 0.166.0 writes `sessions/YYYY/MM/DD/rollout-<time>-<session>.jsonl`; the id begins with the same time. The
 * latest turn counts: a session may be resumed in another folder, and its stops then come from there.
 */
function codexFolder(env: Environment): string | null {
  const session = codexSession(env);
  const home = env.CODEX_HOME || (env.HOME ? below(env.HOME, '.codex') : '');
  if (!PLAIN_ID.test(session) || !home.startsWith('/')) return null;
  for (const day of daysAround(Number.parseInt(session.replace('-', '').slice(0, 12), 16))) {
    const folder = below(home, `sessions/${day}`);
    const name = namesIn(folder).find((file) => file.endsWith(`-${session}.jsonl`));
    if (name !== undefined) return reading(below(folder, name), lastTurnsCwd);
  }
  return null;
}

/** The folders are named by local time, which need not be ours. */
function daysAround(time: number): string[] {
  const DAY_MS = 24 * 60 * 60 * 1000;
  if (Number.isNaN(time)) return [];
  return [0, -DAY_MS, DAY_MS].map((shift) =>
    new Date(time + shift).toISOString().slice(0, 10).replaceAll('-', '/'),
  );
}

const READ_BACK = 64 * 1024 * 1024;

function lastTurnsCwd(descriptor: number): string | null {
  for (const { text } of linesFromEnd(descriptor, READ_BACK)) {
    const entry = text.includes('"turn_context"') ? parseJson(text) : null;
    const folder = isObject(entry) && entry.type === 'turn_context' ? cwdOf(entry.payload) : null;
    if (folder !== null) return folder;
  }
  return null;
}

function cwdOf(entry: unknown): string | null {
  return isObject(entry) && typeof entry.cwd === 'string' && entry.cwd.startsWith('/') ? entry.cwd : null;
}

/** What cannot be read tells nothing: the command goes on by its own folder. */
function reading(file: string, read: (descriptor: number) => string | null): string | null {
  let descriptor: number | null = null;
  try {
    descriptor = openRegular(file);
    return descriptor === null ? null : read(descriptor);
  } catch {
    return null;
  } finally {
    if (descriptor !== null) fs.closeSync(descriptor);
  }
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}

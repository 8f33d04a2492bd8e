// Where a session of Codex was started, from its transcript. Commands only: no stop asks.

import type { Environment } from '../../store/environment.ts';
import { isObject, parseJson } from '../../store/json.ts';
import { below } from '../../store/paths.ts';
import { linesFromEnd } from '../../text/backward.ts';
import { cwdOf, isPlainId, namesIn, reading } from '../start-folder.ts';

/**
 * Codex 0.166.0 writes `sessions/YYYY/MM/DD/rollout-<time>-<session>.jsonl`; the id begins with the same time. The
 * latest turn counts: a session may be resumed in another folder, and its stops then come from there.
 */
export function startFolder(env: Environment): string | null {
  const session = env.CODEX_THREAD_ID || env.CODEX_SESSION_ID || '';
  const home = env.CODEX_HOME || (env.HOME ? below(env.HOME, '.codex') : '');
  if (!isPlainId(session) || !home.startsWith('/')) return null;
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

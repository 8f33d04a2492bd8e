// Where a session of Codex was started, from its transcript. Commands only: no stop asks.

import type { Environment } from '../../store/environment.ts';
import { isObject, parseJson } from '../../store/json.ts';
import { linesFromEnd } from '../../text/backward.ts';
import { cwdOf, reading } from '../start-folder.ts';
import { rolloutOf } from './rollouts.ts';

/** The latest turn counts: a session may be resumed in another folder, and its stops then come from there. */
export function startFolder(env: Environment): string | null {
  const rollout = rolloutOf(env.CODEX_THREAD_ID || env.CODEX_SESSION_ID || '', env);
  return rollout === null ? null : reading(rollout, lastTurnsCwd);
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

// Where Codex 0.166.0 keeps a session's transcript: `sessions/YYYY/MM/DD/rollout-<time>-<session>.jsonl`.

import type { Environment } from '../../store/environment.ts';
import { below } from '../../store/paths.ts';
import { isPlainId, namesIn } from '../start-folder.ts';

/** Null: there is none. The session's id begins with the time at which it was made. */
export function rolloutOf(session: string, env: Environment): string | null {
  const home = env.CODEX_HOME || (env.HOME ? below(env.HOME, '.codex') : '');
  if (!isPlainId(session) || !home.startsWith('/')) return null;
  for (const day of daysAround(Number.parseInt(session.replace('-', '').slice(0, 12), 16))) {
    const folder = below(home, `sessions/${day}`);
    const name = namesIn(folder).find((file) => file.endsWith(`-${session}.jsonl`));
    if (name !== undefined) return below(folder, name);
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

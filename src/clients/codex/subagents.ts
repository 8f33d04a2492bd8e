// The rollouts of a session's subagents (0.166.0, multi_agent_v2): threads of their own, in the folder of the day on which
// each began, whose first line names the session that they belong to.

import fs from 'node:fs';
import path from 'node:path';
import { isPlainId, namesIn, reading } from '../start-folder.ts';

/** The newest of those that may be one. Each costs the reading of its first bytes, where a token budget is set. */
const MOST_FILES = 500;
const MOST_DAYS = 31;
/** What names the session stands before all that is long. */
const HEAD = 2048;

/** `rollout`: the session's own. Oldest first. */
export function subagentRollouts(rollout: string, session: string | null): string[] {
  if (!session || !isPlainId(session)) return [];
  const day = path.dirname(rollout);
  const sessions = path.resolve(day, '../../..');
  const first = path.relative(sessions, day);
  if (!/^\d{4}\/\d\d\/\d\d$/.test(first)) return [];
  const candidates = daysFrom(sessions, first).flatMap((each) => {
    const folder = path.join(sessions, each);
    const names = namesIn(folder).filter((name) => /^rollout-.+\.jsonl$/.test(name));
    return names.sort().map((name) => path.join(folder, name));
  });
  // Names begin with the time: none of its subagents is older than the session.
  const younger = candidates.filter((file) => file !== rollout && path.basename(file) >= timeIn(rollout));
  return younger.slice(-MOST_FILES).filter((file) => isSubagentOf(file, session));
}

/** The session's day and those after it, as folders below `sessions`. */
function daysFrom(sessions: string, first: string): string[] {
  const numbered = (folder: string): string[] =>
    namesIn(path.join(sessions, folder))
      .filter((name) => /^\d+$/.test(name))
      .sort()
      .map((name) => path.join(folder, name));
  const isSince = (folder: string): boolean => folder >= first.slice(0, folder.length);
  const years = numbered('').filter(isSince);
  const days = years.flatMap(numbered).filter(isSince).flatMap(numbered).filter(isSince);
  return days.slice(-MOST_DAYS);
}

/** `rollout-<time>`, to the second. */
function timeIn(rollout: string): string {
  return path.basename(rollout).slice(0, 'rollout-0000-00-00T00-00-00'.length);
}

function isSubagentOf(file: string, session: string): boolean {
  const head = reading(file, (descriptor) => {
    const bytes = Buffer.alloc(HEAD);
    return bytes.toString('utf8', 0, fs.readSync(descriptor, bytes, 0, HEAD, 0));
  });
  const [line = ''] = head?.split('\n', 1) ?? [];
  return line.includes(`"session_id":"${session}"`) && line.includes('"parent_thread_id":"');
}

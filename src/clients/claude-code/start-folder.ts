// Where a session of Claude Code was started, from its transcript. Commands only: no stop asks.

import fs from 'node:fs';
import type { Environment } from '../../store/environment.ts';
import { parseJson } from '../../store/json.ts';
import { below } from '../../store/paths.ts';
import { cwdOf, isPlainId, namesIn, reading } from '../start-folder.ts';

/**
 * Claude Code 2.1.325 writes `projects/<start folder>/<session>.jsonl`. Its lines follow the agent's `cd`, so the
 * first one counts, which it also does in a session that was resumed in a subfolder.
 */
export function startFolder(env: Environment): string | null {
  const session = env.CLAUDE_CODE_SESSION_ID ?? '';
  const home = env.CLAUDE_CONFIG_DIR || (env.HOME ? below(env.HOME, '.claude') : '');
  if (!isPlainId(session) || !home.startsWith('/')) return null;
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

// opencode writes no transcript, and the hook asks one for tool calls, texts and tokens: so it is written here, before the
// hook is called, into the user's own state folder; only where a run may be near.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Line } from './seen.ts';

/** Null: none is needed, or it cannot be written; the stop is served without it. */
export function keepTranscript(session: string, lines: readonly Line[], directory: string): string | null {
  if (!/^[\w-]{1,100}$/.test(session) || !mayHaveRuns(directory)) return null;
  try {
    const folder = path.join(stateFolder(), 'holdfast', 'opencode');
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    const file = path.join(folder, `${session}.jsonl`);
    const text = lines.map((line) => `${JSON.stringify({ opencode: 1, ...line })}\n`).join('');
    const temporary = `${file}.${process.pid}.tmp`;
    fs.writeFileSync(temporary, text, { mode: 0o600 });
    fs.renameSync(temporary, file);
    return file;
  } catch {
    return null;
  }
}

/** Every run has its notes in `.holdfast`, in this folder or on the way up to the repository's. */
function mayHaveRuns(directory: string): boolean {
  for (let here = path.resolve(directory); ; here = path.dirname(here)) {
    if (fs.existsSync(path.join(here, '.holdfast'))) return true;
    if (fs.existsSync(path.join(here, '.git')) || here === path.dirname(here)) return false;
  }
}

function stateFolder(): string {
  const { XDG_STATE_HOME: named } = process.env;
  return named !== undefined && path.isAbsolute(named) ? named : path.join(os.homedir(), '.local', 'state');
}

// What a loop that has ended was asked for: its last state has no frame any more, but the log has the earlier ones.

import fs from 'node:fs';
import { isObject, parseJson } from '../../../store/json.ts';
import { openInside } from '../../../store/open.ts';
import { linesFromEnd } from '../../../text/backward.ts';
import { logPath } from '../files.ts';
import { readTask } from '../task.ts';

const READ_AT_MOST = 1024 * 1024;

/** Null: nothing of it is left. */
export function endedTask(root: string, run: string): string | null {
  const descriptor = openQuietly(logPath(root), root);
  if (descriptor === null) return null;
  try {
    for (const { text } of linesFromEnd(descriptor, READ_AT_MOST)) {
      const file = text.includes(run) ? promptIn(text, run) : null;
      if (file !== null) return readTask(file, root)?.text ?? null;
    }
    return null;
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Of the outermost frame: what was put on top of it came later. */
function promptIn(text: string, run: string): string | null {
  const message = parseJson(text);
  const state = isObject(message) && typeof message.body === 'string' ? parseJson(message.body) : null;
  if (!isObject(state) || state.run_id !== run || !Array.isArray(state.stack)) return null;
  const [outermost] = state.stack;
  return isObject(outermost) && typeof outermost.prompt_file === 'string' ? outermost.prompt_file : null;
}

function openQuietly(file: string, root: string): number | null {
  try {
    return openInside(file, root);
  } catch {
    return null;
  }
}

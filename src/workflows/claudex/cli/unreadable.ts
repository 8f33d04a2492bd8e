// What is in the way of the loops' folder, or of one loop's state, in words and with the command that changes it.

import fs from 'node:fs';
import path from 'node:path';
import { NotNow } from '../../../engine/workflow-cli.ts';
import { isInside } from '../../../store/files.ts';
import { sayTrouble, type Trouble, troubleWith } from '../../../store/trouble.ts';
import { messageOf } from '../../../text/message-of.ts';
import { shellQuote } from '../../../text/shell.ts';
import { filesOf, type StateDir } from '../files.ts';
import { readState } from '../loops.ts';

/** Before anybody says that there are no loops: can their folder be looked into at all? */
export function refuseClosed(dir: StateDir): void {
  const trouble = troubleWith(dir.path, topOf(dir, dir.path), 'folder', 'read');
  if (trouble !== null) throw new NotNow(sayTrouble(trouble));
}

/** Null: the state can be read, whatever it says. */
export function troubleWithState(dir: StateDir, id: string): Trouble | null {
  const { state } = filesOf(dir, id);
  try {
    if (readState(dir, id) !== null) return null;
    return troubleWith(state, topOf(dir, state), 'file', 'read');
  } catch (error) {
    const what = messageOf(error);
    const fix = `run \`mv ${shellQuote(state)} ${shellQuote(`${state}.aside`)}\``;
    return troubleWith(state, topOf(dir, state), 'file', 'read') ?? { what, fix };
  }
}

/** The folder of the loops may be the user's, outside the project, and the folders above it not be there yet. */
export function topOf({ root }: StateDir, file: string): string {
  return isInside(file, root) ? root : nearestExisting(path.dirname(file));
}

export function nearestExisting(folder: string): string {
  return fs.existsSync(folder) || folder === path.dirname(folder)
    ? folder
    : nearestExisting(path.dirname(folder));
}

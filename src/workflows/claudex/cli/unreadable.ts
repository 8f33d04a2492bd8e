// What is in the way of the loops' folder, or of one loop's state, in words and with the command that changes it.

import path from 'node:path';
import { NotNow } from '../../../engine/workflow-cli.ts';
import { isInside } from '../../../store/files.ts';
import { sayTrouble, type Trouble, troubleWith } from '../../../store/trouble.ts';
import { shellQuote } from '../../../text/shell.ts';
import { filesOf, type Place } from '../files.ts';
import { readState } from '../loops.ts';

/** Before anybody says that there are no loops: can their folder be looked into at all? */
export function refuseClosed(place: Place): void {
  const trouble = troubleWith(place.folder, topOf(place, place.folder), 'folder', 'read');
  if (trouble !== null) throw new NotNow(sayTrouble(trouble));
}

/** Null: the state can be read, whatever it says. */
export function troubleWithState(place: Place, id: string): Trouble | null {
  const { state } = filesOf(place, id);
  try {
    if (readState(place, id) !== null) return null;
    return troubleWith(state, topOf(place, state), 'file', 'read');
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    const fix = `run \`mv ${shellQuote(state)} ${shellQuote(`${state}.aside`)}\``;
    return troubleWith(state, topOf(place, state), 'file', 'read') ?? { what, fix };
  }
}

/** The folder of the loops may be the user's, outside the project. */
export function topOf({ root }: Place, file: string): string {
  return isInside(file, root) ? root : path.dirname(file);
}

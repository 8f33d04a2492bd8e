// A settings file for a client that takes them by its name alone: in the user's state folder, where no agent of `edit`
// can write. It is named by what is in it, so that drivers side by side do not change each other's.

import fs from 'node:fs';
import { disk } from '../../store/disk.ts';
import type { Environment } from '../../store/environment.ts';
import { replaceFile } from '../../store/files.ts';
import { fingerprint } from '../../store/fingerprint.ts';
import { below } from '../../store/paths.ts';
import { makeUserFolder } from '../../store/user-state.ts';
import { namesIn } from '../start-folder.ts';

/** A client reads it when it starts; what nobody has started with for so long is of no use. */
const OLD_MS = 30 * 24 * 60 * 60 * 1000;

/** `name`: with its ending, which clients look at. Answers with where it lies. */
export function ownFile(env: Environment, name: string, text: string): string {
  const state = makeUserFolder(env);
  const folder = below(state, 'clients');
  disk.makeFolder(folder);
  sweep(folder);
  const file = below(folder, `${fingerprint(text).slice(0, 16)}-${name}`);
  replaceFile(file, text, state, 0o600);
  return file;
}

/** What cannot be removed keeps nobody from starting. */
function sweep(folder: string): void {
  for (const name of namesIn(folder)) {
    const file = below(folder, name);
    try {
      if (Date.now() - fs.statSync(file).mtimeMs > OLD_MS) disk.remove(file);
    } catch {
      // As said above.
    }
  }
}

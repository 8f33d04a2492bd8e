// Has a project a path that every place it goes through gives back as it was: the state's lines, the runner, the hold
// that names the runner, a terminal? Where it has not, no loop is started.

import type { Project } from '../../../engine/project.ts';
import { refuseUnnamable } from '../../../engine/session-root.ts';
import { NotNow } from '../../../engine/workflow-cli.ts';
import { plainText } from '../../../text/printable.ts';
import type { StateDir } from '../files.ts';

/** A loop there would be started, but no stop could find it again, or no agent could run its reviewer. */
export function refuseUnusable({ root }: Project, dir: StateDir): void {
  refuseUnnamable(root);
  for (const folder of [root, dir.path]) {
    const wrong = whatIsWrongWith(folder);
    if (wrong === null) continue;
    const what = folder === root ? 'path of this project' : 'folder CLAUDEX_STATE_DIR';
    throw new NotNow(
      `claudex: the ${what}, ${visible(folder)}, ${wrong}, and no loop can be kept there. Rename the folder, and start again.`,
    );
  }
}

/** As JSON, with what a terminal would act on spelled out. */
function visible(text: string): string {
  return JSON.stringify(text).replace(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** What is wrong with the name, in a few words; null when nothing is. */
function whatIsWrongWith(folder: string): string | null {
  if (BREAKS.test(folder)) return 'has a line break or another control character in it';
  // Such characters are taken out of every hold, and the agent would be sent to a runner that is not there.
  if (plainText(folder) !== folder)
    return 'has a character in it that is not seen or changes the direction of text';
  return null;
}

// A tab is one that shells, state and terminals all keep.
const BREAKS = /[^\P{Cc}\t]|[\u2028\u2029]/u;

// A folder of our own for a moment, in which programs are run (demo, doctor). Not in a temp folder: an agent in a sandbox
// may write there, and we are outside of its sandbox.

import type { Environment } from './environment.ts';
import { isDenied } from './files.ts';
import { makeTemporaryFolder, Refused } from './open.ts';
import { below } from './paths.ts';
import { tempFolder } from './user-folders.ts';
import { makeUserFolder } from './user-state.ts';

/**
 * In the user's state folder. Where that cannot be written, as in a sandbox, we are in it ourselves; where it belongs to
 * another user, doctor has yet to say so, and no agent in a sandbox can bring that about.
 */
export function makeStageFolder(name: string, env: Environment): string {
  const prefix = `${STAGE}${name}-`;
  try {
    return makeTemporaryFolder(below(makeUserFolder(env), prefix));
  } catch (error) {
    if (!isDenied(error) && !(error instanceof Refused)) throw error;
    return makeTemporaryFolder(below(tempFolder(), `holdfast-${prefix}`));
  }
}

/** What those are called that were left by a kill. */
export const STAGE = 'stage-';

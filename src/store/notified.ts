// What a session was notified of where that cannot be written down in the project: in the user's state folder, one
// empty file for each. Only whether it is there is ever asked.

import { disk } from './disk.ts';
import type { Environment } from './environment.ts';
import { hasCode } from './files.ts';
import { fingerprint } from './fingerprint.ts';
import { below } from './paths.ts';
import { userStateFolder } from './tickets.ts';

/** How such a file's name begins; a later start removes old ones. */
export const NOTIFIED = 'told-session-';

/** True the first time this session is to hear of it, and always where even that cannot be remembered. */
export function isFirstNotice(root: string, session: string, notice: string, env: Environment): boolean {
  const folder = userStateFolder(env);
  try {
    disk.makeFolder(folder);
    const name = `${NOTIFIED}${fingerprint(JSON.stringify([root, session, notice]))}`;
    disk.close(disk.createNew(below(folder, name), 0o600));
    return true;
  } catch (error) {
    return !hasCode(error, 'EEXIST');
  }
}

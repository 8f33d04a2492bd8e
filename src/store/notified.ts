// What a session was notified of where that cannot be written down in the project: in the user's state folder, one
// empty file for each. Only whether it is there is ever asked.

import type { Environment } from './environment.ts';
import { fingerprint } from './fingerprint.ts';
import { isFirstMark } from './user-state.ts';

/** How such a file's name begins; a later start removes old ones. */
export const NOTIFIED = 'notified-session-';

/** True the first time this session is to hear of it, and always where even that cannot be remembered. */
export function isFirstNotice(root: string, session: string, notice: string, env: Environment): boolean {
  try {
    return isFirstMark(env, `${NOTIFIED}${fingerprint(JSON.stringify([root, session, notice]))}`);
  } catch {
    return true;
  }
}

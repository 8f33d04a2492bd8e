// A notice about our own trouble is shown once per session: a full disk would otherwise fill the terminal too.

import { fingerprint } from '../../store/fingerprint.ts';
import { ensureHome } from '../../store/home.ts';
import { withLock } from '../../store/lock.ts';
import { isFirstNotice } from '../../store/notified.ts';
import { NEW_SESSION } from '../../store/records.ts';
import { readSession, writeSession } from '../../store/sidecars.ts';
import type { StopContext } from '../context.ts';

/**
 * The notice, or nothing when this session was shown it. Where the project's own files cannot be written, perhaps for
 * the very trouble the notice is about, the user's state folder remembers; what cannot be remembered is shown again.
 */
export async function notifyOnce(
  notice: string,
  { stop, project, runtime }: Pick<StopContext, 'stop' | 'project' | 'runtime'>,
): Promise<string[]> {
  const { session } = stop;
  if (session === null) return [notice];
  const token = `notice ${fingerprint(notice)}`;
  try {
    if (readSession(project.root, session)?.notified.includes(token)) return [];
    ensureHome(project.root);
    return await withLock(project.home, runtime.lockPatienceMs, () => {
      const index = readSession(project.root, session) ?? NEW_SESSION;
      if (index.notified.includes(token)) return [];
      writeSession(project.root, session, { ...index, notified: [...index.notified, token] });
      return [notice];
    });
  } catch {
    return isFirstNotice(project.root, session, notice, project.env) ? [notice] : [];
  }
}

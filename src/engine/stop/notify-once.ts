// A notice about our own trouble is given once per session: a full disk would otherwise fill the terminal too.

import type { Stop } from '../../clients/stop.ts';
import { fingerprint } from '../../store/fingerprint.ts';
import { ensureHome } from '../../store/home.ts';
import { withLock } from '../../store/lock.ts';
import { isFirstNotice } from '../../store/notified.ts';
import { NEW_SESSION } from '../../store/records.ts';
import { readSession, writeSession } from '../../store/sidecars.ts';
import type { Machinery } from '../context.ts';
import type { Project } from '../project.ts';

/**
 * The notice, or nothing when this session has heard it. Where the project's own notes cannot be written, perhaps for
 * the very trouble the notice speaks of, the user's state folder remembers; what cannot be remembered is said again.
 */
export async function sayOnce(
  notice: string,
  stop: Stop,
  project: Project,
  machinery: Machinery,
): Promise<string[]> {
  const { session } = stop;
  if (session === null) return [notice];
  const token = `notice ${fingerprint(notice)}`;
  try {
    if (readSession(project.root, session)?.told.includes(token)) return [];
    ensureHome(project.root);
    return await withLock(project.home, machinery.lockPatienceMs, () => {
      const index = readSession(project.root, session) ?? NEW_SESSION;
      if (index.told.includes(token)) return [];
      writeSession(project.root, session, { ...index, told: [...index.told, token] });
      return [notice];
    });
  } catch {
    return isFirstNotice(project.root, session, notice, project.env) ? [notice] : [];
  }
}

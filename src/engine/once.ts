// A notice about our own trouble is given once per session: a full disk would otherwise fill the terminal too.

import type { Stop } from '../clients/stop.ts';
import { fingerprint } from '../store/fingerprint.ts';
import { ensureHome } from '../store/home.ts';
import { NEW_SESSION } from '../store/records.ts';
import { readSession, writeSession } from '../store/sidecars.ts';
import type { Project } from './project.ts';

/** The notice, or nothing when this session has heard it. What cannot be remembered is said again. */
export function sayOnce(notice: string, stop: Stop, project: Project): string[] {
  const { session } = stop;
  if (session === null) return [notice];
  const token = `notice ${fingerprint(notice)}`;
  try {
    const index = readSession(project.root, session) ?? NEW_SESSION;
    if (index.told.includes(token)) return [];
    ensureHome(project.root);
    writeSession(project.root, session, { ...index, told: [...index.told, token] });
  } catch {
    // Perhaps the very trouble the notice speaks of.
  }
  return [notice];
}

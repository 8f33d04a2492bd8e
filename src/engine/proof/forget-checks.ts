// What a command does first, under the lock, when it ends a run that nothing can continue.

import { changeUserRecord } from '../../store/user-state.ts';
import type { Project } from '../project.ts';
import { noteEnded } from './check-record.ts';
import { hasPin, pinPlace } from './pin-place.ts';

type Place = Pick<Project, 'root' | 'env'>;

/** Then a check that runs meanwhile, and takes the run's files along, does not bring it back. */
export function forgetChecks(project: Place, name: string): void {
  noteEnded(project, name);
  try {
    dropPin(project, name);
  } catch {
    // In a client's sandbox the user's folder may be read-only: it is swept when it is old.
  }
}

export function dropPin({ root, env }: Place, name: string): void {
  const isAnything = (value: unknown): value is unknown => value !== undefined;
  if (hasPin({ root, env }, name)) changeUserRecord(env, pinPlace(root, name), isAnything, () => null);
}

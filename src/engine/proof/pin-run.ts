// A run's first stop: its checks and protected files are written down in the user's state folder, where nothing that the
// agent does to the config later changes them.

import type { ProofNotes } from '../../store/records.ts';
import type { StopContext } from '../context.ts';
import { NO_NOTES } from './asked.ts';
import { makePin } from './pin.ts';

/** The run's notes from now on; null: there is nothing to pin. */
export async function pinRun(
  name: string,
  notes: ProofNotes | undefined,
  { project }: StopContext,
): Promise<ProofNotes | null> {
  const pin = await makePin(project, name, notes);
  return pin === null ? null : { ...(notes ?? NO_NOTES), pinned: true };
}

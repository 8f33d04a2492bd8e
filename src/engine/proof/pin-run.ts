// A run's first stop: its checks and protected files are written down in the user's state folder, where nothing that the
// agent does to the config later changes them.

import type { ProofNotes } from '../../store/records.ts';
import type { StopContext } from '../context.ts';
import { reportAccepted } from './accepted.ts';
import { NO_NOTES } from './asked.ts';
import { makePin } from './pin.ts';
import { reportTrust } from './report-trust.ts';

export type PinnedRun = {
  /** The run's notes from now on; null: there is nothing to pin. */
  notes: ProofNotes | null;
  /** For the user. */
  notice: string | null;
};

export async function pinRun(
  name: string,
  notes: ProofNotes | undefined,
  { project }: StopContext,
): Promise<PinnedRun> {
  const pin = await makePin(project, name, notes);
  const pinned = pin === null ? null : { ...(notes ?? NO_NOTES), pinned: true };
  const lines = [reportTrust(project), pin === null ? null : reportAccepted(project, pin)];
  const said = lines.filter((line) => line !== null);
  return { notes: pinned, notice: said.length === 0 ? null : said.join('\n') };
}

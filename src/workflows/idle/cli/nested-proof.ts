// Checks and a loop that is nested in another: they are the whole run's, and its first stop pins them. What a nested
// loop has of its own is the check it goes on until.

import type { Project } from '../../../engine/project.ts';
import { isProofAsked, type ProofAtStart, type ProofFlags } from '../../../engine/proof/at-start.ts';
import { pinnedCheck, readPin } from '../../../engine/proof/pin.ts';
import { NotNow } from '../../../engine/workflow-cli.ts';
import type { ProofNotes } from '../../../store/records.ts';
import { readSidecar } from '../../../store/sidecars.ts';

/** The run's notes from now on; null: they stay as they are. Refused before anything is written. Under the lock. */
export function notesWhenNested(
  project: Project,
  name: string,
  flags: ProofFlags,
  atStart: ProofAtStart,
): ProofNotes | null {
  const { until, ...ofTheRun } = flags;
  if (isProofAsked({ ...ofTheRun, until: null }))
    throw new NotNow(
      `--check, --no-check and --accept-red are for a whole run, and this loop would be nested in ${name}. Leave them out, or end that one first: \`${project.cli} idle cancel\`.`,
    );
  const { proof } = readSidecar(project.root, name);
  const pin = readPin(project, name);
  if (pin === null && proof === undefined) return atStart.notes;
  if (until === null) return null;
  if (pin !== null) {
    if (pinnedCheck(pin, until) !== null) return null;
    throw new NotNow(
      `--until ${until}: the checks of ${name} were pinned at its first stop, and this one is not among those that may run. End that run first: \`${project.cli} idle cancel\`.`,
    );
  }
  if (proof === undefined) return null;
  const checks = [...new Set([...(proof.asked.checks ?? []), until])];
  return { ...proof, asked: { ...proof.asked, checks } };
}

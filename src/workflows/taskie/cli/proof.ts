// What is noted about a plan's checks when it is made or continued: once, unless it is asked for again before the first
// stop pins it.

import type { Project } from '../../../engine/project.ts';
import {
  isProofAsked,
  type ProofAtStart,
  type ProofFlags,
  proofAtStart,
} from '../../../engine/proof/at-start.ts';
import { ownFiles } from '../../../engine/proof/own-files.ts';
import { hasPin } from '../../../engine/proof/pin-place.ts';
import { type Call, NotNow } from '../../../engine/workflow-cli.ts';
import { readSidecar } from '../../../store/sidecars.ts';
import { registry } from '../../registry.ts';

/** Null: nothing is to be noted, or it was. `isNew`: the plan is made by this very command. */
export async function proofOfPlan(
  project: Project,
  name: string,
  flags: ProofFlags,
  isNew: boolean,
): Promise<ProofAtStart | null> {
  if (isNew) await dropOldPin(project, name);
  const isPinned = hasPin(project, name);
  if (isPinned && isProofAsked(flags))
    throw new NotNow(
      `the checks of ${name} were pinned at its first stop, so --check, --no-check and --accept-red come too late.`,
    );
  if (isPinned || (!isNew && !isProofAsked(flags) && isNoted(project, name))) return null;
  return proofAtStart(project, flags, ownFiles(registry));
}

/** The first line before everything else, the rest after what the command says itself. */
export function printProof(call: Call, atStart: ProofAtStart | null, print: () => void): void {
  if (atStart?.firstLine) call.print(atStart.firstLine);
  print();
  for (const line of atStart?.lines ?? []) call.print(line);
}

/** Notes that cannot be read are written again by whoever claims the plan. */
function isNoted({ root }: Project, name: string): boolean {
  try {
    return readSidecar(root, name).proof !== undefined;
  } catch {
    return false;
  }
}

/** Of an earlier plan of the same name. In a client's sandbox the user's folder may be read-only: then it stays. */
async function dropOldPin(project: Project, name: string): Promise<void> {
  if (!hasPin(project, name)) return;
  try {
    const { dropPin } = await import('../../../engine/proof/forget-checks.ts');
    dropPin(project, name);
  } catch {
    // As said above.
  }
}

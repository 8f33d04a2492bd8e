// The other runs of a session, when one of them holds the agent: what was used up to now is counted where it belongs,
// and from now on it belongs to the one that holds.

import { readSidecar } from '../../store/sidecars.ts';
import { isServed, type StopContext } from '../context.ts';
import { besideAnother } from './changes.ts';
import { meter } from './meter.ts';
import { changeBudget, readBudget } from './record.ts';

export async function meterBeside(name: string, context: StopContext): Promise<void> {
  const { project, stop } = context;
  const sidecar = readSidecar(project.root, name);
  if (!isServed(sidecar, stop)) return;
  const known = readBudget(project, name);
  if (known === null) return;
  await meter({ known, sidecar, finished: null, report: null, isHeld: false }, context);
  changeBudget(project, name, (there) => (there === null ? null : besideAnother(there, project.now)));
}

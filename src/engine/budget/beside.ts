// The other runs of a session, when one of them holds the agent: what was used up to now is counted where it belongs,
// and from now on it belongs to the one that holds.

import { readSidecar } from '../../store/sidecars.ts';
import { isServed, type StopContext } from '../context.ts';
import { besideAnother } from './changes.ts';
import { meter } from './meter.ts';
import { pinAtStop } from './pin.ts';
import { changeBudget, readBudget } from './record.ts';

export async function meterBeside(name: string, context: StopContext): Promise<void> {
  const { project, stop } = context;
  const sidecar = readSidecar(project.root, name);
  if (!isServed(sidecar, stop)) return;
  const known = readBudget(project, name) ?? pinAtStop(project, name, sidecar.budget);
  if (known === null) return;
  await meter(known, sidecar, context, false);
  changeBudget(project, name, (there) => (there === null ? null : besideAnother(there)));
}

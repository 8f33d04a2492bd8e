// Where a run's budget lies in the user's state folder, and whether there is one. Asked at every stop of a run, so
// nothing else is here: a run without a budget pays one question whether a file is there.

import { fingerprint } from '../../store/fingerprint.ts';
import type { Sidecar } from '../../store/records.ts';
import { hasUserRecord } from '../../store/user-state.ts';
import { isHandFired, type StopContext } from '../context.ts';
import type { Project } from '../project.ts';

export function budgetPlace(root: string, name: string): string {
  return `budgets/${fingerprint(`${root}\n${name}`)}.json`;
}

export function hasBudget({ root, env }: Pick<Project, 'root' | 'env'>, name: string): boolean {
  return hasUserRecord(env, budgetPlace(root, name));
}

/** A stop fired by hand is a person's own doing: nothing of it is counted, and nothing runs out. */
export function isBudgeted(sidecar: Sidecar, { stop, project }: StopContext, name: string): boolean {
  if (isHandFired(stop)) return false;
  return mayBePinned(sidecar, project) || hasBudget(project, name);
}

/**
 * Its start noted one, or the user's settings have one: whoever takes notes away, or says there that it was held, gains
 * nothing. The project's count up to its first hold alone: with a low one in mid-run an agent could have itself let go.
 */
function mayBePinned({ budget, committed }: Sidecar, { config }: Project): boolean {
  if (budget !== undefined || config.user.budget !== undefined) return true;
  return committed === null && config.budget !== null;
}

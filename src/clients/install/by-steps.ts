// What most clients' installers have in common: the client's own commands are planned, shown or carried out, and a line
// says what came of it.

import type { FoundClient, Installer, Outcome, Wishes } from '../installer.ts';
import { asCommand, carryOutSteps, type Step } from './program.ts';

/** `name`: the client with its version. */
type Plan = { name: string; steps: readonly Step[]; dryRun: boolean };

/** `done` is said when there was something to do, `already` when there was not; `problems` are looked for in both cases. */
export type Installation = Plan & {
  problems(): Promise<readonly string[]> | readonly string[];
  done: string;
  already: string;
};

export type Uninstallation = Plan & {
  /** Tidies up after the client and says what went. */
  after(): Promise<Removed> | Removed;
};

/** `what`: in words. `good`: nothing is left. */
type Removed = { what: string; good: boolean };

export function installerOf<State>(
  look: (cwd: string) => Promise<State | null>,
  found: (state: State) => FoundClient,
): Installer {
  return {
    async look(cwd) {
      const state = await look(cwd);
      return state === null ? null : found(state);
    },
  };
}

export async function installBySteps(plan: Installation): Promise<Outcome> {
  const { name, steps, dryRun, done, already } = plan;
  if (dryRun) return wouldBeChanged(plan);
  await carryOutSteps(steps);
  const changed = steps.length > 0;
  const problems = await plan.problems();
  if (problems.length > 0)
    return { good: false, changed, lines: problems.map((problem) => `${name}: ${problem}`) };
  return { good: true, changed, lines: [`${name}: ${changed ? done : already}`] };
}

export async function uninstallBySteps(plan: Uninstallation): Promise<Outcome> {
  const { name, steps, dryRun } = plan;
  if (dryRun) return wouldBeChanged(plan);
  if (steps.length === 0) return nothingInstalled(name);
  await carryOutSteps(steps);
  const { what, good } = await plan.after();
  return { good, changed: true, lines: [`${name}: removed ${what}.`] };
}

export function wouldBeChanged({ name, steps }: Pick<Plan, 'name' | 'steps'>): Outcome {
  if (steps.length === 0) return unchanged(`${name}: nothing to do.`);
  const commands = steps.map((step) => `  ${asCommand(step)}`);
  return unchanged(`${name} would be changed by:`, ...commands);
}

export const nothingInstalled = (name: string): Outcome =>
  unchanged(`${name}: nothing of Holdfast is installed there.`);

export const unchanged = (...lines: string[]): Outcome => ({ good: true, changed: false, lines });

/** Of clients that know marketplaces: ours may be all that was there. */
export const namesOrMarketplace = (names: readonly string[]): string =>
  names.length === 0 ? 'the marketplace' : names.join(', ');

export const forAllProjects = ({ plugins }: Wishes): string => `${plugins.join(', ')} for all your projects`;

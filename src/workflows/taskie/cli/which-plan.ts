// The plan a command means: the one it names, else this session's own, else the one changed last.

import path from 'node:path';
import { sessionsOf } from '../../../clients/index.ts';
import { withMarksHere } from '../../../clients/skill-marks.ts';
import type { Project } from '../../../engine/project.ts';
import { type Call, NotNow, WrongUsage } from '../../../engine/workflow-cli.ts';
import { readSession, readSidecar } from '../../../store/sidecars.ts';
import { sayTrouble, type Trouble, troubleWith } from '../../../store/trouble.ts';
import { quoted, quotedUnlessPlain } from '../../../text/quoted.ts';
import { folderOf, foldersByPlan, listPlans, openPlan, type PlanFolder, readPlanFile } from '../files.ts';
import { PLANS, planFolder, planOfFolder, whyNoPlan } from '../names.ts';
import { readState } from '../state-format.ts';
import type { State } from '../types.ts';
import { describeUnused, unusedPlan, unusedPlans } from '../unused-plans.ts';

export type PlanOnDisk = {
  plan: string;
  folder: PlanFolder;
  stateText: string | null;
  state: State;
};

export async function projectWithPlans(call: Call): Promise<Project> {
  const project = await call.existing();
  if (project !== null) return project;
  throw new NotNow(
    withMarksHere(call.env, `there is no ${PLANS} here or above. Begin with /taskie:new-plan.`),
  );
}

/** Which plan is meant. A command that writes does not guess among several that are nobody's. */
export function planMeant(project: Project, wanted: unknown, guess: 'newest' | 'only'): string {
  if (typeof wanted === 'string') return named(project, planOfFolder(wanted));
  const plans = listPlans(project.root);
  const [ours] = plans.filter((plan) => isOurs(project, plan));
  if (ours !== undefined) return ours;
  const [newest, ...others] = plans;
  if (newest === undefined) throw new NotNow(noPlan(project));
  if (guess === 'only' && others.length > 0)
    throw new WrongUsage(
      `there are several plans: ${plans.slice(0, 10).map(quotedUnlessPlain).join(', ')}. Say which with --plan ID.`,
    );
  return newest;
}

/** Read afresh by whoever writes, under the lock. */
export function readPlan(project: Project, plan: string): PlanOnDisk {
  const folder = openPlan(project.root, plan);
  if (folder === null) throw new NotNow(`there is no plan ${quoted(plan)} in ${project.root}/${PLANS}.`);
  const stateText = readPlanFile(project.root, folder, 'state.json');
  return { plan, folder, stateText, state: readState(stateText) };
}

/** Of a state.json that is there and is no file that can be read; what is in it is another matter. */
export function troubleWithState({ root }: Project, plan: string): Trouble | null {
  const folder = planFolder(folderOf(root, plan) ?? plan);
  return troubleWith(path.join(root, folder, 'state.json'), root, 'file', 'read');
}

/** For a command that goes by what state.json says, or writes it. */
export function refuseClosedState(project: Project, plan: string): void {
  const trouble = troubleWithState(project, plan);
  if (trouble !== null) throw new NotNow(sayTrouble(trouble));
}

/** What hides one plan, or all of them; null: nothing does. Links have words of their own (unused.ts). */
function hidden({ root }: Project, plan: string | null): string | null {
  const plans = path.join(root, PLANS);
  const trouble =
    troubleWith(plans, root, 'folder', 'read') ??
    (plan === null ? [...foldersByPlan(root).values()] : [folderOf(root, plan) ?? plan])
      .map((name) => troubleWith(path.join(plans, name), root, 'folder', 'read'))
      .find((found) => found !== null) ??
    null;
  return trouble === null ? null : sayTrouble(trouble);
}

function noPlan(project: Project): string {
  const there = unusedPlans(project).slice(0, 10).map(describeUnused);
  if (there.length === 0)
    return (
      hidden(project, null) ??
      withMarksHere(project.env, `there is no plan in ${PLANS} here. Begin with /taskie:new-plan.`)
    );
  return `there is no plan in ${PLANS} here that can be used. ${there.join(' ')}`;
}

/** Beside a plan that was guessed, those that could not be: one of them may be the one that was meant. */
export function unusedBeside(project: Project, wanted: unknown, plan: string): string[] {
  if (typeof wanted === 'string' || isOurs(project, plan)) return [];
  return unusedPlans(project).slice(0, 10).map(describeUnused);
}

function named(project: Project, plan: string): string {
  const there = unusedPlan(project, plan);
  if (there !== null) throw new NotNow(describeUnused(there));
  const why = whyNoPlan(plan);
  if (why !== null) throw new WrongUsage(`--plan: a plan is named like its folder, and this name ${why}.`);
  if (openPlan(project.root, plan) !== null) return plan;
  const inTheWay = hidden(project, plan);
  if (inTheWay !== null) throw new NotNow(inTheWay);
  const known = listPlans(project.root).slice(0, 10);
  const hint =
    known.length === 0
      ? 'There is none yet: write its plan.md there first'
      : `There are: ${known.map(quotedUnlessPlain).join(', ')}`;
  throw new NotNow(`there is no plan ${quoted(plan)} in ${project.root}/${PLANS}. ${hint}.`);
}

function isOurs(project: Project, plan: string): boolean {
  const name = `taskie:${plan}`;
  return sessionsOf(project.env).some((session) => {
    if (!readSession(project.root, session)?.runs.includes(name)) return false;
    try {
      return readSidecar(project.root, name).sessions.includes(session);
    } catch {
      return false; // Unreadable notes are nobody's ticket.
    }
  });
}

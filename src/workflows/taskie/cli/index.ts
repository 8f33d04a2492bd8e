// taskie at the command line.

import fs from 'node:fs';
import path from 'node:path';
import { DOCKET } from '../../../engine/docket/keep.ts';
import { STOPS_AT } from '../../../engine/driven.ts';
import type { Project } from '../../../engine/project.ts';
import { noteEnded } from '../../../engine/proof/check-record.ts';
import type { RunDocket, RunSummary, WorkflowCli } from '../../../engine/workflow-cli.ts';
import { carryOut } from '../../../store/files.ts';
import { readSidecar } from '../../../store/sidecars.ts';
import { messageOf } from '../../../text/message-of.ts';
import { docketNow } from '../docket.ts';
import { editStateText } from '../edit-state.ts';
import { folderOf, foldersByPlan, listPlans } from '../files.ts';
import { inText, PLANS, planFolder, planInText } from '../names.ts';
import type { State } from '../types.ts';
import { unusedPlans } from '../unused-plans.ts';
import { describeStage } from './describe.ts';
import { stands } from './driven.ts';
import { explain } from './explain.ts';
import { next } from './next.ts';
import { record } from './record.ts';
import { redecide } from './replay.ts';
import { shown, stateOf } from './shown.ts';
import { detailOf, status } from './status.ts';
import { validate } from './validate.ts';
import { readPlan } from './which-plan.ts';

export const cli: WorkflowCli = {
  commands: [record, next, validate, status],
  runs: (project) => listPlans(project.root).map((plan) => summarise(project, plan)),
  places: ({ root }) => [
    { path: path.join(root, PLANS), kind: 'folder' },
    ...foldersIn(root).map((path) => ({ path, kind: 'folder' as const })),
  ],
  unused: unusedPlans,
  cancel,
  redecide,
  stateOf,
  explain,
  driven: { begin: 'new-plan', goOn: 'continue-plan', stages: STOPS_AT, stands },
  docket,
  demo: () => import('./demo.ts').then((module) => module.demo),
};

function docket(project: Project, plan: string): RunDocket | null {
  const { folder } = readPlan(project, plan);
  const found = docketNow(project, plan, folder);
  return found === null
    ? null
    : { file: inText(plan, `${planFolder(folder.name)}/${DOCKET}`), docket: found };
}

/** One plan that cannot be read must not hide the others. */
function summarise(project: Project, plan: string): RunSummary {
  try {
    return summariseReadable(project, plan);
  } catch (error) {
    const unreadable = messageOf(error);
    return {
      run: plan,
      file: stateFile(project, plan),
      live: false,
      stage: 'its state cannot be read',
      detail: { plan, unreadable },
    };
  }
}

function summariseReadable(project: Project, plan: string): RunSummary {
  const found = readPlan(project, plan);
  const { state } = found;
  const unreadable = state.kind === 'broken' ? { unreadable: 'state.json is not a JSON object' } : {};
  return {
    run: plan,
    file: stateFile(project, plan),
    live: isUnfinished(project, plan, state),
    stage: describeStage(state),
    shown: () => shown(project.root, found),
    detail: { ...detailOf({ plan, state }), ...unreadable },
  };
}

/** Notes that cannot be read may be those of a session. */
function isBoundTo(project: Project, name: string): boolean {
  try {
    return readSidecar(project.root, name).sessions.length > 0;
  } catch {
    return true;
  }
}

function stateFile(project: Project, plan: string): string {
  return path.join(project.root, planFolder(folderOf(project.root, plan) ?? plan), 'state.json');
}

/** Links are spoken of as plans that are not used. */
function foldersIn(root: string): string[] {
  const plans = path.join(root, PLANS);
  return [...foldersByPlan(root).values()]
    .map((name) => path.join(plans, name))
    .filter((folder) => fs.lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() === false);
}

/** A plan of somebody's session may hold it, also for its structure alone; one of nobody's is live by what comes next. */
function isUnfinished(project: Project, plan: string, state: State): boolean {
  const isComplete = state.kind === 'known' && state.phase === 'complete' && state.next === null;
  const isBound = isBoundTo(project, `taskie:${plan}`);
  return (isBound && !isComplete) || (state.kind === 'known' && state.next !== null);
}

/** Nothing is lost: the phase stays, and continue-plan can take the plan up again. */
function cancel(project: Project, plan: string): string {
  const { folder, state, stateText } = readPlan(project, plan);
  // Its pin stays: the plan may be continued.
  noteEnded(project, `taskie:${plan}`);
  if (state.kind !== 'known' || stateText === null)
    return `Plan ${planInText(plan)} has no state.json that could be changed, so no review can start; it holds no session any more.`;
  const content = editStateText(stateText, { next_phase: null });
  carryOut({ kind: 'replace', path: path.join(folder.path, 'state.json'), content }, project.root);
  return `Plan ${planInText(plan)}: next_phase is null now, so nothing is reviewed any more. The phase stays ${state.phase ?? 'unset'}.`;
}

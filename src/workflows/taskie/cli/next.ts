// `holdfast taskie next`, what /taskie:continue-plan runs: makes the plan this session's and prints the one
// thing that is to be done now.

import {
  BUDGET_HELP,
  BUDGET_OPTIONS,
  BUDGET_USAGE,
  budgetFlags,
  whyPaused,
  writeBudget,
} from '../../../engine/budget/at-start.ts';
import { COMMAND_PATIENCE_MS, claimRun } from '../../../engine/claim-run.ts';
import type { Project } from '../../../engine/project.ts';
import {
  PROOF_HELP,
  PROOF_OPTIONS,
  PROOF_USAGE,
  proofFlags,
  writeProofNotes,
} from '../../../engine/proof/at-start.ts';
import type { Call, Command, ExitCode } from '../../../engine/workflow-cli.ts';
import { ensureHome } from '../../../store/home.ts';
import { isObject, parseJson } from '../../../store/json.ts';
import { withLock } from '../../../store/lock.ts';
import { readSidecar } from '../../../store/sidecars.ts';
import { readPlanFile } from '../files.ts';
import { unfinishedTasks } from '../look.ts';
import { sayTableWarning } from '../messages.ts';
import { taskFile } from '../names.ts';
import { reviewToAnswer } from '../observe.ts';
import { isImplemented } from '../subtasks.ts';
import { isPending, pendingIds } from '../task-status.ts';
import { parseTasks } from '../tasks-table.ts';
import { budgetOfPlan } from './budget.ts';
import { instruct } from './instructions.ts';
import { printProof, proofOfPlan } from './proof.ts';
import { printStandIn } from './stand-in.ts';
import { type Surroundings, todoOf, unmarkedTask } from './todo.ts';
import {
  type PlanOnDisk,
  planMeant,
  projectWithPlans,
  readPlan,
  refuseClosedState,
  unusedBeside,
} from './which-plan.ts';

export const next: Command = {
  name: 'next',
  summary: "make the plan this session's and say the one thing that comes next",
  usage: `[--plan ID] ${PROOF_USAGE} ${BUDGET_USAGE}`,
  help: `Without --plan: this session's plan, else the one changed last.\n${PROOF_HELP}\n${BUDGET_HELP}`,
  options: { plan: { type: 'string' }, ...PROOF_OPTIONS, ...BUDGET_OPTIONS },
  writes: true,
  words: { least: 0, most: 0 },
  run: runNext,
};

async function runNext(call: Call): Promise<ExitCode> {
  const flags = proofFlags(call.flags);
  const asked = budgetFlags(call.flags, 'taskie next');
  const project = await projectWithPlans(call);
  const plan = planMeant(project, call.flags.plan, 'newest');
  refuseClosedState(project, plan);
  // Before it is claimed: afterwards it is this session's, and no guess any more.
  const beside = unusedBeside(project, call.flags.plan, plan);
  const budget = budgetOfPlan(project, `taskie:${plan}`, asked, false);
  const atStart = await proofOfPlan(project, `taskie:${plan}`, flags, false);
  ensureHome(project.root);
  const { found, owner, around, warning } = await withLock(project.home, COMMAND_PATIENCE_MS, async () => {
    const claimed = claimRun(project, `taskie:${plan}`);
    if (atStart !== null) writeProofNotes(project, `taskie:${plan}`, atStart.notes);
    if (budget !== null) await writeBudget(project, `taskie:${plan}`, budget);
    const opened = readPlan(project, plan);
    return { found: opened, owner: claimed, ...surroundings(opened, project) };
  });
  const todo = todoOf(found.state, around);
  const unmarked = unmarkedTask(todo, found.state, around);
  printProof(call, atStart, () => call.print(instruct(todo, found, project, statedPhase(found), unmarked)));
  for (const line of budget?.lines ?? []) call.print(line);
  const paused = await whyPaused(project, `taskie:${plan}`);
  if (paused !== null) call.print(`Note: ${paused}`);
  if (warning !== null) call.print(warning);
  printStandIn(call, project);
  for (const line of beside) call.print(line);
  if (owner === 'the next session here')
    call.print(
      '(No client session runs this command, so the plan goes to the next session that stops here.)',
    );
  return 0;
}

/** Under the lock, where it is claimed; read alone by whoever only looks. */
export function surroundings(
  { plan, folder, state }: PlanOnDisk,
  project: Project,
): { around: Surroundings; warning: string | null } {
  const read = (name: string): string | null => readPlanFile(project.root, folder, name);
  const table = parseTasks(read('tasks.md') ?? '');
  const { rows, leftOut } = table;
  const task =
    state.kind === 'known' && state.currentTask !== null ? read(taskFile(state.currentTask)) : null;
  const { saved } = readSidecar(project.root, `taskie:${plan}`);
  const around: Surroundings = {
    reviewNumber: (state.kind === 'known' && reviewToAnswer(state, folder, saved)?.number) || null,
    planWhole: isPlanWhole(read('plan.md') ?? ''),
    task: task === null ? 'missing' : isImplemented(task) ? 'implemented' : 'open',
    rows: rows.map((row) => row.id),
    pending: rows.filter(isPending).map((row) => row.id),
    unnumbered: pendingIds({ ...table, rows: [], leftOut }),
  };
  return { around, warning: sayTableWarning(plan, table, unfinishedTasks(table, project.root, folder)) };
}

/** Was the plan finished, or was its author cut off? */
export function isPlanWhole(text: string): boolean {
  return /^##\s+Overview\b/m.test(text) || text.trimEnd().split('\n').length > 50;
}

/** Phases we do not know are shown as they stand in the file. */
export function statedPhase({ stateText }: PlanOnDisk): { phase: string; next: string } {
  const file = parseJson(stateText ?? '');
  const show = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 60) : 'none');
  return isObject(file)
    ? { phase: show(file.phase), next: show(file.next_phase) }
    : { phase: 'none', next: 'none' };
}

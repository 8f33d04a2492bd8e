// `holdfast taskie record ACTION`: moves state.json on after an action's work is done, and makes the plan this
// session's. What does not fit is refused, and nothing is written.

import path from 'node:path';
import {
  BUDGET_HELP,
  BUDGET_OPTIONS,
  BUDGET_USAGE,
  budgetFlags,
  isBudgetAsked,
  writeBudget,
} from '../../../engine/budget/at-start.ts';
import { COMMAND_PATIENCE_MS, claimRun } from '../../../engine/claim-run.ts';
import { drivenAround } from '../../../engine/driver/start-beside.ts';
import type { Project } from '../../../engine/project.ts';
import {
  isProofAsked,
  PROOF_HELP,
  PROOF_OPTIONS,
  PROOF_USAGE,
  type ProofFlags,
  proofFlags,
  writeProofNotes,
} from '../../../engine/proof/at-start.ts';
import { boundsLine } from '../../../engine/start-text.ts';
import { type Call, type Command, type ExitCode, NotNow, WrongUsage } from '../../../engine/workflow-cli.ts';
import { carryOut } from '../../../store/files.ts';
import { ensureHome } from '../../../store/home.ts';
import { withLock } from '../../../store/lock.ts';
import type { BudgetLimits } from '../../../store/records.ts';
import { didYouMean } from '../../../text/nearest.ts';
import { registry } from '../../registry.ts';
import { editStateText, newStateText } from '../edit-state.ts';
import { readPlanFile } from '../files.ts';
import { unfinishedTasks } from '../look.ts';
import { sayTableWarning } from '../messages.ts';
import { isTaskId, planInText, planOption } from '../names.ts';
import { DEFAULTS, readState } from '../state-format.ts';
import { pendingIds, type TaskTable } from '../task-status.ts';
import { parseTasks } from '../tasks-table.ts';
import type { State } from '../types.ts';
import { budgetOfPlan, MOST_REVIEWS } from './budget.ts';
import { describeNext } from './describe.ts';
import { printProof, proofOfPlan } from './proof.ts';
import { printStandIn } from './stand-in.ts';
import { ACTIONS, type Action, needsTask, type Transition, transition } from './transitions.ts';
import {
  type PlanOnDisk,
  planMeant,
  projectWithPlans,
  readPlan,
  refuseClosedState,
  unusedBeside,
} from './which-plan.ts';

const options = {
  task: { type: 'string' },
  plan: { type: 'string' },
  ...PROOF_OPTIONS,
  ...BUDGET_OPTIONS,
} as const;
const usage = `<action> [--task ID] [--plan ID] ${PROOF_USAGE} ${BUDGET_USAGE}`;

export const record: Command = {
  name: 'record',
  summary: 'write into state.json that an action is done',
  usage,
  help: `Actions: ${ACTIONS.join(', ')}.\nWith new-plan only: ${PROOF_HELP}\n${BUDGET_HELP}`,
  options,
  writes: true,
  words: { least: 1, most: 1 },
  run: runRecord,
};

async function runRecord(call: Call): Promise<ExitCode> {
  const { action, task, plan: wanted, flags, asked } = parse(call);
  const project = await projectWithPlans(call);
  const plan = planMeant(project, wanted, 'only');
  refuseClosedState(project, plan);
  const beside = unusedBeside(project, wanted, plan);
  const name = `taskie:${plan}`;
  const isNew = action === 'new-plan' && readPlan(project, plan).state.kind === 'absent';
  if (isNew) await drivenAround(project, 'taskie', registry);
  const budget = budgetOfPlan(project, name, asked, action === 'new-plan');
  const atStart = await proofOfPlan(project, name, flags, isNew);
  ensureHome(project.root);
  const { text, owner, warning } = await withLock(project.home, COMMAND_PATIENCE_MS, async () => {
    const found = readPlan(project, plan);
    const table = parseTasks(readPlanFile(project.root, found.folder, 'tasks.md') ?? '');
    const written = newText(action, task, found, table, project);
    // Bound first: a crash in between leaves a plan that is watched, not one that slips away.
    const claimed = claimRun(project, name);
    if (atStart !== null) writeProofNotes(project, name, atStart.notes);
    if (budget !== null) await writeBudget(project, name, budget);
    if (written !== found.stateText)
      carryOut(
        { kind: 'replace', path: path.join(found.folder.path, 'state.json'), content: written },
        project.root,
      );
    const unfinished = action === 'complete' ? unfinishedTasks(table, project.root, found.folder) : [];
    const doubts = action === 'complete' ? sayTableWarning(plan, table, unfinished) : null;
    return { text: written, owner: claimed, warning: doubts };
  });
  printProof(call, atStart, () =>
    call.print(`Recorded ${action} for plan ${planInText(plan)}. ${describeNext(readState(text))}`),
  );
  if (isNew)
    call.print(
      boundsLine({ name, task: null, most: '8 reviews of each step', budget, proof: atStart }, call),
    );
  if (isNew) call.print(MOST_REVIEWS);
  for (const line of budget?.lines ?? []) call.print(line);
  if (warning !== null) call.print(warning);
  if (isNew) printStandIn(call, project);
  for (const line of beside) call.print(line);
  if (owner === 'the next session here')
    call.print('No client session runs this command, so the plan goes to the next session that stops here.');
  return 0;
}

type Request = {
  action: Action;
  task: string;
  plan: string | undefined;
  flags: ProofFlags;
  asked: BudgetLimits;
};

function parse({ flags, words: [word = ''] }: Call): Request {
  const action = ACTIONS.find((each) => each === word);
  if (action === undefined)
    throw new WrongUsage(
      `taskie record: there is no action "${word}"${didYouMean(word, ACTIONS)}. Actions: ${ACTIONS.join(', ')}.`,
    );
  const task = typeof flags.task === 'string' ? flags.task : null;
  if (needsTask(action) && task === null)
    throw new WrongUsage(`taskie record ${action}: say which task with --task ID.`);
  if (!needsTask(action) && task !== null) throw new WrongUsage(`taskie record ${action} takes no --task.`);
  if (task !== null && !isTaskId(task)) throw new WrongUsage('--task: a task id is a number, like 3.');
  const proof = proofFlags(flags);
  if (action !== 'new-plan' && isProofAsked(proof))
    throw new WrongUsage(
      `taskie record ${action} takes no --check, --no-check and --accept-red; \`taskie record new-plan\` and \`taskie next\` do.`,
    );
  const asked = budgetFlags(flags, `taskie record ${action}`);
  if (action !== 'new-plan' && isBudgetAsked(asked))
    throw new WrongUsage(
      `taskie record ${action} takes no --tokens, --hours and --reviews; \`taskie record new-plan\` and \`taskie next\` do.`,
    );
  const plan = typeof flags.plan === 'string' ? flags.plan : undefined;
  return { action, task: task ?? '', plan, flags: proof, asked };
}

function newText(
  action: Action,
  task: string,
  found: PlanOnDisk,
  table: TaskTable,
  project: Project,
): string {
  const { folder, state, stateText } = found;
  const [firstReviewer] = project.config.review.models;
  const rows = table.rows.map((row) => row.id);
  const held = { files: folder.files, rows, pending: pendingIds(table), firstReviewer };
  const change = transition(action, task, state, held);
  switch (change.kind) {
    case 'create':
      return newStateText(change.fields);
    case 'change':
      return editStateText(stateText ?? '{}', change.fields, { ...DEFAULTS, review_model: firstReviewer });
    case 'refused':
      throw new NotNow(refusal(action, found.plan, state, change, project));
  }
}

function refusal(
  action: Action,
  plan: string,
  state: State,
  change: Extract<Transition, { kind: 'refused' }>,
  project: Project,
): string {
  const where =
    state.kind === 'known'
      ? `phase ${state.phase ?? 'none'}, task ${state.currentTask ?? 'none'}, next ${state.next ?? 'none'}`
      : `state.json ${state.kind}`;
  return `${action} does not fit plan ${planInText(plan)} (${where}): ${change.why}. It fits ${change.fits}. \`${project.cli} taskie next ${planOption(plan)}\` says what comes next. Nothing was written.`;
}

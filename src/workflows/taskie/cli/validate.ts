// `holdfast taskie validate`: the rules a plan folder must keep, as the hook checks them.

import type { Project } from '../../../engine/project.ts';
import type { Call, Command, ExitCode } from '../../../engine/workflow-cli.ts';
import { sayTrouble } from '../../../store/trouble.ts';
import { isMarkdown, readPlanFile } from '../files.ts';
import { unfinishedTasks } from '../look.ts';
import { planInText } from '../names.ts';
import { listed, unclearWords } from '../task-status.ts';
import { parseTasks } from '../tasks-table.ts';
import { findViolations } from '../validation.ts';
import {
  type PlanOnDisk,
  planMeant,
  projectWithPlans,
  readPlan,
  troubleWithState,
  unusedBeside,
} from './which-plan.ts';

export const validate: Command = {
  name: 'validate',
  summary: 'check the structure of a plan folder',
  usage: '[--plan ID] [--json]',
  help: 'Exits 0 when the structure is right and 1 when it is not. Warnings do not count.',
  options: { plan: { type: 'string' }, json: { type: 'boolean' } },
  writes: false,
  words: { least: 0, most: 0 },
  run: runValidate,
};

async function runValidate(call: Call): Promise<ExitCode> {
  const project = await projectWithPlans(call);
  const found = readPlan(project, planMeant(project, call.flags.plan, 'newest'));
  const { plan, folder } = found;
  const tasks = readPlanFile(project.root, folder, 'tasks.md');
  const violations = findViolations({ files: folder.files.filter(isMarkdown), nested: folder.nested, tasks });
  const warnings = [
    ...findWarnings(found, tasks ?? '', project),
    ...unusedBeside(project, call.flags.plan, plan),
  ];
  if (call.flags.json) call.print(JSON.stringify({ plan, violations, warnings }, null, 2));
  if (!call.flags.json) printAll(call, plan, violations, warnings);
  return violations.length === 0 ? 0 : 1;
}

function printAll(
  call: Call,
  plan: string,
  violations: readonly string[],
  warnings: readonly string[],
): void {
  call.print(
    violations.length === 0
      ? `Plan ${planInText(plan)} structure validated successfully`
      : `Plan ${planInText(plan)}: ${violations.join('; ')}`,
  );
  for (const warning of warnings) call.print(`Warning: ${warning}`);
}

/** Rule 8 and what the task table's reader had to pass over. */
function findWarnings({ plan, folder, state }: PlanOnDisk, tasks: string, project: Project): string[] {
  const table = parseTasks(tasks);
  const { leftOut, plain } = table;
  const words = unclearWords(table);
  const unfinished = unfinishedTasks(table, project.root, folder);
  const trouble = troubleWithState(project, plan);
  const broken = trouble === null ? 'state.json is not a JSON object' : sayTrouble(trouble);
  const unsound = state.kind === 'known' ? state.unsound : [];
  return [
    ...(state.kind === 'broken' ? [broken] : []),
    ...(unsound.length === 0 ? [] : [`state.json: missing or without a usable value: ${unsound.join(', ')}`]),
    ...(plain ? ['tasks.md: the delimiter row does not fit the header'] : []),
    ...(leftOut.length === 0
      ? []
      : [`tasks.md: ${leftOut.length} row(s) left out, because their Id is not a number`]),
    ...(words === '' ? [] : [`tasks.md: these statuses say neither pending nor done: ${words}`]),
    ...(unfinished.length === 0
      ? []
      : [`done in tasks.md, with subtasks that are still pending: ${listed(unfinished)}`]),
  ];
}

// `holdfast taskie status`: where a plan stands.

import { accountsOf, describeAccounts } from '../../../engine/docket/accounts.ts';
import { describeFinding } from '../../../engine/docket/words.ts';
import type { Project } from '../../../engine/project.ts';
import type { Call, Command, ExitCode } from '../../../engine/workflow-cli.ts';
import type { Json } from '../../../store/json.ts';
import { docketNow } from '../docket.ts';
import { stageOf } from '../phases.ts';
import {
  type PlanOnDisk,
  planMeant,
  projectWithPlans,
  readPlan,
  refuseClosedState,
  unusedBeside,
} from './which-plan.ts';

export const status: Command = {
  name: 'status',
  summary: 'show where a plan stands',
  usage: '[--plan ID] [--json]',
  help: "Without --plan: this session's plan, else the one changed last.",
  options: { plan: { type: 'string' }, json: { type: 'boolean' } },
  writes: false,
  words: { least: 0, most: 0 },
  run: runStatus,
};

async function runStatus(call: Call): Promise<ExitCode> {
  const project = await projectWithPlans(call);
  const plan = planMeant(project, call.flags.plan, 'newest');
  refuseClosedState(project, plan);
  const found = readPlan(project, plan);
  const unused = unusedBeside(project, call.flags.plan, found.plan);
  const detail = {
    ...detailOf(found),
    ...findingsOf(found, project),
    ...(unused.length === 0 ? {} : { unused }),
  };
  if (call.flags.json) call.print(JSON.stringify(detail, null, 2));
  if (!call.flags.json)
    for (const [name, value] of Object.entries(detail)) call.print(`${`${name}:`.padEnd(14)} ${show(value)}`);
  return 0;
}

export function detailOf({ plan, state }: Pick<PlanOnDisk, 'plan' | 'state'>): Record<string, Json> {
  if (state.kind === 'absent') return { plan, stage: 'unknown: there is no state.json' };
  if (state.kind === 'broken') return { plan, stage: 'unknown: state.json is not a JSON object' };
  const { phase } = state;
  return {
    plan,
    stage: phase === null || phase === 'other' ? 'unknown' : stageOf(phase),
    phase,
    task: state.currentTask,
    iteration: state.iteration,
    max_reviews: state.maxReviews,
    model: state.model,
    clean_in_row: state.clean,
    next: state.next,
  };
}

/** Nothing where there is no docket; what cannot be read of it is not this command's to say. */
function findingsOf({ plan, folder }: PlanOnDisk, project: Project): Record<string, Json> {
  const docket = docketNow(project, plan, folder);
  if (docket === null || docket.findings.length === 0) return {};
  const accounts = accountsOf(docket);
  const contested = accounts.contested.map((entry) => describeFinding(entry, 160));
  return {
    findings: describeAccounts(accounts),
    ...(contested.length === 0 ? {} : { contested: contested.join('; ') }),
  };
}

function show(value: Json): string {
  if (Array.isArray(value)) return value.join(' ');
  return value === null ? '-' : String(value);
}

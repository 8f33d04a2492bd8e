// `holdfast resume`: the one way to go on with a run, whatever it stopped for. It looks at how the run stands, says what it
// is, and does what goes on with that.

import { clientNamed, isInsideClient, sessionsOf } from '../clients/index.ts';
import { withoutClients } from '../driver/bind.ts';
import { spentBudget } from '../driver/budget.ts';
import { isDriven } from '../driver/one-driver.ts';
import { type KnownRecord, recordsOf } from '../driver/record.ts';
import {
  BUDGET_OPTIONS,
  BUDGET_USAGE,
  budgetFlags,
  isBudgetAsked,
  USD_OPTION,
} from '../engine/budget/at-start.ts';
import { grantMore } from '../engine/budget/grant.ts';
import { isPaused } from '../engine/budget/paused.ts';
import { hasBudget } from '../engine/budget/place.ts';
import { limitsInWords } from '../engine/budget/words.ts';
import type { Project } from '../engine/project.ts';
import { type Call, type Command, type ExitCode, NotNow, WrongUsage } from '../engine/workflow-cli.ts';
import type { BudgetLimits } from '../store/records.ts';
import { shownWord } from '../text/quoted.ts';
import { allRuns, type KnownRun, pickRun, refuseUnused, whyOver, wordOrFlag } from '../view/runs.ts';
import { adoptKnown } from './adopt.ts';
import { namedRecord, openRecords } from './run/which.ts';
import { isOf } from './session-runs.ts';

export const resume: Command = {
  name: 'resume',
  summary: 'go on with a run: paused, stale, let go, or driven and ended',
  usage: `[RUN] ${BUDGET_USAGE} [--usd N] [--answer TEXT]`,
  help: `It says why the run does not go on, and does what is needed: a driven run is driven on, a stale loop is taken up again,
a run that was let go, or that no session has, is held again. Without RUN it is the one run here that could go on.
A run that is paused needs more budget: what you give is added, what was spent stays spent. Only a person can give it, in
a terminal of their own. An agent goes on with the runs of its own session alone.
--answer TEXT: to the question that a driven run waits for.`,
  options: { ...BUDGET_OPTIONS, ...USD_OPTION, answer: { type: 'string' }, run: { type: 'string' } },
  writes: true,
  words: { least: 0, most: 1 },
  run: resumeRun,
};

/** What a run stands still for, and can go on from. */
type Reason = 'paused' | 'driven' | 'stale' | 'let go' | 'of no session';

type Stopped = { reason: Reason; name: string; run: KnownRun | null; record: KnownRecord | null };

async function resumeRun(call: Call): Promise<ExitCode> {
  const more = budgetFlags(call.flags, 'resume');
  const isAgent = isInsideClient(call.env);
  const project = await call.existing();
  const root = project ?? (await call.forNewRun());
  const records = isAgent ? [] : await recordsToGoOn(call, root);
  if (project === null && records.length === 0)
    throw new NotNow('there are no runs here, so there is nothing to resume.');
  const named = wordOrFlag(call);
  const runs = project === null ? [] : await allRuns(project);
  const stopped =
    named === undefined
      ? theOnlyOne(runs, records, root, call, isBudgetAsked(more))
      : await theNamed(named, runs, records, root);
  const { reason, run, record } = stopped;
  if (call.flags.answer !== undefined && reason !== 'driven' && !(reason === 'paused' && record !== null))
    throw new WrongUsage(
      `resume: --answer is for a run that \`holdfast run\` drives; answer ${stopped.name} in its session.`,
    );
  if (isBudgetAsked(more) && run !== null) grant(call, root, run, more);
  else if (reason === 'paused' && run !== null) refusePaused(root, run, isAgent);
  if (record !== null) return driveOn(call, stopped, record);
  if (run === null) throw new NotNow(`${stopped.name} is gone.`);
  if (reason === 'paused' || isBudgetAsked(more)) return 0;
  return goOn(call, root, run, reason);
}

/** Those that another process drives now are left out. */
async function recordsToGoOn(call: Call, { root }: Project): Promise<readonly KnownRecord[]> {
  const env = withoutClients(call.env);
  const open = await openRecords(recordsOf(env, root), env);
  return open.filter(({ name, record }) => !isDriven(env, name) && record.ended?.why !== 'taken-over');
}

async function theNamed(
  named: string,
  runs: readonly KnownRun[],
  records: readonly KnownRecord[],
  project: Project,
): Promise<Stopped> {
  const record = namedRecord(records, named);
  await refuseUnused(project, named);
  if (record !== null && !runs.some(({ name }) => name === record.record.run))
    return { reason: 'driven', name: record.record.run ?? record.record.id, run: null, record };
  const run = pickRun(runs, named);
  const stopped = stoppedAt(run, records, project);
  if (stopped !== null) return stopped;
  const over = whyOver(run, project);
  if (over !== null) throw new NotNow(`${run.name} is over (${over}): there is nothing to go on with.`);
  // More budget may be given at any time.
  return { reason: 'paused', name: run.name, run, record: null };
}

function theOnlyOne(
  runs: readonly KnownRun[],
  records: readonly KnownRecord[],
  project: Project,
  call: Call,
  isGrant: boolean,
): Stopped {
  const sessions = sessionsOf(call.env);
  const isOurs = ({ sidecar }: KnownRun): boolean =>
    !isInsideClient(call.env) || sidecar.sessions.length === 0 || isOf(sidecar, sessions);
  const known = runs.filter(isOurs).flatMap((run) => stoppedAt(run, records, project) ?? []);
  const others = records.filter(({ record }) => !runs.some(({ name }) => name === record.run));
  const driven = others.map((record) => ({
    ...{ reason: 'driven' as const, name: record.record.run ?? record.record.id, run: null, record },
  }));
  const paused = known.filter(({ reason }) => reason === 'paused');
  const budgeted = runs.filter((run) => run.live && hasBudget(project, run.name));
  const found: readonly Stopped[] = !isGrant
    ? [...known, ...driven]
    : paused.length > 0
      ? paused
      : budgeted.map((run) => ({ reason: 'paused', name: run.name, run, record: null }));
  const [first, ...more] = found;
  if (first === undefined)
    throw new NotNow(
      isGrant
        ? 'no run here has a budget, so there is nothing to add to.'
        : `nothing here waits to be gone on with. ${whatElse(runs)}`,
    );
  if (more.length > 0)
    throw new NotNow(
      `several runs could go on here: ${found.map(({ name, reason }) => `${name} (${reason})`).join(', ')}. Name one: holdfast resume RUN`,
    );
  return first;
}

function whatElse(runs: readonly KnownRun[]): string {
  const live = runs.filter((run) => run.live);
  if (live.length === 0) return '`holdfast status --all` lists what has ended.';
  return `${live.map(({ name, stage }) => `${name} goes on already: ${stage}`).join('; ')}.`;
}

/** Null: it goes on, or is over. */
export function stoppedAt(run: KnownRun, records: readonly KnownRecord[], project: Project): Stopped | null {
  const { name, cli, live, sidecar } = run;
  const record = records.find(({ record }) => record.run === name) ?? null;
  const as = (reason: Reason): Stopped => ({ reason, name, run, record });
  if (whyOver(run, project) !== null) return null;
  if (isPaused(project, name)) return as('paused');
  if (record !== null) return as('driven');
  if (cli.driven?.stands?.(project, run.run).kind === 'stale') return as('stale');
  if (!live) return null;
  if (Object.values(sidecar.guard).some(({ released }) => released)) return as('let go');
  return sidecar.sessions.length === 0 ? as('of no session') : null;
}

function grant(call: Call, project: Project, run: KnownRun, more: BudgetLimits): void {
  const wasPaused = isPaused(project, run.name);
  const over = whyOver(run, project);
  const grantor = { env: call.env, command: 'resume' } as const;
  const { limits } = grantMore(project, { name: run.name, over }, more, grantor);
  const inAll = `${run.name} may now spend ${limitsInWords(limits)} in all.`;
  call.print(wasPaused ? `${inAll} ${whatComesNext(run)}` : inAll);
}

function whatComesNext({ sidecar, name }: KnownRun): string {
  const [session] = sidecar.sessions;
  return session === undefined
    ? `No session has it: \`holdfast adopt ${shownWord(name)}\` gives it to the next session here.`
    : `It goes on at the next stop of session ${session}: type something there, or \`holdfast adopt ${shownWord(name)}\` to go on in another one.`;
}

function refusePaused(project: Project, { name }: KnownRun, isAgent: boolean): never {
  if (!isPaused(project, name))
    throw new NotNow(
      `${name} goes on already. \`holdfast status ${shownWord(name)}\` shows where it stands.`,
    );
  const { why, flags } = spentBudget(project, name);
  throw new NotNow(
    isAgent
      ? `${name} is paused. ${why} Only a person grants more, in a terminal of their own: leave the work whole, write down where it stands, and stop.`
      : `${name} is paused. ${why} Say how much more it may spend: holdfast resume ${shownWord(name)} ${flags}`.trim(),
  );
}

async function driveOn(call: Call, { name }: Stopped, { record }: KnownRecord): Promise<ExitCode> {
  const { outcomeOf } = await import('./run/words.ts');
  const how = record.ended === null ? 'its driver has ended' : outcomeOf(record.ended);
  call.print(
    `${name} was driven by \`holdfast run\` (${how}): it is driven on, in ${clientNamed(record.options.client).title}.`,
  );
  const { goOn } = await import('./run/go-on.ts');
  const { answer } = call.flags;
  return goOn({
    ...call,
    words: [name],
    flags: { continue: true, ...(answer === undefined ? {} : { answer }) },
  });
}

async function goOn(call: Call, project: Project, run: KnownRun, reason: Reason): Promise<ExitCode> {
  const sessions = sessionsOf(call.env);
  if (isInsideClient(call.env) && run.sidecar.sessions.length > 0 && !isOf(run.sidecar, sessions))
    throw new NotNow(
      `${run.name} is another session's. If the user wants it here: \`${project.cli} adopt ${shownWord(run.name)}\``,
    );
  const takeUp = reason === 'stale' ? run.cli.driven?.takeUp : undefined;
  if (takeUp !== undefined) return takeUp.run({ ...call, words: [], flags: {} });
  call.print(
    `${run.name} is ${reason === 'let go' ? 'let go: no progress' : 'live, and no session has it'}.`,
  );
  return adoptKnown(call, project, run);
}

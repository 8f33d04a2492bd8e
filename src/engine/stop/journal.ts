// The journal's lines: one per run served at a stop, or per failure, with everything `why` and `replay` need and no
// contents; and one for each run that is started, adopted, cancelled or over.

import { sessionsOf } from '../../clients/index.ts';
import { ensureHome } from '../../store/home.ts';
import { appendToJournal, keepJournalWithin } from '../../store/journal.ts';
import type { AcceptEntry, OtherEntry, WaitEntry, WorkEntry } from '../../store/journal-events.ts';
import {
  type BudgetEntry,
  type BudgetEvent,
  type CommandEntry,
  type CommandEvent,
  type EndEntry,
  type JournalEntry,
  LONGEST_TASK,
  type StopEntry,
} from '../../store/journal-lines.ts';
import { isObject, type Json } from '../../store/json.ts';
import type { ReviewAttempt, Sidecar, Waiting } from '../../store/records.ts';
import { readSidecar } from '../../store/sidecars.ts';
import { isoTime } from '../../text/iso-time.ts';
import type { StopContext } from '../context.ts';
import type { Project } from '../project.ts';
import type { Proof } from '../proof/types.ts';
import type { ReviewReport } from '../work/report.ts';
import { reportOf } from '../work/report-of.ts';
import type { Served } from './turn.ts';

export type Happened =
  | { kind: 'served'; served: Served }
  /** `name` is null when it failed before any run was looked at. */
  | { kind: 'failed'; name: string | null; error: unknown }
  /** The session has no run here, but a notice was shown. */
  | { kind: 'noticed' };

/** Written before the answer. */
export function writeJournal(context: StopContext, happened: Happened): void {
  const entry = { ...about(context), ...describe(happened) };
  append(context.project, entry, ...endOf(entry, happened), ...besideStop(context, entry, happened));
}

/** What a run that was served began to wait for, or waits for no longer; and that its question is answered. */
function besideStop(context: StopContext, entry: StopEntry, happened: Happened): OtherEntry[] {
  if (happened.kind !== 'served') return [];
  const { answered, waits = [] } = happened.served;
  const name = `${entry.workflow}:${entry.run}`;
  return [
    ...waits.map(({ what, wait }) => waitLine(context, name, what, wait)),
    ...(answered === undefined || answered.pause
      ? []
      : [{ ...lineOfRun(context, name), event: 'question' as const, what: 'answered' as const }]),
  ];
}

/** A wait that began beside a stop: the client's turn ended with an error. */
export function journalWait(context: StopContext, name: string, wait: Waiting): void {
  append(context.project, waitLine(context, name, 'began', wait));
}

/** Its agent asked the user something. */
export function journalQuestion(project: Project, name: string): void {
  const session = sessionsOf(project.env)[0] ?? null;
  const line = { ...lineAt(project), session, ...partsOf(name) };
  append(project, { ...line, event: 'question', what: 'asked' });
}

/** By the clock, not by the stop's: work takes its time within one. */
export function journalWork(
  context: StopContext,
  name: string,
  work: Pick<WorkEntry, 'work' | 'attempt' | 'name'> & WorkHappened,
): void {
  const time = new Date().toISOString();
  append(context.project, { ...lineOfRun(context, name), time, event: 'work', ...work });
}

export type WorkHappened =
  | { what: 'began'; deadline: string | null }
  | { what: 'ended'; end: string; code: number | null; milliseconds: number | null };

function waitLine(
  context: StopContext,
  name: string,
  what: WaitEntry['what'],
  { for: awaited, until, reviewer }: Waiting,
): WaitEntry {
  return {
    ...lineOfRun(context, name),
    ...{ event: 'wait', what, for: awaited, until: timeOf(until) },
    ...(reviewer === undefined ? {} : { reviewer }),
  };
}

/** A record may name a time that no date can hold. */
function timeOf(milliseconds: number | null): string | null {
  return milliseconds === null || milliseconds > 8.64e15 ? null : new Date(milliseconds).toISOString();
}

function lineOfRun({ project, stop }: StopContext, name: string) {
  return { ...lineAt(project), session: stop.session, ...partsOf(name) };
}

/** A command did this to the run of that name. */
export function journalCommand(project: Project, event: CommandEvent, name: string): void {
  const { time, schema } = lineAt(project);
  const session = sessionsOf(project.env)[0] ?? null;
  append(project, { schema, time, event, session, ...partsOf(name), ...taskOf(project, name) });
}

function taskOf({ root }: Project, name: string): Pick<CommandEntry, 'task'> {
  try {
    return withTask(readSidecar(root, name));
  } catch {
    return {}; // What is wrong with its notes is said where they are needed.
  }
}

/** The notes lie in the project: one that is longer than ours are is not ours. */
export function withTask({ task }: Pick<Sidecar, 'task'>): Pick<CommandEntry, 'task'> {
  return task === undefined || task.length > LONGEST_TASK * 2 ? {} : { task };
}

/** A red check refuses none of the run's claims from now on. */
export function journalAccepted(project: Project, run: string, name: string, by: AcceptEntry['by']): void {
  const session = sessionsOf(project.env)[0] ?? null;
  append(project, { ...lineAt(project), event: 'accept', session, ...partsOf(run), name, by });
}

/** What became of the run's budget. */
export function journalBudget(
  project: Project,
  name: string,
  what: BudgetEvent,
  limits: BudgetEntry['limits'],
): void {
  const session = sessionsOf(project.env)[0] ?? null;
  append(project, { ...lineAt(project), event: 'budget', session, ...partsOf(name), what, limits });
}

/** A finished review is put away: its line comes before its folder goes, and only once. Under the lock. */
export function journalReview(
  { project, stop }: StopContext,
  name: string,
  attempt: ReviewAttempt | null,
  report: ReviewReport | null,
): void {
  const said = reportOf(attempt, report);
  if (attempt === null || said === null || said.journaled) return;
  const { id, reviewer, model, file, verdict } = attempt;
  append(project, {
    ...lineAt(project),
    ...{ event: 'review', session: stop.session, ...partsOf(name) },
    ...{ attempt: id, reviewer, model, file, verdict },
    ...{ usd: said.spend?.usd ?? null, tokens: said.spend?.tokens ?? null },
    milliseconds: said.milliseconds,
    ...(said.listed === null ? {} : { listed: said.listed }),
  });
}

/** Called under the lock: two that begin a new segment at once would be in each other's way. */
export function keepJournalShort(project: Project): void {
  quietly(() => keepJournalWithin(project.root, { bytes: project.config.journal.keepBytes }));
}

function append(project: Project, ...entries: readonly JournalEntry[]): void {
  quietly(() => {
    ensureHome(project.root);
    appendToJournal(project.root, ...entries);
  });
}

/** A journal that cannot be written never stops a stop or a command; the notice, where there is one, reaches the user. */
function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // As said above.
  }
}

function lineAt(project: Project): Pick<JournalEntry, 'schema' | 'time'> {
  return { schema: 2, time: isoTime(project.now) };
}

type About = Pick<StopEntry, 'schema' | 'time' | 'event' | 'client' | 'session' | 'turn' | 'milliseconds'>;

function about({ project, stop }: StopContext): About {
  return {
    ...lineAt(project),
    event: 'stop',
    client: stop.client,
    session: stop.session,
    turn: stop.turn,
    // Since the process started: what the stop has cost so far.
    milliseconds: Math.round(process.uptime() * 10_000) / 10,
  };
}

function describe(happened: Happened): Omit<StopEntry, keyof About> {
  const nothing = {
    workflow: null,
    run: null,
    state: null,
    facts: null,
    guard: null,
    step: null,
    answer: 'allow' as const,
  };
  switch (happened.kind) {
    case 'served': {
      const { answer, record } = happened.served;
      return { ...record, answer: answer.kind, notice: answer.notice !== null, error: null };
    }
    case 'failed': {
      const about = happened.name === null ? {} : partsOf(happened.name);
      return { ...nothing, ...about, notice: true, error: errorCode(happened.error) };
    }
    case 'noticed':
      return { ...nothing, notice: true, error: null };
  }
}

/** The run's end, in the same write as the stop that ended it, and what its last claim was worth. */
function endOf({ schema, time, session, workflow, run, facts }: StopEntry, happened: Happened): EndEntry[] {
  if (happened.kind !== 'served' || workflow === null || run === null) return [];
  const { ended: outcome, task } = happened.served;
  if (outcome === null) return [];
  const end = { schema, time, event: 'end' as const, session, workflow, run, outcome };
  return [{ ...end, ...withTask({ task }), ...worthIn(facts) }];
}

export function worthIn(facts: Json): Pick<EndEntry, 'proof' | 'why'> {
  const proof = isObject(facts) ? (facts.proof as Proof | null | undefined) : null;
  if (!proof || proof.worth === 'unasked') return {};
  return proof.worth === 'proven' ? { proof: 'proven' } : { proof: 'unproven', why: proof.why };
}

function partsOf(name: string): { workflow: string; run: string } {
  const [workflow = '', run = ''] = name.split(/:(.*)/s, 2);
  return { workflow, run };
}

/** First line only: enough to find the place, too little to carry a file along. */
function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  const code = 'code' in error && typeof error.code === 'string' ? ` ${error.code}` : '';
  return `${error.name}${code}: ${error.message.split('\n')[0]?.slice(0, 300)}`;
}

// A stop, from what the client said to what we answer. Read it top to bottom: where is the project, which
// runs does the stop concern, what does each of them say; the first that holds answers for all.

import { type Answer, allowSilently, type Stop } from '../../clients/stop.ts';
import { isDenied } from '../../store/files.ts';
import { ensureHome } from '../../store/home.ts';
import { LockBusy } from '../../store/lock.ts';
import { hearAgent } from './read-last-message.ts';
import { writeJournal } from './journal.ts';
import type { Machinery } from '../context.ts';
import { notices } from './notices.ts';
import { sayOnce } from './notify-once.ts';
import { type Decided, overhearAll, type Passed } from './keep-signals.ts';
import type { Project } from '../project.ts';
import { findRoot, openProject } from './find-project.ts';
import { claimTickets, findRuns, findStrangers, forgetRuns, type RunHere } from './find-runs.ts';
import { Interrupted, serveRun } from './serve-run.ts';
import type { Served } from './take-turn.ts';
import { runName } from '../visit.ts';

export type Answered = {
  answer: Answer;
  /** Lines for standard error, beside the answer. */
  complaints: readonly string[];
};

export async function answerStop(stop: Stop, machinery: Machinery): Promise<Answered> {
  if (stop.failed) return SILENT;
  const root = findRoot(stop, machinery);
  if (root === null) return SILENT;
  const project = await openProject(root, machinery);
  if (stop.planMode) return keepInPlanMode(project, stop, machinery);
  const decided: Decided = new Map();
  try {
    return await answerIn(project, stop, machinery, decided);
  } catch (error) {
    writeJournal(project, stop, { kind: 'failed', name: null, error });
    if (error instanceof Interrupted) throw error;
    const told = await explain(error, stop, project, machinery);
    // Nothing was answered; whatever was said at this stop is for the next one.
    return allowing([...told, ...(await keepAll('unwritable', project, stop, machinery, decided))]);
  }
}

const SILENT: Answered = { answer: allowSilently, complaints: [] };

/** The agent may not write in plan mode, so nothing is asked of it and nothing is counted; a signal is still one. */
async function keepInPlanMode(project: Project, stop: Stop, machinery: Machinery): Promise<Answered> {
  const lost = await keepAll('writable', project, stop, machinery);
  return lost.length === 0 ? SILENT : allowing(lost);
}

/** For a stop at which no run was served. */
async function keepAll(
  passed: Passed,
  project: Project,
  stop: Stop,
  machinery: Machinery,
  decided?: Decided,
): Promise<string[]> {
  try {
    const runs = await findRuns(stop, project, machinery);
    return await overhearAll(runs, passed, stop, project, machinery, decided);
  } catch {
    return []; // Which runs there are cannot be told: that trouble is explained already, or comes at the next stop.
  }
}

async function answerIn(
  project: Project,
  sent: Stop,
  machinery: Machinery,
  decided: Decided,
): Promise<Answered> {
  // Before anything is claimed: a session that cannot be served must leave a waiting run to the next one.
  const { stop, answer } = await hearAgent(sent, project, machinery);
  if (answer !== null) return { answer, complaints: [] };
  await claimTickets(stop, project, machinery);
  const runs = await findRuns(stop, project, machinery);
  const said: string[] = [];
  for (const problem of project.config.problems)
    said.push(...(await sayOnce(notices.config(problem), stop, project, machinery)));

  const served = await serveInTurn(runs, stop, project, machinery, decided);
  const { last, heard, over, failed, unserved, complaints } = served;
  said.push(...heard);
  said.push(...(await overhearAll(failed, 'unwritable', stop, project, machinery, decided)));
  said.push(
    ...(await keepingTheAnswer(() => forgetRuns(over, stop, project, machinery), stop, project, machinery)),
  );
  const lost = await overhearAll(unserved, 'writable', stop, project, machinery);
  if (last?.answer.kind === 'hold')
    return { answer: { ...last.answer, notice: joined([...said, ...lost]) }, complaints };
  // Only now: a session that is held has its own work to do, and looking may mean reading every state here.
  const speakOfStrangers = async (): Promise<void> => {
    const strangers = last?.quiet ? [] : await findStrangers(stop, project, machinery);
    if (strangers.length > 0) said.push(notices.strangers(strangers, project.cli));
  };
  said.push(...(await keepingTheAnswer(speakOfStrangers, stop, project, machinery)));
  if (last === null && said.length > heard.length) writeJournal(project, stop, { kind: 'told' });
  return allowing([...said, ...lost], last?.answer.suppressOutput === true, complaints);
}

type InTurn = {
  last: Served | null;
  heard: string[];
  over: string[];
  /** Those that could not be looked after. */
  failed: RunHere[];
  /** Those that another one's answer passed by. */
  unserved: readonly RunHere[];
  complaints: string[];
};

/** In the order of precedence, until one holds or asks for quiet. The others are not stepped: nothing is spent twice. */
async function serveInTurn(
  runs: readonly RunHere[],
  stop: Stop,
  project: Project,
  machinery: Machinery,
  decided: Decided,
): Promise<InTurn> {
  const result: InTurn = { last: null, heard: [], over: [], failed: [], unserved: [], complaints: [] };
  if (runs.length > 0) ensureHome(project.root);
  for (const [position, here] of runs.entries()) {
    const { workflow, run } = here;
    const name = runName(workflow.name, run);
    const later = runs.slice(position + 1);
    const beforeReview = async (): Promise<void> => {
      await overhearAll(later, 'writable', stop, project, machinery);
    };
    try {
      const served = await workflow.use((loaded) =>
        serveRun(loaded, { project, run, stop }, machinery, {
          beforeReview,
          decidedOn: (state) => decided.set(name, state),
        }),
      );
      if (served === null) continue;
      writeJournal(project, stop, { kind: 'served', served });
      result.last = served;
      if (served.over) result.over.push(name);
      if (served.answer.notice !== null) result.heard.push(served.answer.notice);
      if (served.complaint !== null) result.complaints.push(notices.complaint(name, served.complaint));
      if (served.quiet || served.answer.kind === 'hold') return { ...result, unserved: later };
    } catch (error) {
      if (error instanceof Interrupted) throw error;
      // A run we cannot look after is let go, and the others are still served.
      writeJournal(project, stop, { kind: 'failed', name, error });
      result.heard.push(...(await explain(error, stop, project, machinery)));
      result.failed.push(here);
    }
  }
  return result;
}

/** The answer is committed already: trouble with our own bookkeeping is told beside it, and never replaces it. */
async function keepingTheAnswer(
  work: () => Promise<void>,
  stop: Stop,
  project: Project,
  machinery: Machinery,
): Promise<string[]> {
  try {
    await work();
    return [];
  } catch (error) {
    writeJournal(project, stop, { kind: 'failed', name: null, error });
    return explain(error, stop, project, machinery);
  }
}

async function explain(
  error: unknown,
  stop: Stop,
  project: Project,
  machinery: Machinery,
): Promise<string[]> {
  if (error instanceof LockBusy) return [notices.lockBusy(Math.round(machinery.lockPatienceMs / 1000))];
  return sayOnce(await noticeOf(error, project), stop, project, machinery);
}

/** Another user's file, a mode, a read-only disk: then the notice names the command that changes it. */
async function noticeOf(error: unknown, project: Project): Promise<string> {
  if (!isDenied(error)) return notices.failed(oneLine(error), project.cli);
  const { explainDenied } = await import('../../store/trouble.ts');
  const trouble = explainDenied(error, project.root);
  return trouble === null ? notices.failed(oneLine(error), project.cli) : notices.denied(trouble);
}

function allowing(
  said: readonly string[],
  suppressOutput = false,
  complaints: readonly string[] = [],
): Answered {
  return { answer: { kind: 'allow', notice: joined(said), suppressOutput }, complaints };
}

function joined(said: readonly string[]): string | null {
  // One trouble may show in several places; it is told once.
  return said.length === 0 ? null : [...new Set(said)].join('\n');
}

export function oneLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n')[0] ?? text;
}

// A stop, from what the client said to what we answer. Read it top to bottom: where is the project, which
// runs does the stop concern, what does each of them say; the first that holds answers for all.

import { type Answer, allowSilently, type Stop } from '../clients/stop.ts';
import { isDenied } from '../store/files.ts';
import { ensureHome } from '../store/home.ts';
import { LockBusy } from '../store/lock.ts';
import { writeJournal } from './journal.ts';
import type { Machinery } from './machinery.ts';
import { notices } from './notices.ts';
import { sayOnce } from './once.ts';
import { overhearAll } from './overhear.ts';
import type { Project } from './project.ts';
import { findRoot, openProject } from './root.ts';
import { claimTickets, findRuns, findStrangers, forgetRuns, type RunHere } from './runs.ts';
import { Interrupted, serveRun } from './serve.ts';
import type { Served } from './turn.ts';
import { runName } from './visit.ts';

export async function answerStop(stop: Stop, machinery: Machinery): Promise<Answer> {
  if (stop.planMode) return allowSilently;
  const root = findRoot(stop, machinery);
  if (root === null) return allowSilently;
  const project = await openProject(root, machinery);
  try {
    return await answerIn(project, stop, machinery);
  } catch (error) {
    writeJournal(project, stop, { kind: 'failed', name: null, error });
    if (error instanceof Interrupted) throw error;
    return allowing(await explain(error, stop, project, machinery));
  }
}

async function answerIn(project: Project, stop: Stop, machinery: Machinery): Promise<Answer> {
  await claimTickets(stop, project, machinery);
  const runs = await findRuns(stop, project, machinery);
  const said: string[] = [];
  for (const problem of project.config.problems)
    said.push(...(await sayOnce(notices.config(problem), stop, project, machinery)));

  const { last, heard, over, unserved } = await serveInTurn(runs, stop, project, machinery);
  said.push(...heard);
  said.push(
    ...(await keepingTheAnswer(() => forgetRuns(over, stop, project, machinery), stop, project, machinery)),
  );
  if (last?.answer.kind === 'hold') {
    await overhearAll(unserved, stop, project, machinery);
    return { ...last.answer, notice: joined(said) };
  }
  // Only now: a session that is held has its own work to do, and looking may mean reading every state here.
  const speakOfStrangers = async (): Promise<void> => {
    const strangers = last?.quiet ? [] : await findStrangers(stop, project, machinery);
    if (strangers.length > 0) said.push(notices.strangers(strangers, project.cli));
  };
  said.push(...(await keepingTheAnswer(speakOfStrangers, stop, project, machinery)));
  if (last === null && said.length > heard.length) writeJournal(project, stop, { kind: 'told' });
  return allowing(said, last?.answer.suppressOutput === true);
}

type InTurn = { last: Served | null; heard: string[]; over: string[]; unserved: readonly RunHere[] };

/** In the order of precedence, until one holds or asks for quiet. The others are not stepped: nothing is spent twice. */
async function serveInTurn(
  runs: readonly RunHere[],
  stop: Stop,
  project: Project,
  machinery: Machinery,
): Promise<InTurn> {
  const result: InTurn = { last: null, heard: [], over: [], unserved: [] };
  if (runs.length > 0) ensureHome(project.root);
  for (const [position, { workflow, run }] of runs.entries()) {
    const name = runName(workflow.name, run);
    try {
      const served = await workflow.use((loaded) => serveRun(loaded, { project, run, stop }, machinery));
      if (served === null) continue;
      writeJournal(project, stop, { kind: 'served', served });
      result.last = served;
      if (served.over) result.over.push(name);
      if (served.answer.notice !== null) result.heard.push(served.answer.notice);
      if (served.quiet) return result;
      if (served.answer.kind === 'hold') return { ...result, unserved: runs.slice(position + 1) };
    } catch (error) {
      if (error instanceof Interrupted) throw error;
      // A run we cannot look after is let go, and the others are still served.
      writeJournal(project, stop, { kind: 'failed', name, error });
      result.heard.push(...(await explain(error, stop, project, machinery)));
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
  const { explainDenied } = await import('../store/trouble.ts');
  const trouble = explainDenied(error, project.root);
  return trouble === null ? notices.failed(oneLine(error), project.cli) : notices.denied(trouble);
}

function allowing(said: readonly string[], suppressOutput = false): Answer {
  return { kind: 'allow', notice: joined(said), suppressOutput };
}

function joined(said: readonly string[]): string | null {
  // One trouble may show in several places; it is told once.
  return said.length === 0 ? null : [...new Set(said)].join('\n');
}

export function oneLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n')[0] ?? text;
}

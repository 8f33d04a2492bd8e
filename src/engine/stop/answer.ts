// A stop, from what the client said to what we answer. Read it top to bottom: where is the project, what did the agent
// say, which runs does the stop concern, what does each of them say; the first that holds answers for all.

import { clientNamed } from '../../clients/index.ts';
import { type Answer, allowSilently, type Stop } from '../../clients/stop.ts';
import { isHandFired, type Runtime, runName, type StopContext } from '../context.ts';
import type { News } from '../notify/types.ts';
import type { Project } from '../project.ts';
import { isAnyChecking } from '../proof/asked.ts';
import { Interrupted } from '../work/interrupted.ts';
import { explainError, keepingTheAnswer } from './explain-error.ts';
import { findProject } from './find-project.ts';
import { claimTickets, findRuns, forgetRuns } from './find-runs.ts';
import { noteDriver } from './hand-over.ts';
import { writeJournal } from './journal.ts';
import { keepAllSignals, keepSignals } from './keep-signals.ts';
import { notices } from './notices.ts';
import { notifyOnce } from './notify-once.ts';
import { readLastMessage } from './read-last-message.ts';
import { serveRuns } from './serve-runs.ts';
import { findUnclaimedRuns, findUnusedByHand } from './unclaimed-runs.ts';

export type Answered = {
  answer: Answer;
  /** Lines for standard error, beside the answer. */
  complaints: readonly string[];
  /** Calls somebody about what happened; for when the answer is out. Left out: there is nothing to call about. */
  afterwards?: () => Promise<void>;
};

const SILENT: Answered = { answer: allowSilently, complaints: [] };

export async function answerStop(stop: Stop, runtime: Runtime): Promise<Answered> {
  if (stop.failed) return SILENT;
  const project = await findProject(stop, runtime);
  if (project === null) return SILENT;
  const context: StopContext = { stop, project, runtime, decidedOn: new Map() };
  const answered = await answerInProject(context);
  if (!clientNamed(stop.client).hidesNotices) return answered;
  const { passOn } = await import('./hidden-notices.ts');
  return passOn(answered, context);
}

async function answerInProject(context: StopContext): Promise<Answered> {
  const { stop, project } = context;
  // The agent may not write in plan mode, so nothing is asked of it and nothing is counted; a signal is still one, and
  // so is a question.
  if (stop.planMode)
    return allow([
      ...(await keepAllSignals('writable', context)),
      ...(await showAllQuestions(context)),
      ...(await sayNotHeld(context)),
    ]);
  try {
    const { news, ...answered } = await answerIn(context);
    return news.length === 0 ? answered : { ...answered, afterwards: () => callAbout(news, project) };
  } catch (error) {
    writeJournal(context, { kind: 'failed', name: null, error });
    if (error instanceof Interrupted) throw error;
    const explained = await explainError(error, context);
    // Nothing was answered; whatever was said at this stop is for the next one.
    return allow([...explained, ...(await keepAllSignals('unwritable', context))]);
  }
}

async function callAbout(news: readonly News[], project: Project): Promise<void> {
  const notify = await import('../notify/call.ts');
  notify.callAbout(news, project);
}

async function showAllQuestions(context: StopContext): Promise<string[]> {
  try {
    const runs = await findRuns(context);
    if (runs.length === 0) return [];
    const { showQuestions } = await import('../waiting/question.ts');
    return await showQuestions(runs, context);
  } catch {
    return []; // Which runs there are is unknown: that trouble comes again at the next stop.
  }
}

/** Once in a session, so that a run does not seem to have let go. */
async function sayNotHeld(context: StopContext): Promise<string[]> {
  if (isHandFired(context.stop)) return [];
  try {
    const [first] = await findRuns(context);
    if (first === undefined) return [];
    return await notifyOnce(notices.planMode(runName(first.workflow.name, first.run)), context);
  } catch {
    return []; // Which runs there are is unknown: that trouble comes again at the next stop.
  }
}

async function answerIn(sent: StopContext): Promise<Answered & { news: readonly News[] }> {
  // Before anything is claimed: a session that cannot be served must leave a waiting run to the next one.
  const { stop, answer } = await readLastMessage(sent);
  if (answer !== null) return { answer, complaints: [], news: [] };
  const heard: StopContext = { ...sent, stop };
  await claimTickets(heard);
  const runs = await findRuns(heard);
  const context = await noteDriver(heard, runs);
  const said: string[] = [];
  for (const problem of context.project.config.problems)
    said.push(...(await notifyOnce(notices.config(problem), context)));

  if (isAnyChecking(context.project)) said.push(...(await runsTakenAlong(context)));

  const served = await serveRuns(runs, context);
  const { last, complaints, news } = served;
  said.push(...served.said);
  said.push(...(await keepingTheAnswer(() => forgetRuns(served.over, context), context)));
  const unused = await findUnusedByHand(context);
  if (unused.length > 0) said.push(notices.unclaimed(unused, context.project.cli));
  const lost = await keepSignals(served.unserved, 'writable', context);
  if (last?.handedOver) return { ...allow([...said, ...lost], false, complaints), news };
  if (last?.answer.kind === 'hold') return { ...hold(last.answer, [...said, ...lost], complaints), news };

  // Only now: a session that is held has its own work to do, and looking may mean reading every state here.
  const lookForUnclaimed = async (): Promise<void> => {
    const unclaimed = last?.quiet ? [] : await findUnclaimedRuns(context);
    if (unclaimed.length > 0) said.push(notices.unclaimed(unclaimed, context.project.cli));
  };
  said.push(...(await keepingTheAnswer(lookForUnclaimed, context)));
  if (last === null && said.length > served.said.length) writeJournal(context, { kind: 'noticed' });
  return { ...allow([...said, ...lost], last?.answer.suppressOutput === true, complaints), news };
}

/** A check may have taken the very run along that this stop was about. */
async function runsTakenAlong(context: StopContext): Promise<string[]> {
  const said: string[] = [];
  const look = async (): Promise<void> => {
    const { takenAlong } = await import('../proof/taken-along.ts');
    said.push(...(await takenAlong(context)));
  };
  return [...(await keepingTheAnswer(look, context)), ...said];
}

type Hold = Extract<Answer, { kind: 'hold' }>;

function hold(answer: Hold, said: readonly string[], complaints: readonly string[]): Answered {
  return { answer: { ...answer, notice: joined(said) }, complaints };
}

function allow(
  said: readonly string[],
  suppressOutput = false,
  complaints: readonly string[] = [],
): Answered {
  return { answer: { kind: 'allow', notice: joined(said), suppressOutput }, complaints };
}

/** One trouble may show in several places; it is reported once. */
function joined(said: readonly string[]): string | null {
  return said.length === 0 ? null : [...new Set(said)].join('\n');
}

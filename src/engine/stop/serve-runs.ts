// All runs a stop concerns, in the order of precedence, until one holds or asks for quiet. The others are not stepped:
// nothing is spent twice.

import { ensureHome } from '../../store/home.ts';
import { hasBudget } from '../budget/place.ts';
import { runName, type StopContext } from '../context.ts';
import type { News } from '../notify/types.ts';
import { Interrupted } from '../work/interrupted.ts';
import { explainError } from './explain-error.ts';
import type { RunHere } from './find-runs.ts';
import { writeJournal } from './journal.ts';
import { keepSignals } from './keep-signals.ts';
import { notices } from './notices.ts';
import { type ServedRun, serveRun } from './serve-run.ts';

export type ServedRuns = {
  /** The one whose answer stands. */
  last: ServedRun | null;
  /** What the runs have to say to the user, and what could not be kept for them. */
  said: string[];
  /** Names of those that the session can forget. */
  over: string[];
  /** Those whose signals are to be kept: another one's answer passed them by, or they wait before they look into it. */
  unserved: readonly RunHere[];
  /** Lines for standard error. */
  complaints: string[];
  /** What somebody is to be called about. */
  news: News[];
};

export async function serveRuns(runs: readonly RunHere[], context: StopContext): Promise<ServedRuns> {
  const result: ServedRuns = { last: null, said: [], over: [], unserved: [], complaints: [], news: [] };
  const failed: RunHere[] = [];
  if (runs.length > 0) ensureHome(context.project.root);
  for (const [position, here] of runs.entries()) {
    const name = runName(here.workflow.name, here.run);
    const later = runs.slice(position + 1);
    const served = await serveOrExplain(here, later, context);
    if (served === null) continue;
    if ('explained' in served) {
      result.said.push(...served.explained);
      failed.push(here);
      continue;
    }
    writeJournal(context, { kind: 'served', served });
    if (context.project.config.notify.length > 0) result.news.push(...(await newsIn(served, name, context)));
    result.last = served;
    if (served.over !== null) result.over.push(name);
    if (served.answer.notice !== null) result.said.push(served.answer.notice);
    if (served.complaint !== null) result.complaints.push(notices.complaint(name, served.complaint));
    if (!served.quiet && served.answer.kind === 'allow') continue;
    if (served.answer.kind === 'hold') await meterOthers(runs, name, context);
    result.unserved = served.keepsSignal ? [here, ...later] : later;
    const { shown, answered } = served;
    if ((shown !== undefined || answered !== undefined) && later.length > 0) {
      const { noteAnswered, noteShown } = await import('../waiting/question.ts');
      if (shown !== undefined) await noteShown(later, shown, context);
      if (answered !== undefined) await noteAnswered(later, answered, context);
    }
    break;
  }
  result.said.push(...(await keepSignals(failed, 'unwritable', context)));
  return result;
}

async function newsIn(served: ServedRun, name: string, { decidedOn }: StopContext): Promise<News[]> {
  const { newsOf } = await import('../notify/news.ts');
  return [newsOf(served, name, decidedOn.get(name) ?? '') ?? []].flat();
}

/** From now on what the agent uses is the budget's of the run that holds it, and of no other. */
async function meterOthers(runs: readonly RunHere[], held: string, context: StopContext): Promise<void> {
  const names = runs.map(({ workflow, run }) => runName(workflow.name, run));
  for (const name of names) {
    // What the driven one may spend is counted with whatever holds.
    if (name === held || name === context.driven || !hasBudget(context.project, name)) continue;
    try {
      const { meterBeside } = await import('../budget/beside.ts');
      await meterBeside(name, context);
    } catch (error) {
      // The answer is found already; the next stop counts it.
      writeJournal(context, { kind: 'failed', name, error });
    }
  }
}

/** A run we cannot serve is let go, with what to say about it, and the others are still served. */
async function serveOrExplain(
  here: RunHere,
  later: readonly RunHere[],
  context: StopContext,
): Promise<ServedRun | { explained: string[] } | null> {
  const { workflow, run } = here;
  const keep = async (runs: readonly RunHere[]): Promise<void> => {
    await keepSignals(runs, 'writable', context);
  };
  // A check runs for the signal of the very run it belongs to.
  const before = { review: () => keep(later), checks: () => keep([here, ...later]) };
  try {
    return await serveRun(workflow, run, context, before);
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    writeJournal(context, { kind: 'failed', name: runName(workflow.name, run), error });
    return { explained: await explainError(error, context) };
  }
}

// A stop, from what the client said to what we answer. Read it top to bottom: where is the project, which
// runs does the stop concern, what does each of them say; the first that holds answers for all.

import { type Answer, allowSilently, type Stop } from '../clients/stop.ts';
import { ensureHome } from '../store/home.ts';
import { LockBusy } from '../store/lock.ts';
import { writeJournal } from './journal.ts';
import type { Machinery } from './machinery.ts';
import { notices } from './notices.ts';
import { sayOnce } from './once.ts';
import { overhearAll } from './overhear.ts';
import type { Project } from './project.ts';
import { findRoot, openProject } from './root.ts';
import { findRuns, forgetRuns, type RunHere } from './runs.ts';
import { Interrupted, serveRun } from './serve.ts';
import type { Served } from './turn.ts';
import { runName } from './visit.ts';

export async function answerStop(stop: Stop, machinery: Machinery): Promise<Answer> {
  if (stop.planMode) return allowSilently;
  const root = findRoot(stop, machinery);
  if (root === null) return allowSilently;
  const project = await openProject(root, machinery);
  const { runs, strangers } = await findRuns(stop, project, machinery);
  const said = project.config.problems.flatMap((problem) => sayOnce(notices.config(problem), stop, project));
  if (strangers.length > 0) said.push(notices.strangers(strangers, project.cli));

  const { last, heard, over } = await serveInTurn(runs, stop, project, machinery);
  await forgetRuns(over, stop, project, machinery);
  said.push(...heard);
  if (runs.length === 0 && said.length > 0) writeJournal(project, stop, { kind: 'told', notice: true });
  const notice = said.length === 0 ? null : said.join('\n');
  if (last?.answer.kind === 'hold') return { ...last.answer, notice };
  return {
    kind: 'allow',
    notice,
    suppressOutput: last?.answer.kind === 'allow' && last.answer.suppressOutput,
  };
}

type InTurn = { last: Served | null; heard: string[]; over: string[] };

/** In the order of precedence, until one holds or asks for quiet. The others are not stepped: nothing is spent twice. */
async function serveInTurn(
  runs: readonly RunHere[],
  stop: Stop,
  project: Project,
  machinery: Machinery,
): Promise<InTurn> {
  const result: InTurn = { last: null, heard: [], over: [] };
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
      if (served.answer.kind === 'hold')
        await overhearAll(runs.slice(position + 1), stop, project, machinery);
      if (served.quiet || served.answer.kind === 'hold') break;
    } catch (error) {
      // A run we cannot look after is let go, and the others are still served.
      writeJournal(project, stop, { kind: 'failed', name, error });
      if (error instanceof Interrupted) throw error;
      result.heard.push(...explain(error, stop, project, machinery));
    }
  }
  return result;
}

function explain(error: unknown, stop: Stop, project: Project, machinery: Machinery): string[] {
  if (error instanceof LockBusy) return [notices.lockBusy(Math.round(machinery.lockPatienceMs / 1000))];
  return sayOnce(notices.failed(oneLine(error), project.cli), stop, project);
}

export function oneLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n')[0] ?? text;
}

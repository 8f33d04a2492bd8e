// How the run stands on disk: its own state through its workflow, our notes on it, and the journal's last word.

import { isPaused } from '../engine/budget/paused.ts';
import { runName } from '../engine/context.ts';
import { pendingHandOver } from '../engine/driver/hand-over.ts';
import type { Project } from '../engine/project.ts';
import { waitingNow } from '../engine/waiting/clock.ts';
import type { RunSummary, WorkflowCli } from '../engine/workflow-cli.ts';
import { fingerprint } from '../store/fingerprint.ts';
import { journalFromEnd } from '../store/journal.ts';
import type { CommandEntry, EndEntry } from '../store/journal-lines.ts';
import { newSidecar, type Sidecar, type Waiting } from '../store/records.ts';
import { readSession, readSidecar } from '../store/sidecars.ts';
import { spentBudget } from './budget.ts';
import type { Stand } from './types.ts';

/** `busy`: a review or a check of it runs, or it waits: silence means nothing then. A person is not waited for. */
export type Seen = { stand: Stand; stage: string; mark: string; busy: boolean; sidecar: Sidecar };

/**
 * `run` in full (`<workflow>:<id>`); null: nobody has begun it yet. `ours`: the sessions that it may belong to; none:
 * that is not known yet.
 */
export function look(
  project: Project,
  cli: WorkflowCli,
  run: string | null,
  ours: readonly string[] = [],
): Seen {
  if (run === null) return { ...NOTHING, stand: { kind: 'none' } };
  const id = run.slice(run.indexOf(':') + 1);
  const summary = cli.runs(project).find((each) => each.run === id);
  const sidecar = notesOn(project, run);
  if (summary === undefined)
    return { ...NOTHING, stand: { kind: 'over', outcome: null, worth: null }, sidecar };
  const { stage } = summary;
  const stand = standOf(project, cli, summary, run, sidecar);
  return {
    stand: stand.kind !== 'over' && isTakenOver(sidecar, ours) ? { kind: 'taken-over' } : stand,
    stage,
    mark: fingerprint(JSON.stringify([stage, sidecar.committed?.after ?? null])),
    busy: isBusy(sidecar, project.now),
    sidecar,
  };
}

/** The run that an agent has begun in its session, of the workflow that was asked for. */
export function runBegunIn({ root }: Project, workflow: string, session: string): string | null {
  const runs = readSession(root, session)?.runs ?? [];
  return runs.filter((run) => run.startsWith(runName(workflow, ''))).at(-1) ?? null;
}

const NOTHING = { stage: 'not begun yet', mark: '', busy: false, sidecar: newSidecar('') };

/** Notes that cannot be read say nothing; the run's own state does. */
function notesOn({ root }: Project, run: string): Sidecar {
  try {
    return readSidecar(root, run);
  } catch {
    return newSidecar(run);
  }
}

/** What should have ended long ago was left by something that died. */
export function isBusy(sidecar: Sidecar, now: number): boolean {
  const waiting = waitingNow(sidecar, now);
  if (waiting !== null && waiting.for !== 'person') return true;
  return sidecar.attempts.some(({ status, deadline }) => status === 'running' && now < deadline);
}

/** One that is bound to no session yet waits for the one that was started. */
export function isTakenOver({ sessions }: Pick<Sidecar, 'sessions'>, ours: readonly string[]): boolean {
  return ours.length > 0 && sessions.length > 0 && !sessions.some((session) => ours.includes(session));
}

function standOf(
  project: Project,
  cli: WorkflowCli,
  summary: RunSummary,
  run: string,
  sidecar: Sidecar,
): Stand {
  const last = lastWord(project, run);
  if (last?.event === 'cancel') return { kind: 'over', outcome: 'cancelled', worth: null };
  const { live } = summary;
  if (last?.event === 'end' && last.outcome === 'released') return { kind: 'released' };
  if (last?.event === 'end' && !live)
    return { kind: 'over', outcome: last.outcome, worth: last.proof ?? null, byJournal: true };
  const driven = cli.driven?.stands?.(project, summary.run) ?? { kind: 'active' };
  if (driven.kind === 'over') return { kind: 'over', outcome: driven.outcome, worth: null };
  if (driven.kind === 'stale') return driven;
  if (!live) return { kind: 'over', outcome: null, worth: null };
  if (isPaused(project, run)) return { kind: 'paused', ...spentBudget(project, run) };
  const waiting = waitingNow(sidecar, project.now);
  const wait = waiting === null ? null : standOfWait(waiting);
  if (wait?.kind === 'question') return wait;
  if (driven.kind === 'person') return driven;
  if (handedOver(project, run)) return { kind: 'handed-over' };
  return wait ?? driven;
}

/**
 * A client's cap is no question: the next prompt ends it, and the driver gives that. A reviewer's limit is no limit of the
 * session: the same stop comes again when it is over.
 */
export function standOfWait({ for: awaited, what, until, capped }: Waiting): Stand {
  if (awaited !== 'person') return { kind: 'waits', for: awaited, until };
  return capped ? { kind: 'waits', for: 'prompt', until: null } : { kind: 'question', what };
}

function handedOver({ root }: Project, run: string): boolean {
  try {
    return pendingHandOver(root, run) !== null;
  } catch {
    return false; // Notes that cannot be read, as above.
  }
}

/** What last happened to the run as a whole: a stop or a command ended it, or somebody took it up after that. */
function lastWord({ root }: Project, run: string): EndEntry | CommandEntry | null {
  for (const entry of journalFromEnd(root)) {
    const isCommand = entry.event === 'start' || entry.event === 'adopt' || entry.event === 'cancel';
    if (!isCommand && entry.event !== 'end') continue;
    if (runName(entry.workflow, entry.run) === run) return entry;
  }
  return null;
}

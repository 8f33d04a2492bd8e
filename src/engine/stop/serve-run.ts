// Serves one run at one stop: turn by turn under the lock, and between the turns, without it, whatever the
// last one asked for. Each thing is fetched once, so a handful of turns always suffices.

import type { Json, JsonObject } from '../../store/json.ts';
import { type HeldLock, withLock } from '../../store/lock.ts';
import type { Attempt } from '../../store/records.ts';
import { dropUnfinished, markAttempt, runReview, takeOver, verdictLeftBehind } from '../work/attempt.ts';
import { activityOf } from '../guard/progress.ts';
import { keepJournalShort } from './journal.ts';
import type { Machinery } from '../context.ts';
import { type Learned, type Served, type Turn, takeTurn } from './take-turn.ts';
import { runName, type Visit } from '../visit.ts';
import type { Workflow } from '../workflow.ts';

/** A look, a wait for the transcript, a recovery, a review, and the answer; more would be a workflow asking in circles. */
const MOST_TURNS = 8;

export type Beside = {
  beforeReview(): Promise<void>;
  /** Which state it was that this stop was about, as a fingerprint, however serving the run ends. */
  decidedOn(state: string): void;
};

/** Null: the run is not this session's, or gone. */
export async function serveRun<W, S extends Json, F extends JsonObject, C extends Json>(
  workflow: Workflow<W, S, F, C>,
  visit: Visit,
  machinery: Machinery,
  beside: Beside,
): Promise<Served | null> {
  const learned: Learned<F> = {
    facts: {},
    awaited: false,
    attemptBusy: false,
    ended: null,
    aside: null,
    state: null,
  };
  // Until the answer is committed, the attempt of a review has a living owner.
  let owned: HeldLock | null = null;
  let complaint: string | null = null;
  try {
    for (let turns = 0; turns < MOST_TURNS; turns++) {
      const turn = await withLock(visit.project.home, machinery.lockPatienceMs, () => {
        if (turns === 0) keepJournalShort(visit.project);
        // Listened for before the attempt is on record: from then on a signal must find somebody who notes it.
        return takeTurn(workflow, visit, learned, () => machinery.whenToldToEnd(() => {}));
      });
      switch (turn.kind) {
        case 'not-ours':
          return null;
        case 'answered':
          return { ...turn.served, complaint };
        case 'look':
          learned.facts = { ...learned.facts, ...(await workflow.look(turn.at, turn.scene, turn.world)) };
          break;
        case 'await-tools':
          await toolsAppear(visit, turn.since);
          learned.awaited = true;
          break;
        case 'recover':
          learned.attemptBusy = !(await recover(workflow.name, visit, turn.attempt, machinery));
          break;
        case 'review': {
          owned = turn.held;
          await beside.beforeReview();
          const end = await review(workflow.name, visit, turn, machinery);
          learned.ended = end.attempt;
          complaint = end.complaint;
          break;
        }
      }
    }
    throw new Error(`${runName(workflow.name, visit.run)} could not come to a decision`);
  } finally {
    if (learned.state !== null) beside.decidedOn(learned.state);
    owned?.release();
  }
}

/** Claude Code writes its transcript on a 100 ms timer (2.1.197), so a line worth waiting for is there within 250. */
async function toolsAppear({ stop }: Visit, since: string | null): Promise<void> {
  for (let waits = 0; waits < 10; waits++) {
    await new Promise((resolve) => setTimeout(resolve, 25));
    if (activityOf(stop, since).tools !== 'no') return;
  }
}

/** True when the attempt's owner is dead and what it left is dealt with; false when it lives. */
async function recover(
  workflow: string,
  visit: Visit,
  attempt: Attempt,
  machinery: Machinery,
): Promise<boolean> {
  const held = takeOver(visit.project, attempt);
  if (held === null) return false;
  try {
    const { endReviewer } = await import('../../reviewers/index.ts');
    await endReviewer(attempt.id, null);
    const verdict = verdictLeftBehind(visit.project, attempt, await machinery.findReviewer(attempt.reviewer));
    const name = runName(workflow, visit.run);
    await withLock(visit.project.home, machinery.lockPatienceMs, () => {
      if (verdict === null) dropUnfinished(visit.project, name, attempt);
      else markAttempt(visit.project, name, attempt.id, { status: 'done', verdict });
    });
    return true;
  } finally {
    held.release();
  }
}

/**
 * Runs the review to its end. A verdict needs no note before it is committed, since it stands in the reviewer's output; that there
 * is none does not, and whoever comes after us must not run the review again or take it for one.
 */
async function review<W>(
  workflow: string,
  { project, run }: Visit,
  { attempt, call }: Extract<Turn<W>, { kind: 'review' }>,
  machinery: Machinery,
): Promise<{ attempt: Attempt; complaint: string | null }> {
  const reviewer = await machinery.findReviewer(attempt.reviewer);
  const mark = (change: Partial<Attempt>, patienceMs: number): Promise<void> =>
    withLock(project.home, patienceMs, () =>
      markAttempt(project, runName(workflow, run), attempt.id, change),
    );
  // Claude Code gives the hook 1.5 s after SIGTERM (2.1.197), and the reviewer must be ended in them too.
  const interrupted = () => mark({ status: 'interrupted' }, 300);
  const signals = { whenToldToEnd: machinery.whenToldToEnd, interrupted };
  const end = await runReview(project, attempt, call, reviewer, signals);
  if (end === 'interrupted') throw new Interrupted();
  const { verdict, noVerdict, complaint } = end;
  const done = { status: 'done', verdict, ...(noVerdict === null ? {} : { cause: noVerdict }) } as const;
  if (noVerdict !== null) await mark(done, machinery.lockPatienceMs);
  return { attempt: { ...attempt, ...done }, complaint };
}

/** The client told the hook to end in the middle of a review. */
export class Interrupted extends Error {
  constructor() {
    super('the client ended the hook during a review; the next stop takes it up again');
  }
}

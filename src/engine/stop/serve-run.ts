// Serves one run at one stop: turn by turn under the lock, and between the turns, without it, whatever the
// last one asked for. Each thing is fetched once, so a handful of turns always suffices.

import type { JsonObject } from '../../store/json.ts';
import { forgetWords } from '../../store/kept.ts';
import { type HeldLock, withLock } from '../../store/lock.ts';
import { noteProject } from '../../store/projects.ts';
import type { ReviewAttempt } from '../../store/records.ts';
import { DRIVER_RECORDS, hasUserRecord } from '../../store/user-state.ts';
import { runName, type StopContext } from '../context.ts';
import { toolsAppear } from '../guard/progress.ts';
import { isAnyChecking } from '../proof/asked.ts';
import type { AskedWait } from '../waiting/at-stop.ts';
import { beginReview } from '../work/attempt.ts';
import type { ReviewReport } from '../work/report.ts';
import type { AnyWorkflow, ReviewCall } from '../workflow.ts';
import { countHold } from './client-cap.ts';
import { commitStep } from './commit.ts';
import { handOver } from './hand-over.ts';
import { journalReview, journalWork, keepJournalShort, worthIn } from './journal.ts';
import { takeTurn } from './take-turn.ts';
import { type Fetched, NOTHING_FETCHED, type Served, type Turn } from './turn.ts';

/**
 * Two recoveries, what an earlier review says, the pin, the meter, a look, a wait for the transcript, one check and then
 * all, a look at an edited state, a review, the meter once more, another look, and the answer; more would be a workflow asking in circles.
 */
const MOST_TURNS = 15;

/** Called before work that takes long, which the hook may not live to see the end of. */
export type BeforeWork = { review(): Promise<void>; checks(): Promise<void> };

export type ServedRun = Served & {
  /** Why a review of this stop had no verdict, in one line for standard error. */
  complaint: string | null;
};

/** Null: the run is not this session's, or gone. */
export async function serveRun(
  workflow: AnyWorkflow,
  run: string,
  stopped: StopContext,
  before: BeforeWork,
): Promise<ServedRun | null> {
  const name = runName(workflow.name, run);
  let fetched: Fetched = NOTHING_FETCHED;
  // Until the answer is committed, the attempt of a review has a living owner.
  let owned: HeldLock | null = null;
  let complaint: string | null = null;
  try {
    for (let turns = 0; turns < MOST_TURNS; turns++) {
      const turn = await withLock(stopped.project.home, stopped.runtime.lockPatienceMs, async () => {
        if (turns === 0) keepJournalShort(stopped.project);
        const next = handOver(takeTurn(workflow, stopped, run, fetched), stopped);
        if (next.kind === 'answer' && next.served.over !== null) {
          await takeOffRecords(name, stopped);
          await notifyDriver(name, next.served, stopped);
        }
        return carryOutTurn(next, name, stopped, fetched.report);
      });
      switch (turn.kind) {
        case 'not-ours':
          return null;
        case 'answer':
          return { ...turn.served, complaint };
        case 'look': {
          const facts = (await workflow.look?.(turn.at, turn.context, turn.world)) as JsonObject | undefined;
          const known = turn.state === fetched.lookedIn || fetched.claim === null ? fetched.facts : {};
          fetched = { ...fetched, facts: { ...known, ...facts }, lookedIn: turn.state ?? null };
          break;
        }
        case 'wait-for-tools':
          await toolsAppear(stopped.stop, turn.since);
          fetched = { ...fetched, awaited: true };
          break;
        case 'recover': {
          const { recover } = await import('../work/recover.ts');
          const { id } = turn.attempt;
          if (!(await recover(name, turn.attempt, stopped)))
            fetched = { ...fetched, busy: [...fetched.busy, id] };
          break;
        }
        case 'read-review': {
          const { readReportAgain } = await import('../work/report.ts');
          fetched = { ...fetched, report: await readReportAgain(turn.attempt, stopped) };
          break;
        }
        case 'pin': {
          const { pinRun } = await import('../proof/pin-run.ts');
          fetched = { ...fetched, pinned: await pinRun(name, turn.notes, stopped) };
          break;
        }
        case 'meter': {
          const { meterBudget } = await import('../budget/at-stop.ts');
          const { sidecar, finished } = turn;
          const { report } = fetched;
          fetched = { ...fetched, budget: await meterBudget(name, { sidecar, finished, report }, stopped) };
          break;
        }
        case 'prove': {
          const { prove } = await import('../proof/prove.ts');
          const { step, notes, state } = turn;
          const ran = (fetched.checks.at(-1)?.proved ?? fetched.until?.proved)?.ran ?? [];
          const proved = await prove({ name, step, notes, ran, beforeChecks: before.checks }, stopped);
          if (proved.kind === 'busy') fetched = { ...fetched, busy: [...fetched.busy, proved.attempt] };
          else if (step.check !== undefined) {
            fetched = { ...fetched, checks: [...fetched.checks, { name: step.check, proved }] };
            // There may be many of these, each asked for once.
            turns--;
          } else if (step.only !== undefined) fetched = { ...fetched, until: { proved, state } };
          else fetched = { ...fetched, claim: proved };
          break;
        }
        case 'begun': {
          owned = turn.held;
          await before.review();
          const { review } = await import('../work/review.ts');
          const end = await review(name, turn.attempt, turn.call, stopped);
          fetched = { ...fetched, ended: end.attempt, report: end.report, waited: turn.wait, budget: null };
          complaint = end.complaint;
          break;
        }
      }
    }
    throw new Error(`${name} could not come to a decision`);
  } finally {
    owned?.release();
  }
}

type CarriedOut =
  | Exclude<Turn, { kind: 'review' }>
  | { kind: 'begun'; attempt: ReviewAttempt; held: HeldLock; call: ReviewCall; wait: AskedWait };

/** What the turn wants written, under the same lock. */
function carryOutTurn(
  turn: Turn,
  name: string,
  stopped: StopContext,
  report: ReviewReport | null,
): CarriedOut {
  const { project, runtime, decidedOn } = stopped;
  // First: with the attempt's folder, which goes last, goes what it says. A crash in between is known by the line.
  journalReview(stopped, name, reviewPutAway(turn), report);
  if (turn.state !== undefined && !decidedOn.has(name)) decidedOn.set(name, turn.state);
  if (turn.kind === 'answer') {
    // Before the commit, by which a later stop is no first one any more.
    if (turn.served.first) noteProjectQuietly(stopped);
    turn.settle?.();
    commitStep(project, turn.writes);
    if (turn.forgetSignals) forgetWords({ ...project, run: name });
    if (turn.served.answer.kind === 'hold' && !turn.served.handedOver) countHold(stopped);
  }
  if (turn.kind !== 'review') return turn;
  // Listened for before the attempt is on record: from then on a signal must find somebody who notes it.
  runtime.whenAskedToEnd(() => {});
  const begun = beginReview(project, turn.begin);
  journalWork(stopped, name, begunReview(begun.attempt));
  return { kind: 'begun', ...begun, call: turn.call, wait: turn.wait };
}

/** Before the end is written: a check of another run, which takes this one's files along, does not bring it back. */
async function takeOffRecords(name: string, { project }: StopContext): Promise<void> {
  if (!isAnyChecking(project)) return;
  const { noteEnded } = await import('../proof/check-record.ts');
  noteEnded(project, name);
}

/** Before the end is written, too: whoever drives the run takes every other end for its agent's doing. */
async function notifyDriver(name: string, { ended, record }: Served, stopped: StopContext): Promise<void> {
  if (ended === null || !hasUserRecord(stopped.project.env, DRIVER_RECORDS)) return;
  const { noteEnd } = await import('../driver/its-agent.ts');
  const { proof = null, why = [] } = worthIn(record.facts);
  noteEnd(stopped, name, { outcome: ended, proof, why });
}

/** Where it cannot be written, the project is not among all projects, and nothing else is the worse for it. */
function noteProjectQuietly({ project }: StopContext): void {
  try {
    noteProject(project.env, project.root);
  } catch {
    // As said above.
  }
}

function begunReview({ id, reviewer, model, kind, number, deadline }: ReviewAttempt) {
  const by = model === '' ? reviewer : `${reviewer}/${model}`;
  const until = new Date(deadline).toISOString();
  const about = { work: 'review', attempt: id, name: `${by}, ${kind} ${number}` } as const;
  return { ...about, what: 'began', deadline: until } as const;
}

/** The finished review whose record and output go with this turn. */
function reviewPutAway(turn: Turn): ReviewAttempt | null {
  if (turn.kind === 'review') return turn.begin.passed;
  return turn.kind === 'answer' ? (turn.writes.applied ?? turn.writes.passed) : null;
}

// One turn at a stop, under the lock: observe, decide, and on to the answer (answer-turn.ts). It writes nothing: it ends
// in an answer with what is to be committed, or in the one thing that must be fetched outside the lock before the next
// turn can decide.

import { keptWords } from '../../store/kept.ts';
import { readSidecar } from '../../store/sidecars.ts';
import { isBudgeted } from '../budget/place.ts';
import { isServed, type RunContext, runName, type StopContext } from '../context.ts';
import { mayBePinned } from '../proof/asked.ts';
import { askWait, waitBesideAllow, waitsForPerson } from '../waiting/at-stop.ts';
import { clockAtStop } from '../waiting/clock.ts';
import { withPause, withWait } from '../waiting/on-record.ts';
import { withoutLimited } from '../waiting/reviewer.ts';
import { questionNotice } from '../waiting/words.ts';
import { reviewIn } from '../work/attempt.ts';
import { endedReview, finishedReview, withWhatEnded } from '../work/ended-review.ts';
import { findingsOf, listedBy, reportOf } from '../work/report-of.ts';
import type { AnyWorkflow } from '../workflow.ts';
import type { Decided } from './answer-run.ts';
import { answerTurn } from './answer-turn.ts';
import { decideClaim, factsOfProof, withNotes } from './claim.ts';
import { notices } from './notices.ts';
import type { Fetched, Turn } from './turn.ts';

export function takeTurn(workflow: AnyWorkflow, stopped: StopContext, run: string, fetched: Fetched): Turn {
  const { stop, project } = stopped;
  const name = runName(workflow.name, run);
  const read = withWhatEnded(readSidecar(project.root, name), fetched.ended, project);
  if (!isServed(read, stop)) return { kind: 'not-ours' };
  const unfinished = read.attempts.find(({ status }) => status !== 'done');
  if (unfinished !== undefined && !fetched.busy.includes(unfinished.id))
    return { kind: 'recover', attempt: unfinished };
  const finished = finishedReview(read);
  if (finished !== null && reportOf(finished, fetched.report) === null)
    return { kind: 'read-review', attempt: finished };

  const keptSignals = workflow.keepSignal === undefined ? [] : keptWords({ ...project, run: name });
  const now = clockAtStop(read, project.now);
  const printed = fetched.checks.flatMap(({ proved }) => proved.said.printed);
  const asked: RunContext = {
    ...{ project, stop, run, now, saved: read.saved, keptSignals },
    ...(printed.length > 0 && { printed }),
  };
  const seen = workflow.observe(asked);
  if (seen === null) return { kind: 'not-ours' };
  const state = seen.stateHash;
  if (workflow.claims && fetched.pinned === null && mayBePinned(read, project))
    return { kind: 'pin', notes: read.proof, state };
  if (fetched.budget === null && (stopped.driven !== undefined || isBudgeted(read, stopped, name)))
    return { kind: 'meter', sidecar: read, finished, state };
  const budget = fetched.budget === 'none' ? null : (fetched.budget?.read() ?? null);
  const noticed = withNotes(read, fetched);
  const found = budget === null ? noticed : withPause(noticed, budget.budget.pausedAt, project.now);
  const review = reviewIn(found);
  const reviewed = withoutLimited(endedReview(found, seen), seen, project.now);
  const { ended, passed, sidecar, outcome, limit } = reviewed;
  const isPersonsTurn = workflow.pauses === true && waitsForPerson(sidecar, stopped);
  // Somebody edited the state while a check ran: what the agent said is looked at again, for the state as it is now.
  const looked = fetched.claim !== null && fetched.lookedIn !== state ? {} : fetched.facts;
  const known = {
    ...{ ...seen.facts, ...looked, ...outcome, ...listedBy(ended, fetched.report) },
    ...factsOfProof(workflow, fetched, state),
    ...(isPersonsTurn ? { waitsForPerson: true as const } : {}),
  };
  const context: RunContext = { ...asked, ...findingsOf(ended, fetched.report) };
  const { step, facts } = decideClaim(workflow, seen.state, known, sidecar, project, name);
  if (step.kind === 'look') return { kind: 'look', at: step.at, context, world: seen.world, state };

  const isUnapplied = fetched.ended !== null && ended === null && review !== null && limit === null;
  const { claim, pinned, until, checks } = fetched;
  const proved = [...checks.map((each) => each.proved), until?.proved, claim];
  const unapplied = isUnapplied ? whyUnapplied(review.file, seen.unreadable) : null;
  const asides = [unapplied, pinned?.notice, ...proved.map((each) => each?.said.aside), budget?.notice].map(
    (line) => line ?? null,
  );
  const said = claim?.said ?? fetched.until?.proved.said ?? null;
  // A hold, a review or checks are not asked for while something else is waited for.
  const wait =
    step.kind === 'allow' ? waitBesideAllow(stopped, sidecar) : askWait(stopped, sidecar, step.kind);
  const waited = withWait(sidecar, wait.answer, project.now);
  const noted = found !== read || waited !== sidecar;
  const isOver = step.kind === 'allow' && step.over !== undefined;
  const decided: Decided = {
    ...{ workflow, context, seen, facts, ended, passed, said, noted, budget },
    wait: wait.question === null && fetched.waited !== null ? fetched.waited : wait,
    sidecar: waited,
    waitedFor: read.waiting,
    asides: [...asides, wait.asks && questionNotice(wait.asks, isOver ? name : null)],
  };
  return answerTurn({ decided, step, wait, limit, review, unfinished, fetched });
}

/** A review ran in this stop, but somebody moved the state meanwhile: the edit stands. */
function whyUnapplied(file: string, unreadable: true | undefined): string {
  return unreadable ? notices.verdictWaits(file) : notices.editedDuringReview(file);
}

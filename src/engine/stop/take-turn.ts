// One turn at a stop, under the lock: observe, decide, ask the guard. It writes nothing: it ends in an answer with what
// is to be committed, or in the one thing that must be fetched outside the lock before the next turn can decide.

import { keptWords } from '../../store/kept.ts';
import { readSidecar } from '../../store/sidecars.ts';
import { isServed, type RunContext, runName, type StopContext } from '../context.ts';
import { activityOf, askGuard, UNCOUNTED } from '../guard/progress.ts';
import { mayBePinned } from '../proof/asked.ts';
import { askWait, waitBesideAllow, waitsForPerson } from '../waiting/at-stop.ts';
import { clockAtStop } from '../waiting/clock.ts';
import { withWait } from '../waiting/on-record.ts';
import { withoutLimited } from '../waiting/reviewer.ts';
import { questionNotice } from '../waiting/words.ts';
import { reviewIn } from '../work/attempt.ts';
import { endedReview, withWhatEnded } from '../work/ended-review.ts';
import { timeForReview } from '../work/time-left.ts';
import type { AnyWorkflow } from '../workflow.ts';
import {
  allowUnreviewed,
  allowUnstepped,
  allowWaiting,
  answerStep,
  type Decided,
  letGo,
  letGoRefused,
} from './answer-run.ts';
import { decideClaim, factsOfProof, isRefusedTooOften, withNotes, withWhatChanged } from './claim.ts';
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

  const keptSignals = workflow.keepSignal === undefined ? [] : keptWords({ ...project, run: name });
  const now = clockAtStop(read, project.now);
  const printed = fetched.checks.flatMap(({ proved }) => proved.said.printed);
  const context: RunContext = {
    ...{ project, stop, run, now, saved: read.saved, keptSignals },
    ...(printed.length > 0 && { printed }),
  };
  const seen = workflow.observe(context);
  if (seen === null) return { kind: 'not-ours' };
  const state = seen.stateHash;
  if (workflow.claims && fetched.pinned === null && mayBePinned(read, project))
    return { kind: 'pin', notes: read.proof, state };
  const found = withNotes(read, fetched);
  const review = reviewIn(found);
  const reviewed = withoutLimited(endedReview(found, seen), seen, project.now);
  const { ended, passed, sidecar, outcome, limit } = reviewed;
  const isPaused = workflow.pauses === true && waitsForPerson(sidecar, stopped);
  // Somebody edited the state while a check ran: what the agent said is looked at again, for the state as it is now.
  const looked = fetched.claim !== null && fetched.lookedIn !== state ? {} : fetched.facts;
  const known = {
    ...{ ...seen.facts, ...looked, ...outcome, ...factsOfProof(workflow, fetched, state) },
    ...(isPaused ? { waitsForPerson: true as const } : {}),
  };
  const { step, facts } = decideClaim(workflow, seen.state, known, sidecar, project, name);
  if (step.kind === 'look') return { kind: 'look', at: step.at, context, world: seen.world, state };

  const isUnapplied = fetched.ended !== null && ended === null && review !== null && limit === null;
  const { claim, pinned } = fetched;
  const unapplied = isUnapplied ? whyUnapplied(review.file, seen.unreadable) : null;
  const asides = [unapplied, pinned?.notice ?? null, claim?.said.aside ?? null];
  const said = claim?.said ?? fetched.until?.proved.said ?? null;
  // A hold, a review or checks are not asked for while something else is waited for.
  const wait =
    step.kind === 'allow' ? waitBesideAllow(stopped, sidecar) : askWait(stopped, sidecar, step.kind);
  const waited = withWait(sidecar, wait.answer, project.now);
  const noted = found !== read || waited !== sidecar;
  const isOver = step.kind === 'allow' && step.over !== undefined;
  const decided: Decided = {
    ...{ workflow, context, seen, facts, ended, passed, said, noted },
    wait: wait.question === null && fetched.waited !== null ? fetched.waited : wait,
    sidecar: waited,
    asides: [...asides, wait.asks && questionNotice(wait.asks, isOver ? name : null)],
  };
  if (step.kind === 'allow') return answerStep(decided, step, UNCOUNTED);
  if (wait.answer.kind === 'waits') return allowWaiting(decided, step, limit);
  if (step.kind === 'prove') {
    if (unfinished === undefined) return { kind: 'prove', step, notes: sidecar.proof, state };
    const notice = notices.checkUnderWay(name);
    return allowUnstepped(decided, step, UNCOUNTED, { notice, unstepped: 'under-way' });
  }
  if (step.kind === 'hold' && isRefusedTooOften(claim?.proof)) return letGoRefused(decided, step);
  // A hold or a review is coming: the guard has its say before anything is spent.
  const guard = askGuard(
    workflow,
    stopped,
    waited,
    { stateHash: state, artifacts: workflow.artifacts(seen.world, context) },
    { since: (marker) => activityOf(stop, marker), awaited: fetched.awaited },
  );
  if (guard.kind === 'wait-for-tools') return { ...guard, state };
  if (guard.kind === 'release') return letGo(decided, step, guard);
  if (step.kind === 'hold') return answerStep(decided, step, guard);
  if (review !== null && review.status !== 'done') {
    const notice = notices.reviewUnderWay(review.file);
    return allowUnstepped(decided, step, guard, { notice, unstepped: 'under-way' });
  }
  if (fetched.ended !== null) return allowUnstepped(decided, step, guard, { unstepped: 'just-ended' });
  const time = timeForReview(stop, project);
  if (time.kind !== 'until') return allowUnreviewed(decided, step, guard, time.kind);
  if (workflow.reviewCall === undefined) throw new Error(`${workflow.name} asks for a review and has none`);
  const call = withWhatChanged(workflow.reviewCall(step.review, seen.world, context, facts), fetched);
  const { session } = stop;
  const { deadline } = time;
  return {
    kind: 'review',
    begin: { sidecar: waited, request: step.review, of: seen, session, deadline, passed },
    ...{ call, wait, state },
  };
}

/** A review ran in this stop, but somebody moved the state meanwhile: the edit stands. */
function whyUnapplied(file: string, unreadable: true | undefined): string {
  return unreadable ? notices.verdictWaits(file) : notices.editedDuringReview(file);
}

// One turn at a stop, under the lock: observe, decide, guard, commit. It ends in an answer, or in the one
// thing that must be fetched outside the lock before the next turn can decide.

import { clientNamed } from '../../clients/index.ts';
import type { Answer } from '../../clients/stop.ts';
import { fingerprint } from '../../store/fingerprint.ts';
import type { Json, JsonObject } from '../../store/json.ts';
import { forgetWords, keptWords } from '../../store/kept.ts';
import type { HeldLock } from '../../store/lock.ts';
import type { Attempt, Sidecar } from '../../store/records.ts';
import { readSidecar, writeSidecar } from '../../store/sidecars.ts';
import { beginReview, isSpent, removeAttemptFiles } from '../work/attempt.ts';
import { commitStep, failuresIn, lastFailureIn } from './commit.ts';
import { activityOf, type Consulted, consultGuard, memoryOf } from '../guard/progress.ts';
import { notices } from './notices.ts';
import type { Project } from '../project.ts';
import { reviewTime } from '../work/time-left.ts';
import type { Message, ReviewOutcome, Step } from '../step.ts';
import { isServed, runName, type Visit } from '../visit.ts';
import type { Observation, ReviewCall, Scene, Workflow } from '../workflow.ts';

/** What earlier turns of this stop have fetched. */
export type Learned<Facts> = {
  facts: Partial<Facts>;
  /** A transcript that lags behind had its time to catch up. */
  awaited: boolean;
  /** The owner of an unfinished attempt lives: no second review beside it. */
  attemptBusy: boolean;
  /** The attempt of a review that ran in this stop, with its verdict: there is never a second one. */
  ended: Attempt | null;
  /** For the user, beside whatever the answer says. */
  aside: string | null;
  /** Fingerprint of the state as the first turn found it. */
  state: string | null;
};

export type Turn<World> =
  | { kind: 'not-ours' }
  | { kind: 'answered'; served: Served }
  /** What the attempt of a hook that died left behind comes first. */
  | { kind: 'recover'; attempt: Attempt }
  | { kind: 'look'; at: string; scene: Scene; world: World }
  | { kind: 'await-tools'; since: string | null }
  | { kind: 'review'; attempt: Attempt; held: HeldLock; call: ReviewCall };

/** Why a review that is due was not started. */
type Unstepped = 'under-way' | 'no-time' | 'no-time-left' | 'just-ended';

/** How a run was served, with everything that `why` and `replay` need. */
export type Served = {
  answer: Answer;
  /** Ends the stop for all runs of the session. */
  quiet: boolean;
  /** The session can forget the run. */
  over: boolean;
  /** Why a review of this stop had no verdict, in one line for standard error. */
  complaint: string | null;
  record: {
    workflow: string;
    run: string;
    state: Json;
    facts: Json;
    guard: Json;
    step: Json;
    unstepped?: Unstepped;
  };
};

export function takeTurn<W, S extends Json, F extends JsonObject, C extends Json>(
  workflow: Workflow<W, S, F, C>,
  visit: Visit,
  learned: Learned<F>,
  listenForEnd: () => void,
): Turn<W> {
  const notes = readSidecar(visit.project.root, runName(workflow.name, visit.run));
  const found = asItStands(visit.project, notes, learned);
  if (!isServed(found, visit.stop)) return { kind: 'not-ours' };
  const unfinished = found.attempt?.status === 'done' ? null : found.attempt;
  if (unfinished !== null && !learned.attemptBusy) return { kind: 'recover', attempt: unfinished };

  const scene: Scene = { ...visit, own: found.own, kept: keptFor(workflow, visit) };
  const seen = workflow.observe(scene);
  if (seen === null) return { kind: 'not-ours' };
  learned.state ??= seen.stateHash;
  const ended = reviewOf(found, seen);
  learned.aside ??= unapplied(found, seen, ended, learned);
  const isPassed = ended === null && seen.unreadable !== true;
  const sidecar = isPassed ? withoutPassedReview(visit.project, found) : found;
  const noVerdict = ended === null ? lastFailureIn(sidecar, seen.stateHash) : ended.cause;
  const outcome: ReviewOutcome = {
    verdict: ended?.verdict ?? null,
    failedReviews: failuresIn(sidecar, seen.stateHash),
    ...(noVerdict === undefined ? {} : { noVerdict }),
    ...(ended === null ? {} : { reviewNumber: ended.number, reviewModel: ended.model }),
  };
  const facts = { ...seen.facts, ...learned.facts, ...outcome };
  const step = workflow.decide(seen.state, facts);
  if (step.kind === 'look') return { kind: 'look', at: step.at, scene, world: seen.world };

  const moment = { workflow, scene, sidecar, seen, facts, ended, aside: learned.aside };
  if (step.kind === 'allow') return answerWith(moment, step, { kind: 'uncounted' });
  // A hold or a review is coming: the guard has its say before anything is spent.
  const artifacts = workflow.artifacts(seen.world, scene);
  const guard = consultGuard(
    workflow,
    visit,
    sidecar,
    { stateHash: seen.stateHash, artifacts },
    { since: (marker) => activityOf(visit.stop, marker), awaited: learned.awaited },
  );
  if (guard.kind === 'await-tools') return guard;
  if (guard.kind === 'weighed' && guard.weighed.kind === 'release')
    return letGo(moment, step, guard, guard.weighed.first);
  if (step.kind === 'hold') return answerWith(moment, step, guard);
  if (unfinished !== null)
    return allowUnstepped(moment, step, guard, notices.reviewUnderWay(unfinished.file), 'under-way');
  if (learned.ended !== null) return allowUnstepped(moment, step, guard, null, 'just-ended');
  const time = reviewTime(visit.stop, visit.project);
  if (time.kind !== 'until') return allowUnreviewed(moment, step, guard, time.kind);
  const call = workflow.reviewCall(step.review, seen.world, scene, facts);
  listenForEnd();
  const begun = beginReview(visit.project, sidecar, step.review, seen, visit.stop.session, time.deadline);
  return { kind: 'review', ...begun, call };
}

type Moment<W, S extends Json, F extends JsonObject, C extends Json> = {
  workflow: Workflow<W, S, F, C>;
  scene: Scene;
  sidecar: Sidecar;
  seen: Observation<W, S, F>;
  facts: Json;
  ended: Attempt | null;
  /** For the user, beside whatever the answer says. */
  aside: string | null;
};

/** What earlier stops could only keep beside the sidecar. */
function keptFor<W, S extends Json, F extends JsonObject, C extends Json>(
  { name, remember }: Workflow<W, S, F, C>,
  { project, run }: Visit,
): readonly string[] {
  return remember === undefined ? [] : keptWords({ ...project, run: runName(name, run) });
}

/** With what only we know of a review that just ended here, and without one whose verdict was applied. */
function asItStands(project: Project, sidecar: Sidecar, { ended }: Learned<unknown>): Sidecar {
  const { attempt } = sidecar;
  if (attempt === null) return sidecar;
  if (attempt.id === ended?.id) return { ...sidecar, attempt: ended };
  return isSpent(project, attempt) ? { ...sidecar, attempt: null } : sidecar;
}

/**
 * The finished review this state was waiting for. Edited since, it still is when the edit left alone what the verdict
 * speaks of: the next commit changes the edited state, so both stand.
 */
function reviewOf({ attempt }: Sidecar, seen: { stateHash: string; subject?: string }): Attempt | null {
  if (attempt?.status !== 'done') return null;
  const isOfThis = attempt.before === seen.stateHash;
  const isOfItsSubject = attempt.subject !== undefined && attempt.subject === seen.subject;
  return isOfThis || isOfItsSubject ? attempt : null;
}

/**
 * A verdict on another state than the one that stands: applied already, or overtaken by somebody's edit. It goes at
 * once, for the same state may come back some day, and then it would pass for a review of other work.
 */
function withoutPassedReview(project: Project, sidecar: Sidecar): Sidecar {
  const { attempt } = sidecar;
  if (attempt?.status !== 'done') return sidecar;
  const without = { ...sidecar, attempt: null };
  writeSidecar(project.root, without);
  removeAttemptFiles(project, attempt);
  return without;
}

/** A review ran in this stop, but somebody moved the state meanwhile: the edit stands. */
function unapplied(
  { attempt }: Sidecar,
  { unreadable }: { unreadable?: true },
  ended: Attempt | null,
  learned: Learned<unknown>,
): string | null {
  if (learned.ended === null || ended !== null || attempt === null) return null;
  return unreadable ? notices.verdictWaits(attempt.file) : notices.editedDuringReview(attempt.file);
}

/** There is no time for a review. The same stop comes again, so this is said once per session and change. */
function allowUnreviewed<W, S extends Json, F extends JsonObject, C extends Json>(
  moment: Moment<W, S, F, C>,
  step: Step<C>,
  guard: Consulted,
  time: 'never' | 'used-up',
): Turn<W> {
  const { workflow, sidecar, seen } = moment;
  const { stop, run, project } = moment.scene;
  const { session } = stop;
  const memory = session === null ? null : memoryOf(sidecar, session);
  const cause = time === 'never' ? 'no-time' : 'no-time-left';
  const told = noticeToken({ name: cause, slots: {} }, seen.stateHash);
  if (memory?.told === told) return allowUnstepped(moment, step, guard, null, cause);
  if (session !== null && memory !== null)
    commitStep(project, {
      sidecar,
      stateHash: seen.stateHash,
      commit: null,
      memory: { session, memory: { ...memory, told } },
      held: false,
      applied: null,
    });
  const { title } = clientNamed(stop.client);
  const ours = runName(workflow.name, run);
  const notice =
    time === 'never'
      ? notices.noTimeForReview(title, stop.limitS ?? 0, ours, project.cli)
      : notices.noTimeLeftForReview(ours);
  return allowUnstepped(moment, step, guard, notice, cause);
}

function answerWith<W, S extends Json, F extends JsonObject, C extends Json>(
  moment: Moment<W, S, F, C>,
  step: Extract<Step<C>, { kind: 'allow' | 'hold' }>,
  guard: Consulted,
): Turn<W> {
  const { workflow, scene, sidecar, seen, ended } = moment;
  const { session } = scene.stop;
  const held = step.kind === 'hold';
  const counted = guard.kind === 'weighed' ? guard.weighed.memory : null;
  const memory = session === null ? null : (counted ?? memoryOf(sidecar, session));
  const token = step.notice === null ? null : noticeToken(step.notice, seen.stateHash);
  // The same notice is given once per session and change; a person who fires the hook by hand sees each.
  const repeated = token !== null && memory !== null && step.change === null && memory.told === token;
  const notice = step.notice === null || repeated ? null : workflow.say(step.notice, seen.world, scene);
  const told = memory !== null && notice !== null ? { ...memory, told: token } : counted;
  const commit = step.change === null ? null : workflow.commit(step.change, seen.world, scene);
  const reason = held ? workflow.say(step.message, seen.world, scene) : '';
  commitStep(scene.project, {
    sidecar,
    stateHash: seen.stateHash,
    commit,
    memory: told === null || session === null ? null : { session, memory: told },
    held,
    applied: ended,
  });
  if (commit !== null && workflow.remember !== undefined)
    forgetWords({ ...scene.project, run: runName(workflow.name, scene.run) });
  const answer: Answer = held
    ? { kind: 'hold', reason, notice }
    : { kind: 'allow', notice, suppressOutput: step.suppressOutput === true };
  return answered(moment, step, guard, answer);
}

/** The guard lets go: nothing is stepped or spent, and the user is told once what is outstanding. */
function letGo<W, S extends Json, F extends JsonObject, C extends Json>(
  moment: Moment<W, S, F, C>,
  step: Step<C>,
  guard: Consulted,
  first: boolean,
): Turn<W> {
  const { workflow, scene, sidecar, seen } = moment;
  const { session } = scene.stop;
  if (!first || session === null || guard.kind !== 'weighed') {
    // Not applied, but paid for: the state may yet be the one it speaks of at a later stop.
    if (moment.ended !== null) writeSidecar(scene.project.root, sidecar);
    return allowUnstepped(moment, step, guard, null);
  }
  const notice = workflow.say(workflow.released(seen.state, scene), seen.world, scene);
  const memory = { session, memory: guard.weighed.memory };
  commitStep(scene.project, {
    sidecar,
    stateHash: seen.stateHash,
    commit: null,
    memory,
    held: false,
    applied: null,
  });
  return allowUnstepped(moment, step, guard, notice);
}

function allowUnstepped<W, S extends Json, F extends JsonObject, C extends Json>(
  moment: Moment<W, S, F, C>,
  step: Step<C>,
  guard: Consulted,
  notice: string | null,
  unstepped: Unstepped | null = null,
): Turn<W> {
  return answered(moment, step, guard, { kind: 'allow', notice, suppressOutput: false }, unstepped);
}

function answered<W, S extends Json, F extends JsonObject, C extends Json>(
  { workflow, scene, seen, facts, aside }: Moment<W, S, F, C>,
  step: Step<C>,
  guard: Consulted,
  plain: Answer,
  unstepped: Unstepped | null = null,
): Turn<W> {
  const answer = aside === null ? plain : { ...plain, notice: [aside, plain.notice ?? []].flat().join('\n') };
  const record = {
    workflow: workflow.name,
    run: scene.run,
    state: seen.state,
    facts,
    guard: guardRecord(guard),
    step,
    ...(unstepped === null ? {} : { unstepped }),
  };
  const allowed = step.kind === 'allow';
  const served = {
    answer,
    quiet: allowed && step.quiet === true,
    over: allowed && step.over === true,
    complaint: null,
    record,
  };
  return { kind: 'answered', served };
}

function guardRecord(guard: Consulted): Json {
  if (guard.kind !== 'weighed') return null;
  return { memory: guard.memory, movement: guard.movement, limits: guard.limits, result: guard.weighed.kind };
}

function noticeToken(notice: Message, stateHash: string): string {
  return fingerprint(`${JSON.stringify(notice)} ${stateHash}`);
}

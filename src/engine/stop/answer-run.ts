// The ways a run can answer once its step is known: as decided, let go by the guard, or without taking the step. Each
// says what is to be written; nothing is written here.

import { clientNamed } from '../../clients/index.ts';
import type { Answer } from '../../clients/stop.ts';
import { fingerprint } from '../../store/fingerprint.ts';
import type { Json, JsonObject } from '../../store/json.ts';
import type { ReviewAttempt, GuardMemory, Sidecar } from '../../store/records.ts';
import { type RunContext, runName } from '../context.ts';
import { rowAtLimit } from '../guard/guard.ts';
import { type GuardResult, memoryOf } from '../guard/progress.ts';
import type { Message, Step } from '../step.ts';
import type { AnyWorkflow, Observation } from '../workflow.ts';
import type { ToCommit } from './commit.ts';
import { countOfHolds, notices } from './notices.ts';
import type { Turn, Unstepped } from './turn.ts';

/** All that is known when a step was decided. */
export type Decided = {
  workflow: AnyWorkflow;
  context: RunContext;
  sidecar: Sidecar;
  seen: Observation<unknown, Json, JsonObject>;
  facts: JsonObject;
  /** The finished review this state was waiting for. */
  ended: ReviewAttempt | null;
  /** One that speaks of another state. */
  passed: ReviewAttempt | null;
  /** For the user, beside whatever the answer says. */
  aside: string | null;
};

type AnyStep = Step<Json>;

export function answerStep(
  decided: Decided,
  step: Extract<AnyStep, { kind: 'allow' | 'hold' }>,
  guard: GuardResult,
): Turn {
  const { workflow, context, sidecar, seen, ended } = decided;
  const { session } = context.stop;
  const held = step.kind === 'hold';
  const counted = guard.kind === 'hold' ? guard.memory : null;
  const memory = session === null ? null : (counted ?? memoryOf(sidecar, session));
  const token = step.notice === null ? null : noticeToken(step.notice, seen.stateHash);
  // The same notice is shown once per session and change; a person who fires the hook by hand sees each.
  const repeated = token !== null && memory !== null && step.change === null && memory.notified === token;
  const notice = step.notice === null || repeated ? null : workflow.say(step.notice, seen.world, context);
  const remembered = memory !== null && notice !== null ? { ...memory, notified: token } : counted;
  const commit = step.change === null ? null : workflow.commit(step.change, seen.world, context);
  const answer: Answer = held
    ? { kind: 'hold', reason: workflow.say(step.message, seen.world, context), notice }
    : { kind: 'allow', notice, suppressOutput: step.suppressOutput === true };
  const writes = {
    ...nothingWritten(decided),
    commit,
    memory: ofSession(session, remembered),
    held,
    applied: ended,
  };
  return answered(decided, step, guard, { answer, writes });
}

/** The guard lets go: nothing is stepped or spent, and one notice says what is outstanding. */
export function letGo(
  decided: Decided,
  step: AnyStep,
  guard: Extract<GuardResult, { kind: 'release' }>,
): Turn {
  const { workflow, context, seen, ended } = decided;
  // Not applied, but paid for: the state may yet be the one it speaks of at a later stop.
  if (!guard.first) return allowUnstepped(decided, step, guard, { keepsVerdict: ended !== null });
  const { memory, movement, limits } = guard.asked;
  const { holds } = rowAtLimit(memory, movement, limits);
  const notice = workflow.say(
    workflow.released(seen.state, context, countOfHolds(holds)),
    seen.world,
    context,
  );
  return allowUnstepped(decided, step, guard, { notice, memory: guard.memory });
}

/** There is no time for a review. The same stop comes again, so this is said once per session and change. */
export function allowUnreviewed(
  decided: Decided,
  step: AnyStep,
  guard: GuardResult,
  time: 'never' | 'used-up',
): Turn {
  const { workflow, context, sidecar, seen } = decided;
  const { stop, run, project } = context;
  const unstepped = time === 'never' ? 'no-time' : 'no-time-left';
  const memory = stop.session === null ? null : memoryOf(sidecar, stop.session);
  const notified = noticeToken({ name: unstepped, slots: {} }, seen.stateHash);
  if (memory?.notified === notified) return allowUnstepped(decided, step, guard, { unstepped });
  const { title } = clientNamed(stop.client);
  const name = runName(workflow.name, run);
  const notice =
    time === 'never'
      ? notices.noTimeForReview(title, stop.limitS ?? 0, name, project.cli)
      : notices.noTimeLeftForReview(name);
  const remembered = memory === null ? null : { ...memory, notified };
  return allowUnstepped(decided, step, guard, { notice, memory: remembered, unstepped });
}

type WithoutStep = {
  notice?: string;
  unstepped?: Unstepped;
  memory?: GuardMemory | null;
  keepsVerdict?: boolean;
};

export function allowUnstepped(
  decided: Decided,
  step: AnyStep,
  guard: GuardResult,
  { notice, unstepped, memory, keepsVerdict }: WithoutStep,
): Turn {
  const writes: ToCommit = {
    ...nothingWritten(decided),
    memory: ofSession(decided.context.stop.session, memory ?? null),
    ...(keepsVerdict ? { keepsVerdict } : {}),
  };
  const answer: Answer = { kind: 'allow', notice: notice ?? null, suppressOutput: false };
  return answered(decided, step, guard, { answer, writes, ...(unstepped && { unstepped }) });
}

function answered(
  { workflow, context, seen, facts, aside }: Decided,
  step: AnyStep,
  guard: GuardResult,
  { answer: plain, writes, unstepped }: { answer: Answer; writes: ToCommit; unstepped?: Unstepped },
): Turn {
  const answer = aside === null ? plain : { ...plain, notice: [aside, plain.notice ?? []].flat().join('\n') };
  const record = {
    workflow: workflow.name,
    run: context.run,
    state: seen.state,
    facts,
    guard: guardRecord(guard),
    step,
    ...(unstepped && { unstepped }),
  };
  const isAllowed = step.kind === 'allow';
  const quiet = isAllowed && step.quiet === true;
  const over = (isAllowed && step.over) || null;
  // What was kept for the run is in its state now.
  const forgetSignals = writes.commit !== null && workflow.keepSignal !== undefined;
  return {
    kind: 'answer',
    served: { answer, quiet, over, record },
    writes,
    forgetSignals,
    state: seen.stateHash,
  };
}

function nothingWritten({ sidecar, seen, passed }: Decided): ToCommit {
  const { stateHash } = seen;
  return { sidecar, stateHash, commit: null, memory: null, held: false, applied: null, passed };
}

function ofSession(session: string | null, memory: GuardMemory | null): ToCommit['memory'] {
  return session === null || memory === null ? null : { session, memory };
}

function guardRecord(guard: GuardResult): Json {
  if (guard.kind !== 'hold' && guard.kind !== 'release') return null;
  const { memory, movement, limits } = guard.asked;
  return { memory, movement, limits, result: guard.kind };
}

function noticeToken(notice: Message, stateHash: string): string {
  return fingerprint(`${JSON.stringify(notice)} ${stateHash}`);
}

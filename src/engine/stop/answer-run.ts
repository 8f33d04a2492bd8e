// The ways a run can answer once its step is known: as decided, let go by the guard, or without taking the step. Each
// says what is to be written; nothing is written here.

import { clientNamed } from '../../clients/index.ts';
import type { Answer } from '../../clients/stop.ts';
import { fingerprint } from '../../store/fingerprint.ts';
import type { Json, JsonObject } from '../../store/json.ts';
import type { GuardMemory, ReviewAttempt, Sidecar, Waiting } from '../../store/records.ts';
import type { AskedBudget, BudgetAtStop } from '../budget/at-stop.ts';
import { isHandFired, type RunContext, runName } from '../context.ts';
import { rowAtLimit } from '../guard/guard.ts';
import { type GuardResult, memoryOf, UNCOUNTED } from '../guard/progress.ts';
import type { Said } from '../proof/prove.ts';
import type { EngineFacts, Message, Outcome, Step } from '../step.ts';
import { type AskedWait, capAt, pauseAt, waitRecord } from '../waiting/at-stop.ts';
import { type StepTaken, waitChange, waitsAfter } from '../waiting/on-record.ts';
import { type AroundHold, answeredLine, lastLines, reviewerNotice } from '../waiting/words.ts';
import type { AnyWorkflow, Commit, Observation } from '../workflow.ts';
import { factsToRecord } from './claim.ts';
import { type HoldsLeft, lastHoldLine } from './client-cap.ts';
import type { ToCommit } from './commit.ts';
import { countOfHolds, notices } from './notices.ts';
import { settling } from './settle-budget.ts';
import type { Turn, Unstepped } from './turn.ts';
import { wordHold } from './word-hold.ts';

/** All that is known when a step was decided. */
export type Decided = {
  workflow: AnyWorkflow;
  context: RunContext;
  sidecar: Sidecar;
  seen: Observation<unknown, Json, JsonObject>;
  facts: JsonObject & EngineFacts;
  /** The finished review this state was waiting for. */
  ended: ReviewAttempt | null;
  /** One that speaks of another state. */
  passed: ReviewAttempt | null;
  /** For the user, beside whatever the answer says. */
  asides: readonly (string | null)[];
  /** What is to be said about a claim that was made at this stop. */
  said: Said | null;
  /** What the run waited for up to this stop. */
  waitedFor: Waiting | undefined;
  /** The sidecar has notes on proof, or on a wait, that are not written yet. */
  noted: boolean;
  wait: AskedWait;
  budget: BudgetAtStop | null;
};

export type AnyStep = Step<Json>;

/** `spent`: what the run's budget said of it; null: it has none, or was not asked. */
export function answerStep(
  decided: Decided,
  step: Extract<AnyStep, { kind: 'allow' | 'hold' }>,
  guard: GuardResult,
  spent: AskedBudget | null = null,
): Turn {
  const { workflow, context, sidecar, seen, facts, said } = decided;
  const { session } = context.stop;
  const held = step.kind === 'hold';
  // What a refused claim comes to, the agent is told.
  const closing = held && facts.proof?.claim === 'refused' ? null : said?.closing;
  const counted = guard.kind === 'hold' ? guard.memory : null;
  const memory = session === null ? null : (counted ?? memoryOf(sidecar, session));
  const token = noticeToken(step.notice, decided);
  // First, since what is said may be about what is written.
  const commit = step.change === null ? null : workflow.commit(step.change, seen.world, context);
  // The same notice is shown once per session and change; a person who fires the hook by hand sees each.
  const repeated = token !== null && memory !== null && step.change === null && memory.notified === token;
  const notice = repeated
    ? null
    : joined(
        '\n',
        step.notice && workflow.say(step.notice, seen.world, context),
        closing ?? whatProvedNothing(decided, step),
      );
  const remembered = memory !== null && notice !== null ? { ...memory, notified: token } : counted;
  const worded = step.kind === 'hold' ? wordHold(step.message, decided, guard) : null;
  const suppressOutput = step.kind === 'allow' && step.suppressOutput === true;
  const answer: Answer =
    worded === null
      ? { kind: 'allow', notice, suppressOutput }
      : { kind: 'hold', reason: reasonOf(worded.text, decided, guard), notice, ...formOf(context) };
  const writes = {
    ...nothingWritten(decided),
    ...(pausesAt(step) ? { noted: true as const } : {}),
    sidecar: {
      ...sidecar,
      ...pauseOf(step, notice, decided),
      ...(worded && { given: worded.given }),
      waits: waitsAfter(sidecar.waits, stepTaken(decided, commit, held, guard)),
    },
    commit,
    memory: ofSession(session, remembered),
    held,
    applied: decided.ended,
  };
  const asides = [...decided.asides, commit?.notice ?? null];
  const ended = repeated ? null : endOf(step);
  return answered({ ...decided, asides }, step, guard, { answer, writes, ended, spent });
}

/** A run that could have checks and has none; said to the person whose session it was. */
function whatProvedNothing({ workflow, context, facts }: Decided, step: AnyStep): string | null {
  const { project, stop, run } = context;
  const isDone = step.kind === 'allow' && step.change !== null && step.over === 'completed';
  if (!isDone || !workflow.claims || isHandFired(stop) || project.config.checks.length > 0) return null;
  return facts.proof?.worth === 'unasked'
    ? notices.nothingProved(runName(workflow.name, run), project.cli)
    : null;
}

const pausesAt = (step: AnyStep): boolean => step.kind === 'allow' && step.awaits === 'person';

/** A person is shown whose turn it is by the notice. */
function pauseOf(step: AnyStep, notice: string | null, { context, sidecar }: Decided): Partial<Sidecar> {
  return pausesAt(step) ? { waiting: pauseAt(context, sidecar, notice) } : {};
}

/** The workflow's own text, with what the engine has to say around it. */
function reasonOf(own: string, decided: Decided, guard: GuardResult): string {
  const { context, said, wait } = decided;
  const { stop, project } = context;
  const around: AroundHold = {
    tasks: stop.backgroundTasks,
    leavesRunning: guard.kind === 'hold' ? guard.leavesRunning : undefined,
    ask: project.config.ask,
    cli: project.cli,
  };
  const answered = wait.answered && !wait.answered.pause ? answeredLine(wait.answered) : null;
  const last = lastHoldLine(context);
  return joined('\n\n', answered, said?.hold, own, last, lastLines(around)) ?? '';
}

/** Fired by hand it is a block, as the specifications have it. */
export function formOf({ project, stop }: RunContext): { as?: 'feedback' } {
  return project.config.holdAs === 'block' || isHandFired(stop) ? {} : { as: 'feedback' };
}

function stepTaken(decided: Decided, commit: Commit | null, held: boolean, guard: GuardResult): StepTaken {
  const moves = commit !== null && commit.stateHash !== decided.seen.stateHash;
  const movement = guard.kind === 'hold' ? guard.asked.movement : null;
  return { moves, held, movement, answered: decided.wait.answered };
}

/** Something else comes first: nothing is stepped or counted, and the stop is quiet for all runs. */
export function allowWaiting(decided: Decided, step: AnyStep, limit: Waiting | null): Turn {
  const { context, ended, workflow, wait } = decided;
  const shown = wait.asks === null ? null : wait.answer.waiting;
  return allowUnstepped(decided, step, UNCOUNTED, {
    ...(limit && { notice: reviewerNotice(limit, runName(workflow.name, context.run)) }),
    keepsVerdict: ended !== null,
    quiet: true,
    ...(shown && { shown }),
    ...(step.kind === 'prove' && { keepsSignal: true }),
  });
}

/** A step that changes nothing found the run ended: by hand, by a command, by an earlier stop. */
function endOf(step: Extract<AnyStep, { kind: 'allow' | 'hold' }>): Outcome | null {
  if (step.kind === 'hold') return null;
  if (step.completed) return 'completed';
  return (step.change !== null && step.over) || null;
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
  return allowUnstepped(decided, step, guard, { notice, memory: guard.memory, ended: 'released' });
}

/** The client would not honour the hold: nothing is stepped or counted, and the next prompt takes it up. */
export function awaitPrompt(decided: Decided, step: AnyStep, left: HoldsLeft): Turn {
  const { workflow, context, sidecar, ended } = decided;
  const notice = notices.clientCap(left, runName(workflow.name, context.run));
  const waiting = capAt(context, notice);
  return allowUnstepped({ ...decided, sidecar: { ...sidecar, waiting }, noted: true }, step, UNCOUNTED, {
    ...{ notice, unstepped: 'client-cap' },
    keepsVerdict: ended !== null,
    quiet: true,
  });
}

/** The checks refused too many claims in a row: the session is let go and forgets the run, whatever moved. */
export function letGoRefused(decided: Decided, step: AnyStep): Turn {
  const notice = decided.said?.closing ?? '';
  return allowUnstepped(decided, step, UNCOUNTED, { notice, over: 'released', ended: 'released' });
}

/** There is no time for a review. The same stop comes again, so this is said once per session and change. */
export function allowUnreviewed(
  decided: Decided,
  step: AnyStep,
  guard: GuardResult,
  time: 'never' | 'used-up',
): Turn {
  const { workflow, context, sidecar } = decided;
  const { stop, run, project } = context;
  const unstepped = time === 'never' ? 'no-time' : 'no-time-left';
  const memory = stop.session === null ? null : memoryOf(sidecar, stop.session);
  const notified = noticeToken({ name: unstepped, slots: {} }, decided);
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
  over?: Outcome;
  ended?: Outcome;
  spent?: AskedBudget;
} & Waited;

type Waited = { quiet?: true; shown?: Waiting; keepsSignal?: true };

export function allowUnstepped(
  decided: Decided,
  step: AnyStep,
  guard: GuardResult,
  { notice, unstepped, memory, keepsVerdict, over, ended, spent, ...waited }: WithoutStep,
): Turn {
  const writes: ToCommit = {
    ...nothingWritten(decided),
    memory: ofSession(decided.context.stop.session, memory ?? null),
    ...(keepsVerdict ? { keepsVerdict } : {}),
  };
  const answer: Answer = { kind: 'allow', notice: notice ?? null, suppressOutput: false };
  const unfinished = { ...(unstepped && { unstepped }), ...(over && { over }) };
  return answered(decided, step, guard, {
    ...{ answer, writes, ended: ended ?? null, spent: spent ?? null },
    ...unfinished,
    ...waited,
  });
}

type Answering = {
  answer: Answer;
  writes: ToCommit;
  ended: Outcome | null;
  spent: AskedBudget | null;
  unstepped?: Unstepped;
  over?: Outcome;
} & Waited;

export function answered(
  decided: Decided,
  step: AnyStep,
  guard: GuardResult,
  { answer: plain, writes, unstepped, ended, over: letGo, quiet: isQuiet, spent, ...waited }: Answering,
): Turn {
  const { workflow, context, seen, facts, asides, wait } = decided;
  const answer = { ...plain, notice: joined('\n', ...asides, plain.notice) };
  const record = {
    workflow: workflow.name,
    run: context.run,
    state: seen.state,
    facts: factsToRecord(facts, step),
    guard: guardRecord(guard),
    step,
    ...(unstepped && { unstepped }),
    ...(wait.question && { waiting: waitRecord(wait) }),
    ...(spent && { budget: spent.record }),
  };
  const isAllowed = step.kind === 'allow';
  const quiet = isQuiet ?? (isAllowed && step.quiet === true);
  const over = letGo ?? ((isAllowed && step.over) || null);
  // What was kept for the run is in its state now.
  const forgetSignals = writes.commit !== null && workflow.keepSignal !== undefined;
  const written = over === null ? writes : waitingForNothing(writes);
  const waits = waitChange(decided.waitedFor, written.sidecar.waiting);
  return {
    kind: 'answer',
    served: {
      ...{ answer, quiet, over, ended, record, task: decided.sidecar.task, ...waited },
      ...(wait.answered && { answered: wait.answered }),
      ...(decided.sidecar.committed === null && { first: true as const }),
      ...(waits.length > 0 && { waits }),
    },
    writes: written,
    forgetSignals,
    state: seen.stateHash,
    ...settling(decided, step, answer, spent),
  };
}

/** A run that is over. */
function waitingForNothing(writes: ToCommit): ToCommit {
  const { sidecar } = writes;
  if (sidecar.waiting === undefined) return writes;
  return { ...writes, sidecar: { ...sidecar, waiting: undefined }, noted: true };
}

export function nothingWritten({ sidecar, seen, passed, noted }: Decided): ToCommit {
  const { stateHash } = seen;
  const nothing = { commit: null, memory: null, held: false, applied: null };
  return { sidecar, stateHash, ...nothing, passed, ...(noted ? { noted } : {}) };
}

export function ofSession(session: string | null, memory: GuardMemory | null): ToCommit['memory'] {
  return session === null || memory === null ? null : { session, memory };
}

function guardRecord(guard: GuardResult): Json {
  if (guard.kind !== 'hold' && guard.kind !== 'release') return null;
  const { memory, movement, limits } = guard.asked;
  return { memory, movement, limits, result: guard.kind };
}

/** Null: there is nothing to show. What a claim is worth is part of it: the same notice with another worth is news. */
function noticeToken(notice: Message | null, { seen, facts, said }: Decided): string | null {
  const proof = said?.closing ? ` ${facts.proof?.worth} ${facts.proof?.why}` : '';
  if (notice === null && proof === '') return null;
  return fingerprint(`${JSON.stringify(notice)} ${seen.stateHash}${proof}`);
}

function joined(between: string, ...parts: readonly (string | null | undefined)[]): string | null {
  const there = parts.filter((part) => typeof part === 'string');
  return there.length === 0 ? null : there.join(between);
}

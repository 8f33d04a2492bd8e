// What a stop means for the loop. Pure: the clock, the signal and the state come in as values. The order of
// the checks is that of docs/contracts/idle.md: idle, aborted, stale, signal, maximum, and only then one more iteration.
// A signal that says "done" is a claim: the engine's checks decide whether it stands.

import type { Message, Outcome, ProofFacts, Step } from '../../engine/step.ts';
import type { Reason } from './modes.ts';
import type { Change, Facts, Frame, Loop, State } from './types.ts';

export const STALE_AFTER_MS = 7200 * 1000;

type Known = Facts & ProofFacts;

export function decide(state: State, facts: Known): Step<Change> {
  switch (state.kind) {
    case 'nothing':
      // Somebody else took the loop away, or put another in its place.
      return { kind: 'allow', change: null, notice: null, over: 'cancelled' };
    case 'lost':
      return allow(notice('lost'));
    case 'unreadable':
      return allow(notice('unreadable'));
    case 'loop':
      return decideLoop(state, facts);
  }
}

export function isActive(state: State, now: number): state is Loop {
  return state.kind === 'loop' && state.event === 'STATE' && state.stack.length > 0 && !isStale(state, now);
}

/** `now` by the loop's own clock. In the future counts as fresh: clocks differ. */
export function isStale({ updatedAt }: Loop, now: number): boolean {
  return updatedAt === null || now - updatedAt > STALE_AFTER_MS;
}

function decideLoop(loop: Loop, facts: Known): Step<Change> {
  const top = loop.stack.at(-1);
  if (loop.event !== 'STATE' || top === undefined)
    return { kind: 'allow', change: null, notice: null, over: howItEnded(loop) };
  if (!isSound(top))
    return end('stuck', { event: 'ABORT', reason: 'CORRUPTED', drop: 'all' }, facts, notice('corrupt'));
  if (isStale(loop, facts.now)) {
    if (loop.updatedAt !== null && facts.limited === null) return { kind: 'look', at: 'limit' };
    if (isStale(loop, facts.now - (facts.limited ?? 0))) return allow(notice('stale', standing(top)));
  }
  if (top.mode === 'unknown') return allow(notice('unknown-mode'));
  if (facts.signal === 'unread') return { kind: 'look', at: 'signal' };
  const { signal, untilCheck } = facts;
  if (signal !== 'none' && OUTCOMES[signal] !== 'completed') return complete(loop, facts, signal);
  // A loop that goes on until a check passes needs no signal, and none takes the place of its check.
  if (untilCheck !== null && facts.until === null) return { kind: 'prove', only: untilCheck };
  const isDone = untilCheck === null ? signal !== 'none' : facts.until?.claim === 'stands';
  if (isDone) return claim(loop, top, facts, signal === 'none' ? 'COMPLETE' : signal);
  const step = oneMore(loop, top, facts, untilCheck === null ? {} : { until: untilCheck });
  return signal === 'none' ? hintAt(facts.nearMiss, step) : step;
}

/** Done is what the checks say is done. A claim that they refuse is spent, like the iteration that it costs. */
function claim(loop: Loop, top: SoundFrame, facts: Known, reason: Reason): Step<Change> {
  if (facts.proof === null) return { kind: 'prove', ...(isInGrind(loop) ? { inner: true as const } : {}) };
  if (facts.proof.claim === 'stands') return complete(loop, facts, reason);
  return oneMore(loop, top, facts, { claim: 'refused' });
}

/** The grind that this frame works for ends when all is green; each of its issues need not wait for the others'. */
const isInGrind = ({ stack }: Loop): boolean => stack.slice(0, -1).some(({ mode }) => mode === 'grind');

function oneMore(loop: Loop, top: SoundFrame, facts: Facts, slots: Message['slots']): Step<Change> {
  if (top.iter >= top.max) return reachMaximum(loop, top, facts);
  const step = hold(loop.stack.length - 1, top, facts, 'none');
  return { ...step, message: { ...step.message, slots: { ...step.message.slots, ...slots } } };
}

/** Only an inner loop that reached its maximum leaves frames behind. */
function howItEnded({ event, stack }: Loop): Outcome {
  if (event === 'ABORT') return 'cancelled';
  return stack.length > 0 ? 'limit' : 'completed';
}

/** A frame whose counts can be trusted. */
type SoundFrame = Frame & { iter: number; max: number };

function isSound(frame: Frame): frame is SoundFrame {
  return frame.iter !== 'corrupt' && frame.max !== 'corrupt';
}

/** The top frame is done. The one below goes on at the next stop, or at once if it asked for that. */
function complete(loop: Loop, facts: Facts, reason: Reason): Step<Change> {
  const uncovered = loop.stack.at(-2);
  if (uncovered === undefined)
    return end(OUTCOMES[reason], { event: 'DONE', reason, drop: 'top' }, facts, null);
  if (uncovered.carryOn && canStep(uncovered)) return hold(loop.stack.length - 2, uncovered, facts, 'top');
  const change: Change = { event: 'STATE', reason: null, drop: 'top', step: false, seen: facts.seen };
  return { kind: 'allow', change, notice: null };
}

function canStep(frame: Frame): frame is SoundFrame {
  return isSound(frame) && frame.mode !== 'unknown' && frame.iter < frame.max;
}

/** The frames below stay in the message, so that `resume` can bring them back. */
function reachMaximum(loop: Loop, top: SoundFrame, facts: Facts): Step<Change> {
  const kept = loop.stack.length - 1;
  const said =
    kept === 0 ? notice('maximum', standing(top)) : notice('maximum-inner', { ...standing(top), kept });
  return end('limit', { event: 'DONE', reason: 'MAX_ITERATIONS', drop: 'top' }, facts, said);
}

function hold(position: number, frame: SoundFrame, facts: Facts, drop: 'none' | 'top'): Hold {
  const slots = { iteration: frame.iter + 1, max: frame.max, position };
  const change: Change = { event: 'STATE', reason: null, drop, step: true, seen: facts.seen };
  return { kind: 'hold', change, message: { name: 'continue', slots }, notice: null };
}

type Hold = Extract<Step<Change>, { kind: 'hold' }>;

/** An agent that meant to end the loop is shown why it did not. */
function hintAt(nearMiss: Facts['nearMiss'], step: Step<Change>): Step<Change> {
  if (nearMiss === 'none' || step.kind !== 'hold') return step;
  return { ...step, message: { ...step.message, slots: { ...step.message.slots, nearMiss } } };
}

const OUTCOMES: Readonly<Record<Reason, Outcome>> = {
  COMPLETE: 'completed',
  DONE: 'completed',
  NO_MORE_ISSUES: 'completed',
  STUCK: 'stuck',
  MAX_ITERATIONS: 'limit',
  MAX_ISSUES: 'limit',
};

function end(
  over: Outcome,
  what: Pick<Change, 'event' | 'reason' | 'drop'>,
  facts: Facts,
  said: Message | null,
): Step<Change> {
  return { kind: 'allow', change: { ...what, step: false, seen: facts.seen }, notice: said, over };
}

function allow(said: Message): Step<Change> {
  return { kind: 'allow', change: null, notice: said };
}

function notice(name: string, slots: Message['slots'] = {}): Message {
  return { name, slots };
}

function standing({ iter, max }: SoundFrame): Message['slots'] {
  return { iteration: iter, max };
}

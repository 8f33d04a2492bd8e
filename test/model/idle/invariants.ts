// What must hold at every stop of an idle loop, whoever brought it into its state.

import type { Outcome, Step } from '../../../src/engine/step.ts';
import { type Invariants, unless } from '../../../src/explorer/invariant.ts';
import type { Change, Frame } from '../../../src/workflows/idle/types.ts';
import { framesOf, type Given, type Node } from './domains.ts';

export type Context = { from: Node; facts: Given; step: Step<Change>; to: Node };

export const invariants: Invariants<Context> = {
  'a hold needs a live run': ({ from, facts, step }) => {
    if (step.kind !== 'hold') return null;
    if (!isLive(from, facts)) return `held with ${from.kind} ${from.event} ${from.age}, ${from.depth} frames`;
    return unless(isSound(from) && from.mode !== 'unknown', 'held by a frame that cannot be trusted');
  },
  'an ended loop stays ended': ({ from, to }) =>
    unless(isRunning(from) || same(from, to), `${from.event} became ${to.event}`),
  'a stale state stays as it is': ({ from, facts, to }) => {
    if (!isRunning(from) || isFresh(from, facts) || !isSound(from)) return null;
    return unless(same(from, to), 'it was changed');
  },
  'a loop is called stale only once limits were looked for': ({ from, facts, step }) => {
    if (step.kind !== 'allow' || step.notice?.name !== 'stale' || from.age === 'missing') return null;
    return unless(facts.limited !== null, 'nobody looked');
  },
  'an iteration never goes above its limit': ({ from, to }) => {
    const before = framesOf(from);
    const wrong = framesOf(to).find(
      (frame, index) => frame.iter !== before[index]?.iter && !(Number(frame.iter) <= Number(frame.max)),
    );
    return unless(wrong === undefined, `iteration ${wrong?.iter} of ${wrong?.max}`);
  },
  'a hold spends exactly one iteration, of the frame that is then on top': ({ from, step, to }) => {
    if (step.kind !== 'hold') return null;
    const before = framesOf(from)[to.depth - 1];
    if (before === undefined || to.iter !== Number(before.iter) + 1)
      return `from ${before?.iter} to ${to.iter}`;
    const { iteration, max, position } = step.message.slots;
    return unless(
      iteration === to.iter && max === to.max && position === to.depth - 1,
      'the message differs',
    );
  },
  'a hold hints at a near miss, and only where there was no signal': ({ facts, step }) => {
    if (step.kind !== 'hold') return null;
    const isMissed = facts.signal === 'none' && !isClaim(facts);
    const expected = isMissed && facts.nearMiss !== 'none' ? facts.nearMiss : undefined;
    return unless(step.message.slots.nearMiss === expected, `${facts.nearMiss} with ${facts.signal}`);
  },
  'frames below the top are lost only when it is corrupt': ({ from, to }) => {
    if (!isRunning(from) || !isSound(from)) return null;
    const below = framesOf(from).slice(0, -1);
    const kept = framesOf(to).slice(0, below.length);
    const stepped = (frame: Frame, index: number): Frame =>
      index === below.length - 1 && to.depth === below.length
        ? { ...frame, iter: kept[index]?.iter ?? 0 }
        : frame;
    return unless(JSON.stringify(kept) === JSON.stringify(below.map(stepped)), 'a frame is gone');
  },
  'a frame ends only by a signal, the check it waits for, its limit or corruption': ({ from, facts, to }) => {
    if (!isRunning(from) || (isRunning(to) && to.depth === from.depth)) return null;
    if (!isSound(from) || Number(from.iter) >= Number(from.max)) return null;
    const isWord = !['none', 'unread', ...CLAIMS].includes(facts.signal);
    return unless(isWord || isClaim(facts), `it ended on ${facts.signal}`);
  },
  'a signal completes its frame, also in the last iteration': ({ from, facts, to }) => {
    if (!isLive(from, facts) || !isSound(from) || from.mode === 'unknown') return null;
    if (facts.signal === 'none' || facts.signal === 'unread' || isOpen(facts)) return null;
    return unless(to.depth === from.depth - 1, 'the frame is still there');
  },
  'the reason of an end is what ended it': ({ from, facts, step }) => {
    const change = changeOf(step);
    if (change === null || change.event === 'STATE')
      return unless((change?.reason ?? null) === null, 'a reason');
    if (change.event === 'ABORT') return unless(change.reason === 'CORRUPTED' && !isSound(from), 'aborted');
    if (isOpen(facts)) return unless(change.reason === 'MAX_ITERATIONS', `refused, and ${change.reason}`);
    const signalled = facts.signal !== 'none';
    const expected = signalled ? facts.signal : isClaim(facts) ? 'COMPLETE' : 'MAX_ITERATIONS';
    return unless(change.reason === expected, `${change.reason}`);
  },
  'a signal pops a frame that is carried on, which holds at once': ({ from, facts, step }) => {
    if (!isLive(from, facts) || !isSound(from) || from.mode === 'unknown' || from.depth < 2) return null;
    if (facts.signal === 'none' || facts.signal === 'unread' || isOpen(facts)) return null;
    const able = from.belowMode !== 'unknown' && Number(from.belowIter) < Number(from.belowMax);
    return unless((step.kind === 'hold') === (from.belowCarryOn && able), `answered ${step.kind}`);
  },
  'what the hook changes brings the end nearer': ({ from, to }) =>
    unless(same(from, to) || measure(to) < measure(from), `${measure(from)} to ${measure(to)}`),
  'a hold is never given without a change': ({ from, step, to }) =>
    unless(step.kind !== 'hold' || !same(from, to), 'nothing was spent'),
  'the transcript is read only when the answer depends on it': ({ from, facts, step }) => {
    if (step.kind !== 'look') return null;
    if (step.at === 'limit')
      return unless(isRunning(from) && from.age === 'stale' && facts.limited === null, 'no limit matters');
    if (facts.signal !== 'unread') return 'it was read already';
    return unless(isLive(from, facts) && isSound(from) && from.mode !== 'unknown', 'nothing depends on it');
  },
  'a live loop is never decided without its signal': ({ from, facts, step }) => {
    if (!isLive(from, facts) || !isSound(from) || from.mode === 'unknown') return null;
    return unless(facts.signal !== 'unread' || step.kind === 'look', `answered ${step.kind}`);
  },
  'a claim counts for nothing before it was asked about': ({ from, facts, step }) => {
    if (!isLive(from, facts) || !isSound(from) || from.mode === 'unknown' || step.kind === 'look')
      return null;
    if (!isClaim(facts) || facts.proof !== null) return null;
    return unless(step.kind === 'prove' && step.only === undefined, `answered ${step.kind}`);
  },
  'a claim that is refused ends nothing but a loop at its limit': ({ from, facts, step, to }) => {
    if (!isLive(from, facts) || !isSound(from) || from.mode === 'unknown' || facts.signal === 'unread')
      return null;
    if (!isClaim(facts) || facts.proof?.claim !== 'refused') return null;
    if (Number(from.iter) >= Number(from.max))
      return unless(step.kind === 'allow' && step.over === 'limit', `${step.kind}`);
    return unless(step.kind === 'hold' && to.depth === from.depth, `answered ${step.kind}`);
  },
  'only a claim is checked, and a check that a frame waits for': ({ from, facts, step }) => {
    if (step.kind !== 'prove') return null;
    if (!isLive(from, facts) || !isSound(from) || from.mode === 'unknown') return 'nothing depends on it';
    if (step.receiptsOnly) return 'a loop is not proven by receipts alone';
    if (step.only === undefined) return unless(isClaim(facts) && facts.proof === null, `on ${facts.signal}`);
    const isWaiting = mayWait(facts) && facts.untilCheck === step.only;
    return unless(isWaiting && facts.until === null, `${step.only} on ${facts.signal}`);
  },
  'a frame that waits for a check is not decided without it': ({ from, facts, step }) => {
    if (!isLive(from, facts) || !isSound(from) || from.mode === 'unknown' || !mayWait(facts)) return null;
    if (facts.untilCheck === null || facts.until !== null) return null;
    return unless(step.kind === 'prove' && step.only === facts.untilCheck, `answered ${step.kind}`);
  },
  'a step that ends a run says how it ended': ({ from, facts, step, to }) => {
    if (step.kind !== 'allow' || isRunning(to) || to.kind === 'lost' || to.kind === 'unreadable')
      return unless(step.kind !== 'allow' || step.over === undefined, 'it goes on');
    return unless(step.over === expectedOutcome(from, facts), `${step.over}`);
  },
  'what is said to be over never holds again': ({ step, to }) =>
    unless(step.kind !== 'allow' || step.over === undefined || !isRunning(to), `over with ${to.event}`),
};

/**
 * The check passes that the frame waits for; where it waits for none, a signal that says "done". Reads no more than the
 * decision.
 */
function isClaim(facts: Given): boolean {
  if (!mayWait(facts)) return false;
  return facts.untilCheck === null ? facts.signal !== 'none' : facts.until?.claim === 'stands';
}

/** Nothing was said that ends a frame whatever its check says. */
function mayWait({ signal }: Given): boolean {
  return signal === 'none' || CLAIMS.includes(signal);
}

const CLAIMS: readonly Given['signal'][] = ['COMPLETE', 'DONE', 'NO_MORE_ISSUES'];

/** Said to be done, but nobody asked about it yet, it was refused, or the check that the frame waits for does not pass. */
function isOpen(facts: Given): boolean {
  if (!isClaim(facts)) return CLAIMS.includes(facts.signal);
  return facts.proof?.claim !== 'stands';
}

function expectedOutcome(from: Node, facts: Given): Outcome {
  const { signal } = facts;
  if (!isRunning(from)) {
    if (from.kind !== 'loop' || from.event === 'ABORT') return 'cancelled';
    return from.depth > 0 ? 'limit' : 'completed';
  }
  if (!isSound(from) || signal === 'STUCK') return 'stuck';
  return isClaim(facts) && !isOpen(facts) ? 'completed' : 'limit';
}

function isRunning({ kind, event, depth }: Node): boolean {
  return kind === 'loop' && event === 'STATE' && depth > 0;
}

/** Time at a limit is none in which a loop grows old. */
function isFresh({ age }: Node, facts: Given): boolean {
  return age === 'stale' ? (facts.limited ?? 0) > 0 : age !== 'missing';
}

function isLive(node: Node, facts: Given): boolean {
  return isRunning(node) && isFresh(node, facts);
}

function isSound({ iter, max }: Node): boolean {
  return iter !== 'corrupt' && max !== 'corrupt';
}

/** Iterations and frames to go. An ended loop has none. */
function measure(node: Node): number {
  if (!isRunning(node)) return 0;
  return framesOf(node).reduce(
    (sum, { iter, max }) => sum + 1 + Math.max(0, Number(max) - Number(iter) || 0),
    0,
  );
}

/** A step that changes nothing gives the very same node back. */
function same(from: Node, to: Node): boolean {
  return from === to;
}

function changeOf(step: Step<Change>): Change | null {
  return step.kind === 'hold' || step.kind === 'allow' ? step.change : null;
}

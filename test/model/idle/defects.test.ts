// Each of these is idle with one defect planted. The explorer has to name the invariant it breaks.

import { describe, expect, it } from 'vitest';
import { UNASKED } from '../../../src/engine/proof/asked.ts';
import type { Proof } from '../../../src/engine/proof/types.ts';
import type { Step } from '../../../src/engine/step.ts';
import { only } from '../../../src/explorer/invariant.ts';
import { decide } from '../../../src/workflows/idle/decide.ts';
import type { Change, Frame, Loop } from '../../../src/workflows/idle/types.ts';
import { foundBy, walkNotices } from '../defect.ts';
import { idleWalk, walkIdle } from '../walker/idle.ts';
import type { Given } from './domains.ts';
import { invariants } from './invariants.ts';
import { type Decide, idleModel } from './model.ts';

/** What comes in is changed before the real decision sees it. */
const seeing =
  (change: (loop: Loop, facts: Given) => Partial<Loop>): Decide =>
  (state, facts) =>
    decide(state.kind === 'loop' ? { ...state, ...change(state, facts) } : state, facts);

const seeingTop = (change: (top: Frame) => Partial<Frame>): Decide =>
  seeing(({ stack }) => {
    const top = stack.at(-1);
    return top === undefined ? {} : { stack: [...stack.slice(0, -1), { ...top, ...change(top) }] };
  });

/** What goes out is changed after the real decision was made. */
const answering =
  (change: (change: Change, loop: Loop, facts: Given) => Partial<Change>): Decide =>
  (state, facts) => {
    const step = decide(state, facts);
    if (state.kind !== 'loop' || (step.kind !== 'hold' && step.kind !== 'allow') || step.change === null)
      return step;
    return { ...step, change: { ...step.change, ...change(step.change, state, facts) } } as Step<Change>;
  };

/** Facts are chosen as they are read, so only what is asked for is read. */
const hearing =
  (hear: (signal: Given['signal'], loop: Loop) => Given['signal']): Decide =>
  (state, facts) =>
    decide(
      state,
      hearingOf(facts, (name) =>
        name === 'signal' && state.kind === 'loop' ? hear(facts.signal, state) : facts[name],
      ),
    );

/** The same facts, but for what `read` makes of them. */
function hearingOf(facts: Given, read: (name: keyof Given) => Given[keyof Given]): Given {
  return new Proxy(facts, { get: (_, name) => read(name as keyof Given) });
}

/** One of them is another. */
function withFact<Name extends keyof Given>(
  facts: Given,
  name: Name,
  change: (known: Given[Name]) => Given[Name],
): Given {
  return hearingOf(facts, (asked) => (asked === name ? change(facts[name]) : facts[asked]));
}

const PROVEN: Proof = { ...UNASKED, worth: 'proven' };

const defects: Readonly<Record<string, [Decide, string]>> = {
  'a stale loop holds': [seeing((_, { now }) => ({ updatedAt: now })), 'a hold needs a live run'],
  'an ended loop holds': [seeing(() => ({ event: 'STATE' })), 'a hold needs a live run'],
  'a corrupt count is taken for zero': [
    seeingTop(({ iter }) => ({ iter: iter === 'corrupt' ? 0 : iter })),
    'a hold needs a live run',
  ],
  'an unknown mode is taken for a loop': [
    seeingTop(({ mode }) => ({ mode: mode === 'unknown' ? 'loop' : mode })),
    'a hold needs a live run',
  ],
  'an aborted loop is posted once more': [
    (state, facts) => {
      const step = decide(state, facts);
      if (state.kind !== 'loop' || state.event !== 'ABORT' || step.kind !== 'allow') return step;
      return { ...step, change: { event: 'STATE', reason: null, drop: 'none', step: false, seen: null } };
    },
    'an ended loop stays ended',
  ],
  'a stale loop is ended': [
    (state, facts) => {
      const step = decide(state, facts);
      if (step.kind !== 'allow' || step.notice?.name !== 'stale') return step;
      return { ...step, change: { event: 'DONE', reason: 'STUCK', drop: 'none', step: false, seen: null } };
    },
    'a stale state stays as it is',
  ],
  'a limit is not looked for': [
    (state, facts) =>
      decide(
        state,
        hearingOf(facts, (name) => (name === 'limited' ? 0 : facts[name])),
      ),
    'a loop is called stale only once limits were looked for',
  ],
  'one iteration too many is granted': [
    seeingTop(({ max }) => ({ max: max === 'corrupt' ? max : max + 1 })),
    'an iteration never goes above its limit',
  ],
  'a hold spends nothing': [
    answering(() => ({ step: false })),
    'a hold spends exactly one iteration, of the frame that is then on top',
  ],
  'a hold is not written down': [
    (state, facts) => {
      const step = decide(state, facts);
      return step.kind === 'hold' ? { ...step, change: null } : step;
    },
    'a hold is never given without a change',
  ],
  'a loop of an unknown mode is kept fresh': [
    (state, facts) => {
      const step = decide(state, facts);
      if (step.kind !== 'allow' || step.notice?.name !== 'unknown-mode') return step;
      return { ...step, change: { event: 'STATE', reason: null, drop: 'none', step: false, seen: null } };
    },
    'what the hook changes brings the end nearer',
  ],
  'the iteration is told wrongly': [
    (state, facts) => {
      const step = decide(state, facts);
      if (step.kind !== 'hold') return step;
      return { ...step, message: { ...step.message, slots: { ...step.message.slots, iteration: 0 } } };
    },
    'a hold spends exactly one iteration, of the frame that is then on top',
  ],
  'a near miss is not hinted at': [
    (state, facts) =>
      decide(
        state,
        withFact(facts, 'nearMiss', () => 'none'),
      ),
    'a hold hints at a near miss, and only where there was no signal',
  ],
  'an inner limit throws the outer frames away': [
    answering((change) => (change.reason === 'MAX_ITERATIONS' ? { drop: 'all' } : {})),
    'frames below the top are lost only when it is corrupt',
  ],
  'a signal ends the outer loops too': [
    answering((change) => (change.drop === 'top' ? { drop: 'all' } : {})),
    'frames below the top are lost only when it is corrupt',
  ],
  'a frame ends without a signal': [
    hearing((signal) => (signal === 'none' ? 'COMPLETE' : signal)),
    'a frame ends only by a signal, the check it waits for, its limit or corruption',
  ],
  'a signal is not heard': [
    hearing((signal) => (signal === 'unread' ? signal : 'none')),
    'a signal completes its frame, also in the last iteration',
  ],
  'the limit comes before the signal': [
    (state, facts) => {
      const top = state.kind === 'loop' ? state.stack.at(-1) : undefined;
      const full = top !== undefined && Number(top.iter) >= Number(top.max);
      return decide(
        state,
        withFact(facts, 'signal', (signal) => (full && signal !== 'unread' ? 'none' : signal)),
      );
    },
    'the reason of an end is what ended it',
  ],
  'every end is called complete': [
    answering((change) => (change.event === 'DONE' ? { reason: 'COMPLETE' } : {})),
    'the reason of an end is what ended it',
  ],
  'a frame that asked to be carried on waits': [
    seeing(({ stack }) => ({ stack: stack.map((frame) => ({ ...frame, carryOn: false })) })),
    'a signal pops a frame that is carried on, which holds at once',
  ],
  'every frame is carried on': [
    seeing(({ stack }) => ({ stack: stack.map((frame) => ({ ...frame, carryOn: true })) })),
    'a signal pops a frame that is carried on, which holds at once',
  ],
  'the transcript is read again and again': [
    (state, facts) => {
      const step = decide(state, facts);
      return step.kind === 'hold' ? { kind: 'look', at: 'signal' } : step;
    },
    'the transcript is read only when the answer depends on it',
  ],
  'a stop is decided before the transcript was read': [
    hearing((signal) => (signal === 'unread' ? 'none' : signal)),
    'a live loop is never decided without its signal',
  ],
  'a claim is believed before it was checked': [
    (state, facts) =>
      decide(
        state,
        withFact(facts, 'proof', (proof) => proof ?? PROVEN),
      ),
    'a claim counts for nothing before it was asked about',
  ],
  'a claim that is refused ends the loop': [
    (state, facts) =>
      decide(
        state,
        withFact(facts, 'proof', (proof) => (proof?.claim === 'refused' ? PROVEN : proof)),
      ),
    'a claim that is refused ends nothing but a loop at its limit',
  ],
  'an agent that is stuck is checked': [
    (state, facts) => {
      const step = decide(state, facts);
      return step.kind === 'allow' && step.over === 'stuck' && step.change?.reason === 'STUCK'
        ? { kind: 'prove' }
        : step;
    },
    'only a claim is checked, and a check that a frame waits for',
  ],
  'a check that fails is asked for again and again': [
    (state, facts) => {
      const step = decide(state, facts);
      const until = step.kind === 'hold' ? step.message.slots.until : undefined;
      return typeof until === 'string' ? { kind: 'prove', only: until } : step;
    },
    'only a claim is checked, and a check that a frame waits for',
  ],
  'the check that a frame waits for is not asked for': [
    (state, facts) =>
      decide(
        state,
        withFact(facts, 'untilCheck', () => null),
      ),
    'a frame that waits for a check is not decided without it',
  ],
  'a loop with frames left is forgotten': [
    (state, facts) => {
      const step = decide(state, facts);
      return step.kind === 'allow' ? { ...step, over: 'completed' as const } : step;
    },
    'what is said to be over never holds again',
  ],
  'a loop at its limit is called completed': [
    (state, facts) => {
      const step = decide(state, facts);
      return step.kind === 'allow' && step.over === 'limit' ? { ...step, over: 'completed' } : step;
    },
    'a step that ends a run says how it ended',
  ],
  'a loop ends without an outcome': [
    (state, facts) => {
      const step = decide(state, facts);
      if (step.kind !== 'allow' || step.change?.event !== 'DONE') return step;
      const { over: _, ...rest } = step;
      return rest;
    },
    'a step that ends a run says how it ended',
  ],
};

describe('a planted defect of idle', () => {
  it.each(Object.entries(defects))('is found by the explorer: %s', (_, [defective, invariant]) => {
    expect(foundBy(idleModel(defective, only(invariants, invariant)))).toBe(invariant);
  });

  it('is found by the explorer: two hours to the millisecond count as stale', () => {
    const defective: Decide = (state, facts) =>
      decide(
        state,
        withFact(facts, 'now', (now) => now + 1),
      );
    const invariant = 'a signal completes its frame, also in the last iteration';
    expect(foundBy(idleModel(defective, only(invariants, invariant)))).toBe(invariant);
  });

  it('is there for every invariant, so that each is known to be able to fail', () => {
    expect(new Set(Object.values(defects).map(([, invariant]) => invariant))).toEqual(
      new Set(Object.keys(invariants)),
    );
  });

  it('is found by the walker: a loop without a time counts as fresh', () => {
    const defective = seeing(({ updatedAt }, { now }) => ({ updatedAt: updatedAt ?? now }));
    expect(walkNotices(idleWalk, (walk) => walkIdle(defective, walk))).toBe(true);
  });
});

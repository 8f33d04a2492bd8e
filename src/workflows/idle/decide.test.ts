import { describe, expect, it } from 'vitest';
import { NO_UNTIL, UNASKED } from '../../engine/proof/asked.ts';
import type { Proof } from '../../engine/proof/types.ts';
import type { ProofFacts } from '../../engine/step.ts';
import { decide, isActive, STALE_AFTER_MS } from './decide.ts';
import type { Change, Facts, Frame, Loop, State } from './types.ts';

const NOW = 1_794_000_000_000;
const frame = (more: Partial<Frame> = {}): Frame => ({
  mode: 'loop',
  iter: 3,
  max: 10,
  carryOn: false,
  ...more,
});
const loop = (more: Partial<Loop> = {}): Loop => ({
  kind: 'loop',
  event: 'STATE',
  updatedAt: NOW - 1000,
  stack: [frame()],
  ...more,
});
const facts = (more: Partial<Facts & ProofFacts> = {}): Facts & ProofFacts => ({
  now: NOW,
  limited: 0,
  signal: 'none',
  nearMiss: 'none',
  seen: 'line-7',
  untilCheck: null,
  proof: UNASKED,
  until: NO_UNTIL,
  ...more,
});
const stale = NOW - STALE_AFTER_MS - 1;
const signalled = facts({ signal: 'COMPLETE' });
const posts = (change: Partial<Change>) =>
  expect.objectContaining({ change: expect.objectContaining(change) });
const untouched = expect.objectContaining({ kind: 'allow', change: null });

describe('a session that was away at a limit', () => {
  const old = loop({ updatedAt: stale });

  it('is looked for before a loop is called stale, and not where nothing tells its age', () => {
    expect(decide(old, facts({ limited: null }))).toEqual({ kind: 'look', at: 'limit' });
    expect(decide(loop({ updatedAt: null }), facts({ limited: null }))).toMatchObject({
      kind: 'allow',
      notice: { name: 'stale' },
    });
  });

  it('is held again when without that time the loop is no older than two hours', () => {
    expect(decide(old, facts({ limited: 1 }))).toMatchObject({ kind: 'hold' });
    expect(decide(old, facts({ limited: 0 }))).toMatchObject({ kind: 'allow', notice: { name: 'stale' } });
    expect(decide(loop({ updatedAt: null }), facts({ limited: 1e12 }))).toMatchObject({ kind: 'allow' });
  });

  it('is not asked about while the loop is fresh', () => {
    expect(decide(loop(), facts({ limited: null }))).toMatchObject({ kind: 'hold' });
  });
});

it.each<[string, State, boolean]>([
  ['goes on', loop(), true],
  ['just before it is stale', loop({ updatedAt: NOW - STALE_AFTER_MS }), true],
  ['of the future', loop({ updatedAt: NOW + STALE_AFTER_MS * 9 }), true],
  ['is stale', loop({ updatedAt: stale }), false],
  ['has no time', loop({ updatedAt: null }), false],
  ['is done', loop({ event: 'DONE' }), false],
  ['was aborted', loop({ event: 'ABORT' }), false],
  ['has no frame', loop({ stack: [] }), false],
  ['is not there', { kind: 'nothing' }, false],
  ['cannot be read', { kind: 'unreadable' }, false],
])('a loop that %s is active or not', (_, state, expected) => {
  expect(isActive(state, NOW)).toBe(expected);
});

describe('IDLE', () => {
  it('lets go without a state', () => {
    expect(decide({ kind: 'nothing' }, facts())).toEqual({
      kind: 'allow',
      change: null,
      notice: null,
      over: 'cancelled',
    });
  });

  it('lets go with an empty stack', () => {
    expect(decide(loop({ stack: [] }), signalled)).toEqual({
      kind: 'allow',
      change: null,
      notice: null,
      over: 'completed',
    });
  });

  it('lets go after DONE, even with frames kept in it', () => {
    expect(decide(loop({ event: 'DONE' }), facts())).toMatchObject({
      kind: 'allow',
      change: null,
      over: 'limit',
    });
  });

  it('says nothing where a loop is over', () => {
    expect(decide(loop({ event: 'DONE', updatedAt: stale }), facts())).toMatchObject({ notice: null });
  });
});

describe('what cannot be read', () => {
  it('lets go, posts nothing and says so', () => {
    expect(decide({ kind: 'unreadable' }, facts())).toEqual({
      kind: 'allow',
      change: null,
      notice: { name: 'unreadable', slots: {} },
    });
  });

  it('lets go and says so where the log is too long', () => {
    expect(decide({ kind: 'lost' }, facts())).toMatchObject({
      kind: 'allow',
      change: null,
      notice: { name: 'lost' },
    });
  });

  it('lets go with a notice in an unknown mode, whatever was signalled', () => {
    const unknown = loop({ stack: [frame({ mode: 'unknown' })] });
    expect(decide(unknown, facts())).toMatchObject({
      kind: 'allow',
      change: null,
      notice: { name: 'unknown-mode' },
    });
    expect(decide(unknown, signalled)).toEqual(untouched);
  });
});

describe('ABORTED', () => {
  it('lets go after ABORT and posts nothing more', () => {
    expect(decide(loop({ event: 'ABORT' }), facts())).toMatchObject({
      kind: 'allow',
      change: null,
      over: 'cancelled',
    });
  });

  it.each(['iter', 'max'] as const)('posts ABORT when %s is corrupt', (field) => {
    const step = decide(loop({ stack: [frame(), frame({ [field]: 'corrupt' })] }), facts());
    expect(step).toMatchObject({ kind: 'allow', notice: { name: 'corrupt' }, over: 'stuck' });
    expect(step).toEqual(posts({ event: 'ABORT', reason: 'CORRUPTED', drop: 'all', step: false }));
  });

  it('comes before stale', () => {
    const both = loop({ updatedAt: stale, stack: [frame({ iter: 'corrupt' })] });
    expect(decide(both, facts())).toEqual(posts({ event: 'ABORT' }));
  });

  it('comes before the signal', () => {
    expect(decide(loop({ stack: [frame({ iter: 'corrupt' })] }), signalled)).toEqual(
      posts({ event: 'ABORT' }),
    );
  });

  it('comes before an unknown mode', () => {
    const both = loop({ stack: [frame({ mode: 'unknown', max: 'corrupt' })] });
    expect(decide(both, facts())).toEqual(posts({ event: 'ABORT' }));
  });

  it('is not caused by a frame below the top', () => {
    expect(decide(loop({ stack: [frame({ iter: 'corrupt' }), frame()] }), facts())).toMatchObject({
      kind: 'hold',
    });
  });
});

describe('STUCK', () => {
  it('leaves a stale state as it is and says so', () => {
    expect(decide(loop({ updatedAt: stale }), facts())).toEqual({
      kind: 'allow',
      change: null,
      notice: { name: 'stale', slots: { iteration: 3, max: 10 } },
    });
  });

  it('is not stale at exactly two hours', { tags: ['I-state-stuck.a'] }, () => {
    expect(decide(loop({ updatedAt: NOW - STALE_AFTER_MS }), facts())).toMatchObject({ kind: 'hold' });
  });

  it('counts a missing time as stale and one in the future as fresh', () => {
    expect(decide(loop({ updatedAt: null }), facts())).toMatchObject({ notice: { name: 'stale' } });
    expect(decide(loop({ updatedAt: NOW + 86_400_000 }), facts())).toMatchObject({ kind: 'hold' });
  });

  it('is stale before it is complete: stale and signal at once', () => {
    expect(decide(loop({ updatedAt: stale }), signalled)).toMatchObject({
      change: null,
      notice: { name: 'stale' },
    });
  });

  it('is stale before it is at its maximum: stale and max at once', () => {
    const both = loop({ updatedAt: stale, stack: [frame({ iter: 10 })] });
    expect(decide(both, facts())).toMatchObject({ change: null, notice: { name: 'stale' } });
  });

  it('does not look at the transcript for a stale state', () => {
    expect(decide(loop({ updatedAt: stale }), facts({ signal: 'unread' }))).toMatchObject({ kind: 'allow' });
  });

  it.each([10, 11, 999])('posts DONE MAX_ITERATIONS at iteration %i of 10', (iter) => {
    const step = decide(loop({ stack: [frame({ iter })] }), facts());
    expect(step).toMatchObject({ kind: 'allow', notice: { name: 'maximum' }, over: 'limit' });
    expect(step).toEqual(posts({ event: 'DONE', reason: 'MAX_ITERATIONS', drop: 'top', step: false }));
  });

  it('keeps the frames below an inner maximum and says how to go on there', () => {
    const step = decide(loop({ stack: [frame(), frame(), frame({ iter: 10 })] }), facts());
    expect(step).toMatchObject({ notice: { name: 'maximum-inner', slots: { kept: 2 } } });
    expect(step).toEqual(posts({ event: 'DONE', reason: 'MAX_ITERATIONS', drop: 'top' }));
  });
});

describe('COMPLETING', () => {
  it('posts DONE with what the signal said when the stack is empty', () => {
    const step = decide(loop(), facts({ signal: 'STUCK' }));
    expect(step).toMatchObject({ kind: 'allow', notice: null, over: 'stuck' });
    expect(step).toEqual(posts({ event: 'DONE', reason: 'STUCK', drop: 'top', step: false }));
  });

  it.each([
    ['COMPLETE', 'completed'],
    ['DONE', 'completed'],
    ['NO_MORE_ISSUES', 'completed'],
    ['STUCK', 'stuck'],
    ['MAX_ITERATIONS', 'limit'],
    ['MAX_ISSUES', 'limit'],
  ] as const)('ends with an outcome: %s is %s', (signal, over) => {
    expect(decide(loop(), facts({ signal }))).toMatchObject({ kind: 'allow', over });
  });

  it('posts STATE and lets go when frames are left', () => {
    const step = decide(loop({ stack: [frame(), frame({ mode: 'issue' })] }), facts({ signal: 'DONE' }));
    expect(step).toMatchObject({ kind: 'allow' });
    expect(step).not.toHaveProperty('over');
    expect(step).toEqual(posts({ event: 'STATE', reason: null, drop: 'top', step: false }));
  });

  it('comes before the maximum: signal and max at once', () => {
    const step = decide(loop({ stack: [frame({ iter: 10 })] }), signalled);
    expect(step).toEqual(posts({ event: 'DONE', reason: 'COMPLETE' }));
    expect(step).toMatchObject({ notice: null });
  });

  it('asks for the signal before it decides', () => {
    expect(decide(loop(), facts({ signal: 'unread' }))).toEqual({ kind: 'look', at: 'signal' });
    expect(decide(loop({ stack: [frame({ iter: 10 })] }), facts({ signal: 'unread' }))).toMatchObject({
      kind: 'look',
    });
  });

  it('steps an uncovered frame that carries on, in the same commit', () => {
    const grind = frame({ mode: 'grind', iter: 4, max: 100, carryOn: true });
    const step = decide(loop({ stack: [grind, frame({ mode: 'issue' })] }), facts({ signal: 'DONE' }));
    expect(step).toEqual({
      kind: 'hold',
      change: { event: 'STATE', reason: null, drop: 'top', step: true, seen: 'line-7' },
      message: { name: 'continue', slots: { iteration: 5, max: 100, position: 0 } },
      notice: null,
    });
  });

  it.each([
    ['at its maximum', { iter: 100 }],
    ['corrupt', { iter: 'corrupt' }],
    ['of an unknown mode', { mode: 'unknown' }],
  ] as const)('lets go when the uncovered frame carries on but is %s', (_, more) => {
    const grind = frame({ mode: 'grind', max: 100, carryOn: true, ...more });
    const step = decide(loop({ stack: [grind, frame()] }), signalled);
    expect(step).toMatchObject({ kind: 'allow' });
    expect(step).toEqual(posts({ event: 'STATE', drop: 'top', step: false }));
  });
});

describe('ACTIVE', () => {
  it('adds one iteration, posts STATE and holds', () => {
    expect(decide(loop(), facts())).toEqual({
      kind: 'hold',
      change: { event: 'STATE', reason: null, drop: 'none', step: true, seen: 'line-7' },
      message: { name: 'continue', slots: { iteration: 4, max: 10, position: 0 } },
      notice: null,
    });
  });

  it('steps the top frame of several', () => {
    const step = decide(loop({ stack: [frame({ iter: 9 }), frame({ iter: 0, max: 5 })] }), facts());
    expect(step).toMatchObject({ message: { slots: { iteration: 1, max: 5, position: 1 } } });
  });

  it('holds in the last iteration before the maximum', () => {
    expect(decide(loop({ stack: [frame({ iter: 9 })] }), facts())).toMatchObject({ kind: 'hold' });
  });
});

const modes = ['loop', 'issue', 'grind', 'unknown'] as const;
const counts = [0, 1, 2, 'corrupt'] as const;

/** Every state with up to two frames of small counts, and every fact there is. */
function* everything(): Generator<{ state: State; facts: Facts & ProofFacts }> {
  const frames = modes.flatMap((mode) =>
    counts.flatMap((iter) =>
      counts.flatMap((max) => [false, true].map((carryOn) => ({ mode, iter, max, carryOn }) satisfies Frame)),
    ),
  );
  const stacks: (readonly Frame[])[] = [[], ...frames.map((top) => [top])];
  for (const below of frames.filter(({ mode }) => mode !== 'issue'))
    for (const top of frames.filter(({ carryOn }) => !carryOn)) stacks.push([below, top]);
  for (const stack of stacks)
    for (const event of ['STATE', 'DONE', 'ABORT'] as const)
      for (const updatedAt of [NOW, stale, null])
        for (const signal of ['none', 'unread', 'COMPLETE'] as const)
          yield { state: { kind: 'loop', event, updatedAt, stack }, facts: facts({ signal }) };
}

/** What the topic holds after the change, found without the code that writes it. */
function applied(state: Loop, change: Change): Loop {
  const kept = { none: state.stack, top: state.stack.slice(0, -1), all: [] }[change.drop];
  const stack = kept.map((each, position) =>
    change.step && position === kept.length - 1 ? { ...each, iter: Number(each.iter) + 1 } : each,
  );
  return { ...state, event: change.event, updatedAt: NOW, stack };
}

describe('whatever the state', () => {
  it('holds only a fresh STATE whose stepped frame is sound and below its maximum', {
    tags: ['I-state-active', 'I-invariant-3'],
  }, () => {
    let explored = 0;
    for (const { state, facts: given } of everything()) {
      explored++;
      const step = decide(state, given);
      if (step.kind !== 'hold') continue;
      expect(isActive(state, NOW)).toBe(true);
      expect(step.change?.step).toBe(true);
      if (state.kind !== 'loop' || step.change === null) continue;
      const top = applied(state, step.change).stack.at(-1);
      expect(Number(top?.iter)).toBeLessThanOrEqual(Number(top?.max));
    }
    expect(explored).toBeGreaterThan(100_000);
  });

  it('ends: with no signal at most as many holds follow as the frames have iterations left', () => {
    for (const start of everything()) {
      if (start.state.kind !== 'loop' || start.facts.signal !== 'none') continue;
      let state: Loop = start.state;
      let holds = 0;
      for (let stops = 0; stops < 10; stops++) {
        const step = decide(state, facts());
        if (step.kind === 'hold') holds++;
        if ((step.kind === 'hold' || step.kind === 'allow') && step.change)
          state = applied(state, step.change);
      }
      expect(holds).toBeLessThanOrEqual(2);
    }
  });
});

describe('a claim', () => {
  const proven: Proof = { ...UNASKED, worth: 'proven' };
  const refused: Proof = { ...UNASKED, claim: 'refused', worth: 'unproven' };

  it.each(['COMPLETE', 'DONE', 'NO_MORE_ISSUES'] as const)(
    'is made by %s, and asked about first',
    (signal) => {
      expect(decide(loop(), facts({ signal, proof: null }))).toEqual({ kind: 'prove' });
    },
  );

  it.each(['STUCK', 'MAX_ITERATIONS', 'MAX_ISSUES'] as const)('is not made by %s', (signal) => {
    expect(decide(loop(), facts({ signal, proof: null }))).toMatchObject({ kind: 'allow' });
  });

  it('that stands completes the loop', () => {
    expect(decide(loop(), facts({ signal: 'COMPLETE', proof: proven }))).toMatchObject({
      kind: 'allow',
      over: 'completed',
    });
  });

  it('that is refused costs an iteration', () => {
    expect(decide(loop(), facts({ signal: 'COMPLETE', proof: refused }))).toMatchObject({
      kind: 'hold',
      change: { event: 'STATE', drop: 'none', step: true },
      message: { name: 'continue', slots: { iteration: 4, claim: 'refused' } },
    });
  });

  it('that is refused in the last iteration ends the loop at its limit', () => {
    const last = loop({ stack: [frame({ iter: 10 })] });
    expect(decide(last, facts({ signal: 'COMPLETE', proof: refused }))).toMatchObject({
      kind: 'allow',
      over: 'limit',
      change: { reason: 'MAX_ITERATIONS' },
    });
  });
});

describe('a frame that waits for a check', () => {
  const open: Proof = { ...UNASKED, claim: 'refused', worth: 'unproven' };
  const waits = (more: Partial<Facts & ProofFacts>) => decide(loop(), facts({ untilCheck: 'test', ...more }));

  it('asks for it, then holds while it does not pass', () => {
    expect(waits({ until: null })).toEqual({ kind: 'prove', only: 'test' });
    expect(waits({ until: open })).toMatchObject({
      kind: 'hold',
      message: { slots: { iteration: 4, until: 'test' } },
    });
  });

  it('makes a claim when it passes', () => {
    expect(waits({ until: UNASKED, proof: null })).toEqual({ kind: 'prove' });
    expect(waits({ until: UNASKED })).toMatchObject({ over: 'completed', change: { reason: 'COMPLETE' } });
    expect(waits({ until: UNASKED, proof: open })).toMatchObject({
      kind: 'hold',
      message: { slots: { claim: 'refused' } },
    });
  });

  it('is asked whatever the agent says, and no claim takes its place', () => {
    expect(waits({ signal: 'COMPLETE', until: null, proof: UNASKED })).toEqual({
      kind: 'prove',
      only: 'test',
    });
    expect(waits({ signal: 'COMPLETE', until: open, proof: UNASKED })).toMatchObject({
      kind: 'hold',
      message: { slots: { iteration: 4, until: 'test' } },
    });
    expect(waits({ signal: 'COMPLETE', until: UNASKED, proof: null })).toEqual({ kind: 'prove' });
    expect(waits({ signal: 'DONE', until: UNASKED })).toMatchObject({ change: { reason: 'DONE' } });
  });

  it('is asked at its limit, too; an agent that is stuck ends it', () => {
    const last = loop({ stack: [frame({ iter: 10 })] });
    expect(decide(last, facts({ untilCheck: 'test', until: null }))).toEqual({ kind: 'prove', only: 'test' });
    expect(decide(last, facts({ untilCheck: 'test', until: open }))).toMatchObject({ over: 'limit' });
    expect(waits({ signal: 'STUCK', until: null })).toMatchObject({ over: 'stuck' });
  });
});

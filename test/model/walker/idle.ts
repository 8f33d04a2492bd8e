// Random walks of an idle loop: stops with any signal, time that passes, edits by hand of the whole state.

import fc from 'fast-check';
import type { Step } from '../../../src/engine/step.ts';
import type { Change, Frame, State } from '../../../src/workflows/idle/types.ts';
import type { Given } from '../idle/domains.ts';
import { type Decide, framesAfter } from '../idle/model.ts';
import { naiveIdle } from '../naive/idle.ts';
import type { Outcome } from '../naive/outcome.ts';
import { PROOFS, UNTILS } from '../proofs.ts';
import { mustBeAccepted } from './compare.ts';

const BEGIN = 1_800_000_000_000;
const HOUR = 3_600_000;

const count: fc.Arbitrary<Frame['iter']> = fc.oneof(
  { weight: 12, arbitrary: fc.nat({ max: 12 }) },
  { weight: 1, arbitrary: fc.constant('corrupt' as const) },
);

const frame: fc.Arbitrary<Frame> = fc.record({
  mode: fc.constantFrom('loop', 'issue', 'grind', 'loop', 'issue', 'grind', 'unknown'),
  iter: count,
  max: count,
  carryOn: fc.boolean(),
});

const state: fc.Arbitrary<State> = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.constantFrom<State>({ kind: 'nothing' }, { kind: 'lost' }, { kind: 'unreadable' }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('loop' as const),
      event: fc.constantFrom('STATE', 'STATE', 'STATE', 'STATE', 'DONE', 'ABORT'),
      updatedAt: fc.option(fc.constantFrom(BEGIN, BEGIN - 2 * HOUR, BEGIN - 2 * HOUR - 1, BEGIN + HOUR), {
        freq: 9,
      }),
      stack: fc.array(frame, { maxLength: 4 }),
    }),
  },
);

/** The signal is given as the look finds it: at first it is unread, as it is where there is a transcript. */
const stop = fc.record({
  limited: fc.constantFrom(0, 0, 1, 60_000, HOUR, 3 * HOUR),
  later: fc.constantFrom(0, 1000, 60_000, HOUR, 2 * HOUR, 2 * HOUR + 1),
  signal: fc.constantFrom<Given['signal']>(
    'none',
    'none',
    'none',
    'COMPLETE',
    'STUCK',
    'DONE',
    'NO_MORE_ISSUES',
  ),
  unread: fc.boolean(),
  untilCheck: fc.constantFrom(null, null, 'test'),
  proof: fc.constantFrom(...PROOFS.filter((proof) => proof !== null)),
  until: fc.constantFrom(...UNTILS.filter((until) => until !== null)),
});

const move = fc.oneof(
  { weight: 8, arbitrary: stop.map((given) => ({ stop: given })) },
  { weight: 1, arbitrary: state.map((edited) => ({ edited })) },
);

export const idleWalk = fc.record({ start: state, moves: fc.array(move, { maxLength: 30 }) });

type Walk = typeof idleWalk extends fc.Arbitrary<infer Made> ? Made : never;

export function walkIdle(decide: Decide, { start, moves }: Walk, seen = new Set<string>()): void {
  let at = start;
  let now = BEGIN;
  for (const made of moves) {
    if ('edited' in made) {
      at = made.edited;
      continue;
    }
    now += made.stop.later;
    at = stopOnce(decide, at, made.stop, now, seen);
  }
}

type Stopped = typeof stop extends fc.Arbitrary<infer Made> ? Made : never;

/** One stop as the engine serves it: a look, the frame's own check, all checks, then the answer. */
function stopOnce(decide: Decide, at: State, made: Stopped, now: number, seen: Set<string>): State {
  const { limited, signal, unread, untilCheck, proof, until } = made;
  let facts: Given = {
    ...{ now, limited: null, signal: unread ? ('unread' as const) : signal, nearMiss: 'none', seen: null },
    ...{ untilCheck, proof: null, until: null },
  };
  for (let turns = 0; turns < 6; turns++) {
    const step = decide(at, facts);
    mustBeAccepted(outcomeOf(step, at, now), naiveIdle(at, facts), { at, facts }, seen);
    if (step.kind === 'look')
      facts = step.at === 'limit' ? { ...facts, limited } : { ...facts, signal, seen: 'a line' };
    else if (step.kind === 'prove')
      facts = step.only === undefined ? { ...facts, proof } : { ...facts, until };
    else return after(at, step, now);
  }
  throw new Error('a stop that comes to no answer');
}

function after(at: State, step: Step<Change>, now: number): State {
  const change = step.kind === 'hold' || step.kind === 'allow' ? step.change : null;
  if (change === null || at.kind !== 'loop') return at;
  return { kind: 'loop', event: change.event, updatedAt: now, stack: framesAfter(at.stack, change) };
}

const ABOUT: Readonly<Record<string, string>> = { 'maximum-inner': 'maximum' };

function outcomeOf(step: Step<Change>, at: State, now: number): Outcome<State> {
  const next = after(at, step, now);
  if (step.kind === 'look') return { answer: 'look', about: step.at, state: next, also: { reason: null } };
  if (step.kind === 'review') throw new Error('idle never asks for a review');
  if (step.kind === 'prove')
    return { answer: 'prove', about: step.only ?? 'claim', state: next, also: { reason: null } };
  const { change } = step;
  const said = step.kind === 'hold' ? step.message.name : (step.notice?.name ?? null);
  const about = said === null ? (change === null ? null : 'completed') : (ABOUT[said] ?? said);
  return { answer: step.kind, about, state: next, also: { reason: change?.reason ?? null } };
}

// idle's loop, written as a flow, answers as idle does. Differs by design, and so is mapped here: idle numbers iterations
// and a flow holds; idle's signals have names of their own; a loop goes stale after two hours and a flow does not; nested
// loops, `--until` and refused claims have no counterpart.

import { describe, expect, it } from 'vitest';
import { UNASKED } from '../../src/engine/proof/asked.ts';
import { compile } from '../../src/workflows/flow/language/compile.ts';
import { type Definition, NO_SIGNAL } from '../../src/workflows/flow/types.ts';
import { decide as decideIdle } from '../../src/workflows/idle/decide.ts';
import type { Reason } from '../../src/workflows/idle/modes.ts';
import type { Loop } from '../../src/workflows/idle/types.ts';
import { fc } from '../support/property.ts';
import { STILL, Walk } from './walk.ts';

const flowOf = (max: number): string => `flow: loop
holds: ${max}
start: work
states:
  work:
    say: "{{task}}"
    leave:
      - { when: { signal: complete }, to: done }
      - { when: { signal: stuck }, to: stuck }
  done: { end: completed }
  stuck: { end: let-go }
`;

function compiledLoop(max: number): Definition {
  const compiled = compile(flowOf(max), []);
  if (compiled.kind === 'refused') throw new Error('it is refused');
  return compiled.definition;
}

const loops = new Map(Array.from({ length: 12 }, (_, index) => [index + 1, compiledLoop(index + 1)]));

const SIGNALS: readonly (readonly [Reason | 'none', string])[] = [
  ['none', NO_SIGNAL],
  ['COMPLETE', 'complete'],
  ['STUCK', 'stuck'],
];

type Answer = { answer: string; over: string | null; hold: number | null };

function idleAt(iter: number, max: number, signal: Reason | 'none'): Answer {
  const stack = [{ mode: 'loop', iter, max, carryOn: false }] as const;
  const loop: Loop = { kind: 'loop', event: 'STATE', updatedAt: 0, stack };
  const step = decideIdle(loop, {
    ...{ now: 0, limited: null, signal, nearMiss: 'none', seen: null, untilCheck: null },
    ...{ proof: UNASKED, until: null },
  });
  if (step.kind === 'hold') return { answer: 'hold', over: null, hold: Number(step.message.slots.iteration) };
  return { answer: step.kind, over: step.kind === 'allow' ? (step.over ?? null) : null, hold: null };
}

describe('a loop of idle as a flow', () => {
  it('answers the same at every stop, over random stops', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.array(fc.constantFrom(...SIGNALS, ...SIGNALS.slice(0, 1), ...SIGNALS.slice(0, 1)), {
          minLength: 1,
          maxLength: 20,
        }),
        (max, stops) => {
          const walk = new Walk(loops.get(max) ?? compiledLoop(max));
          let iteration = 0;
          for (const [reason, signal] of stops) {
            const idle = idleAt(iteration, max, reason);
            const step = walk.stop({ ...STILL, signal });
            const flow: Answer =
              step.kind === 'hold'
                ? { answer: 'hold', over: null, hold: Number(step.message.slots.hold) }
                : { answer: step.kind, over: step.over ?? null, hold: null };
            if (JSON.stringify(flow) !== JSON.stringify(idle)) expect(flow).toEqual(idle);
            if (idle.hold === null) return;
            iteration = idle.hold;
          }
        },
      ),
      { numRuns: 2000 },
    );
  });
});

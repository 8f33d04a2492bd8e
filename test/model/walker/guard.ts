// Random walks of the guard: any movement between any holds, with limits a config could set.

import fc from 'fast-check';
import type { GuardLimits, Movement } from '../../../src/engine/guard/guard.ts';
import { NO_GUARD_MEMORY } from '../../../src/store/records.ts';
import type { Weigh } from '../guard/model.ts';
import { type Event, naiveGuard } from '../naive/guard.ts';

const limits: fc.Arbitrary<GuardLimits> = fc.record({
  unmoved: fc.integer({ min: 0, max: 7 }),
  tools: fc.option(fc.integer({ min: 0, max: 15 })),
  unknown: fc.constantFrom(12, 12, 3),
});

const movement: fc.Arbitrary<Movement> = fc.record({
  state: fc.constantFrom(...new Array(19).fill(false), true),
  artifacts: fc.constantFrom(...new Array(19).fill(false), true),
  tools: fc.constantFrom('yes', 'no', 'unknown'),
  waited: fc.constantFrom(false, false, false, false, true),
});

export const guardWalk = fc.record({ limits, movements: fc.array(movement, { maxLength: 60 }) });

export function walkGuard(weigh: Weigh, walk: { limits: GuardLimits; movements: readonly Movement[] }): void {
  let memory = NO_GUARD_MEMORY;
  const history: Event[] = [];
  for (const made of walk.movements) {
    // As the engine has it: before the first hold nothing can have moved.
    const moved: Movement = memory.held ? made : { state: false, artifacts: false, tools: 'no' };
    const weighed = weigh(memory, moved, walk.limits);
    const naive = naiveGuard(history, moved, walk.limits);
    const first = weighed.kind === 'release' && weighed.first;
    if (weighed.kind !== naive.answer || first !== naive.first)
      throw new Error(`guard: ${weighed.kind} ${first}, naive: ${naive.answer} ${naive.first}`);
    history.push({ answer: naive.answer, movement: moved });
    memory = weighed.memory;
  }
}

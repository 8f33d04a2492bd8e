import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { weigh } from '../../../src/engine/guard.ts';
import { decide as decideClaudex } from '../../../src/workflows/claudex/decide.ts';
import { decide as decideIdle } from '../../../src/workflows/idle/decide.ts';
import { decide as decideTaskie } from '../../../src/workflows/taskie/decide.ts';
import { claudexWalk, walkClaudex } from './claudex.ts';
import { SEED, WALKS } from './compare.ts';
import { guardWalk, walkGuard } from './guard.ts';
import { idleWalk, walkIdle } from './idle.ts';
import { taskieWalk, walkTaskie } from './taskie.ts';

const RUNS = { numRuns: WALKS, seed: SEED };
const LONG = 600_000;

describe('a random walk finds no difference to the naive model', () => {
  it('of claudex', { timeout: LONG }, () => {
    fc.assert(
      fc.property(claudexWalk, (walk) => walkClaudex(decideClaudex, walk)),
      RUNS,
    );
  });

  it('of idle', { timeout: LONG }, () => {
    fc.assert(
      fc.property(idleWalk, (walk) => walkIdle(decideIdle, walk)),
      RUNS,
    );
  });

  it('of taskie', { timeout: LONG }, () => {
    fc.assert(
      fc.property(taskieWalk, (walk) => walkTaskie(decideTaskie, walk)),
      RUNS,
    );
  });

  it('of the guard', { timeout: LONG }, () => {
    fc.assert(
      fc.property(guardWalk, (walk) => walkGuard(weigh, walk)),
      RUNS,
    );
    expect(WALKS).toBeGreaterThanOrEqual(1000);
  });
});

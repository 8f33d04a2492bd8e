// Random walks of each decision beside its naive model. HOLDFAST_MODEL_WALKS=100000 makes it the long run.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { weigh } from '../../../src/engine/guard/guard.ts';
import { decide as decideClaudex } from '../../../src/workflows/claudex/decide.ts';
import { decide as decideIdle } from '../../../src/workflows/idle/decide.ts';
import { decide as decideTaskie } from '../../../src/workflows/taskie/decide.ts';
import { claudexWalk, walkClaudex } from './claudex.ts';
import { SEED, WALKS } from './compare.ts';
import { guardWalk, walkGuard } from './guard.ts';
import { idleWalk, walkIdle } from './idle.ts';
import { taskieWalk, walkTaskie } from './taskie.ts';

const RUNS = { numRuns: WALKS, seed: SEED };
const LONG = { timeout: 3_600_000 };

/** A walk that never comes by an outcome says nothing about it. */
const everyOutcome = (...outcomes: string[]): Set<string> => new Set(outcomes);

describe('a random walk finds no difference to the naive model, and comes by every outcome', () => {
  it('of claudex', LONG, () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(claudexWalk, (walk) => walkClaudex(decideClaudex, walk, seen)),
      RUNS,
    );
    expect(seen).toEqual(
      everyOutcome(
        ...['hold draft', 'hold round', 'hold wait', 'hold complete', 'hold stopped', 'hold review'],
        ...['allow -', 'allow still-running', 'allow review-missing', 'allow review-running'],
      ),
    );
  });

  it('of idle', LONG, () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(idleWalk, (walk) => walkIdle(decideIdle, walk, seen)),
      RUNS,
    );
    expect(seen).toEqual(
      everyOutcome(
        ...[
          'hold continue',
          'look limit',
          'look signal',
          'allow -',
          'allow completed',
          'allow maximum',
          'allow stale',
        ],
        ...['allow corrupt', 'allow unknown-mode', 'allow unreadable', 'allow lost'],
        ...['prove claim', 'prove test'],
      ),
    );
  });

  it('of taskie', LONG, () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(taskieWalk, (walk) => walkTaskie(decideTaskie, walk, seen)),
      RUNS,
    );
    const reviews = ['plan-review', 'tasks-review', 'code-review', 'all-code-review'];
    const carried = [
      ...['limit-reached', 'outstanding', 'review-missing', 'review-failed', 'review-given-up'],
      'checks-refused',
    ];
    expect(seen).toEqual(
      everyOutcome(
        ...reviews.flatMap((review) => [`review ${review}`, `hold answer-${review}`]),
        ...carried.flatMap((notice) => [`hold ${notice}`, `allow ${notice}`]),
        ...['hold violations', 'allow validated', 'allow passed', 'allow reviews-off'],
        ...['allow no-tasks', 'allow no-current-task', 'allow no-task-file', 'look tasks', 'look pending'],
        ...['prove claim', 'prove receipts'],
      ),
    );
  });

  it('of the guard', LONG, () => {
    fc.assert(
      fc.property(guardWalk, (walk) => walkGuard(weigh, walk)),
      RUNS,
    );
  });
});

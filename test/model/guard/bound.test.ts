// Invariant 2: from every reachable state, whatever the agent does, at most so many holds follow without
// progress. The numbers below are computed by the longest way through each workflow under the guard.

import { describe, expect, it } from 'vitest';
import type { Movement } from '../../../src/engine/guard/guard.ts';
import { decide as decideClaudex } from '../../../src/workflows/claudex/decide.ts';
import { decide as decideIdle } from '../../../src/workflows/idle/decide.ts';
import type { Frame } from '../../../src/workflows/idle/types.ts';
import { decide as decideTaskie } from '../../../src/workflows/taskie/decide.ts';
import { holdsWithoutProgress } from './bound.ts';
import { claudexBound, idleBound, taskieBound } from './workflows.ts';

const ANYTHING: readonly Movement['tools'][] = ['yes', 'no', 'unknown'];
const NOTHING: readonly Movement['tools'][] = ['no'];

const frame = (mode: Frame['mode'], max: number, carryOn = false): Frame => ({ mode, iter: 0, max, carryOn });

describe('holds without progress', () => {
  it('are at most 12 in claudex, and 3 when the agent does nothing at all', () => {
    expect(holdsWithoutProgress(claudexBound(decideClaudex, ANYTHING))).toMatchObject({ holds: 12 });
    expect(holdsWithoutProgress(claudexBound(decideClaudex, NOTHING))).toMatchObject({ holds: 3 });
  });

  it('are at most 12 in taskie, and 3 when the agent does nothing at all', () => {
    expect(holdsWithoutProgress(taskieBound(decideTaskie, ANYTHING))).toMatchObject({ holds: 12 });
    expect(holdsWithoutProgress(taskieBound(decideTaskie, NOTHING))).toMatchObject({ holds: 3 });
  });

  it("are at most a loop's own maximum in idle, and 6 when the agent does nothing at all", () => {
    const loop = [frame('loop', 10)];
    expect(holdsWithoutProgress(idleBound(decideIdle, loop, ANYTHING))).toMatchObject({ holds: 10 });
    expect(holdsWithoutProgress(idleBound(decideIdle, loop, NOTHING))).toMatchObject({ holds: 6 });
  });

  it('are at most the maxima of all nested loops together', () => {
    const nested = [frame('grind', 3, true), frame('issue', 2), frame('loop', 4)];
    expect(holdsWithoutProgress(idleBound(decideIdle, nested, ANYTHING))).toMatchObject({ holds: 9 });
  });

  it('are at most 12 behind a transcript that never tells, also in a grind of 100', () => {
    const grind = [frame('grind', 100, true)];
    expect(holdsWithoutProgress(idleBound(decideIdle, grind, ['unknown']))).toMatchObject({ holds: 12 });
    expect(holdsWithoutProgress(idleBound(decideIdle, grind, ['yes']))).toMatchObject({ holds: 100 });
  });
});

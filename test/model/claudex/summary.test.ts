// Nothing reads as reviewed that was not: every set of reviewed rounds, in every round, under every limit.

import { describe, expect, it } from 'vitest';
import { DEFAULT_CONFIG } from '../../../src/config/config.ts';
import { filesOf, stateDirOf } from '../../../src/workflows/claudex/files.ts';
import { reviewerFor } from '../../../src/workflows/claudex/reviewer.ts';
import { readLoop } from '../../../src/workflows/claudex/state-format.ts';
import { roundsTable, verdictOn } from '../../../src/workflows/claudex/summary.ts';

const ROUNDS = [1, 2, 3, 4];
const COUNTS = { high: 0, medium: 0, low: 0 };

/** No runner ever ran there. */
const dir = stateDirOf({ root: '/nowhere', env: {} });
const files = filesOf(dir, '20260131-093000-1a2b3c');

describe('what is said of a loop that ended', () => {
  const cases = ROUNDS.flatMap((round) =>
    ROUNDS.flatMap((maxRounds) =>
      Array.from({ length: 2 ** ROUNDS.length }, (_, bits) => {
        const reviewed = ROUNDS.filter((each) => (bits >> (each - 1)) & 1);
        const rounds = new Map(reviewed.map((each) => [each, COUNTS]));
        const loop = { ...readLoop(''), round };
        return {
          world: { loop, maxRounds, rounds, dir, files, reviewer: reviewerFor(DEFAULT_CONFIG) },
          reviewed,
          last: Math.min(round, maxRounds),
        };
      }),
    ),
  );

  it('names every round that nobody reviewed as not reviewed', () => {
    for (const { world, reviewed, last } of cases) {
      const lines = roundsTable(world).split('\n');
      expect(lines).toHaveLength(last);
      for (const [index, line] of lines.entries())
        expect(line.includes('not reviewed'), line).toBe(!reviewed.includes(index + 1));
    }
  });

  it('never hides that a round was not reviewed', () => {
    for (const { world, reviewed, last } of cases) {
      const whole = ROUNDS.slice(0, last).every((round) => reviewed.includes(round));
      const said = verdictOn(world);
      expect(/not reviewed|No review ran|were not/.test(said), `${reviewed} of ${last}: ${said}`).toBe(
        !whole,
      );
    }
  });

  it('names no round as the last reviewed one that is not of this loop', () => {
    for (const { world, last } of cases) {
      const named = /since round (\d+)/.exec(verdictOn(world))?.[1];
      if (named !== undefined) expect(Number(named)).toBeLessThan(last);
    }
  });
});

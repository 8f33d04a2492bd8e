// The same around checks and reviewers, and by them: what they print goes past what lies in its way.

import { expect, test } from 'vitest';
import { RUNS } from '../broken.ts';
import { withPrograms } from './hostile-scenes.ts';
import { attackScenes } from './hostile-steps.ts';

/** For a long run, too. */
const PATIENCE_MS = Math.max(900_000, RUNS * 1000);

test(
  'of a check or a review, no moment is one to plant something at, nor while it runs',
  async () => {
    const { problems, struck, missed } = await attackScenes(withPrograms, Math.ceil(RUNS / 22));
    expect(problems).toEqual([]);
    // A few calls depend on the time it is, or on who else runs.
    expect(missed.length, missed.join('\n')).toBeLessThan(struck / 10);
  },
  PATIENCE_MS,
);

// Links, FIFOs, hard links and swapped folders, planted at every path that a stop, another event or a command touches,
// right before the call that is about it: nothing outside is written or told, nothing hangs, and the run goes on.

import { expect, test } from 'vitest';
import { RUNS } from '../broken.ts';
import { commands, events, stops } from './hostile-scenes.ts';
import { attackScenes } from './hostile-steps.ts';

/** For a long run, too. */
const PATIENCE_MS = Math.max(900_000, RUNS * 1000);

test.each([
  ['a stop', stops, 30],
  ['a command or another event', [...commands, ...events], 45],
] as const)(
  'of %s, no moment is one to plant something at',
  async (_, scenes, share) => {
    const { problems, struck, missed } = await attackScenes(scenes, Math.ceil(RUNS / share));
    expect(problems).toEqual([]);
    // A few calls depend on the time it is, or on who else runs.
    expect(missed.length, missed.join('\n')).toBeLessThan(struck / 10);
  },
  PATIENCE_MS,
);

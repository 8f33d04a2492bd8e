// A race against a build with a planted defect.

import fs from 'node:fs';
import { type Defect, plant } from '../crash/plant.ts';
import type { Race } from './races.ts';

const MOST_TRIES = 40;

/**
 * What the race found wrong. Whether two processes meet in the gap that the defect opens is chance, so a race that
 * they missed is run again: forty misses in a row are not bad luck any more (the rarest is met in one of five).
 */
export async function problemsOf(
  defect: Defect,
  race: Race,
  fault?: string,
  ...more: Defect[]
): Promise<string[]> {
  const plugin = await plant(defect, ...more);
  try {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const problems = await race(plugin, fault);
      if (problems.length > 0) return problems;
    }
    return [];
  } finally {
    fs.rmSync(plugin, { recursive: true, force: true });
  }
}

// Group 24, what goes beyond the twelve scenarios of CI.

import { describe } from 'vitest';
import { compactionScenario, longIdleScenarios } from '../../basics.ts';
import { droidExec, enterDroid } from '../../clients/droid.ts';
import { type Stage, stageFor } from '../../scenario.ts';

async function open(name?: string): Promise<Stage> {
  const stage = await stageFor(name);
  await enterDroid(stage, true);
  return stage;
}

describe('24. Droid, with --all', () => {
  const played = { host: droidExec, open };
  longIdleScenarios(played);
  compactionScenario(played, 900_000);
});

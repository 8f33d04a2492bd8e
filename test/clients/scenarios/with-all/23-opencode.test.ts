// Group 23, what goes beyond the twelve scenarios of CI.

import { describe } from 'vitest';
import { compactionScenario, longIdleScenarios, taskieScenario } from '../../basics.ts';
import { enterOpencode, opencodeRun } from '../../clients/opencode.ts';
import { TASK } from '../../loop.ts';
import { type Stage, stageFor } from '../../scenario.ts';
import { typedScenario } from '../../typed.ts';

async function open(name?: string): Promise<Stage> {
  const stage = await stageFor(name);
  await enterOpencode(stage, true);
  return stage;
}

describe('23. opencode, with --all', () => {
  // `run` quotes words with blanks in them by itself.
  const typed = { prompt: TASK, words: `"${TASK}"`, options: { args: ['--command', 'idle:loop'] } };
  const played = { host: opencodeRun, open };
  longIdleScenarios(played);
  compactionScenario(played, 99_000);
  taskieScenario(played);
  typedScenario(played, typed);
});

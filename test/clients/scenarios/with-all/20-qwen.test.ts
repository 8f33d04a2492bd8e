// Group 20, what goes beyond the twelve scenarios of CI.

import { describe } from 'vitest';
import { enterQwen, qwenPrint } from '../../clients/qwen.ts';
import {
  accessScenario,
  askedWithEditScenario,
  compactedScenario,
  killedScenario,
  tokensScenario,
  waitedScenario,
} from '../../driven-capped.ts';
import { drivenOther } from '../../headless.ts';
import { type Stage, stageFor } from '../../scenario.ts';

async function open(): Promise<Stage> {
  const stage = await stageFor();
  await enterQwen(stage, true);
  return stage;
}

describe('20. Qwen Code, with --all', () => {
  const played = { host: qwenPrint, open };
  const driven = drivenOther('qwen');
  compactedScenario(played, 195_000);
  tokensScenario(played, 120);
  killedScenario(played, driven);
  askedWithEditScenario(played, driven);
  // A server that is overloaded it asks for an hour by itself.
  waitedScenario(played, driven, { what: 'network', failures: [], address: 'OPENAI_BASE_URL' });
  accessScenario(played, driven, [
    /^write_file\(.*outside\.txt\)$/,
    /^run_shell_command\(npm test\)$/,
    /git -c alias/,
    /; touch owned/,
    /\$\(touch owned\)/,
    />.*outside\.txt/,
  ]);
});

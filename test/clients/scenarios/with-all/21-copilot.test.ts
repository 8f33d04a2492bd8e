// Group 21, what goes beyond the twelve scenarios of CI.

import { describe } from 'vitest';
import { copilotPrint, enterCopilot } from '../../clients/copilot.ts';
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
  await enterCopilot(stage, true);
  return stage;
}

/** It asks six times before it gives up. */
const OVERLOADED = Array.from({ length: 6 }, () => ({
  fails: { status: 503, type: 'service_unavailable_error', message: 'Our servers are overloaded.' },
}));

describe('21. Copilot CLI, with --all', () => {
  const played = { host: copilotPrint, open };
  const driven = drivenOther('copilot');
  compactedScenario(played, 127_000);
  tokensScenario(played, 120);
  killedScenario(played, driven);
  askedWithEditScenario(played, driven);
  waitedScenario(played, driven, { what: 'server', failures: OVERLOADED });
  accessScenario(played, driven, [
    /^create\(.*outside\.txt\)$/,
    /^shell\(npm test\)$/,
    /git -c alias/,
    /; touch owned/,
    /\$\(touch owned\)/,
    />.*outside\.txt/,
  ]);
});

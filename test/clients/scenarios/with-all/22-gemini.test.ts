// Group 22, what goes beyond the twelve scenarios of CI.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { taskieScenario } from '../../basics.ts';
import { geminiPrompt, userSettings } from '../../clients/gemini.ts';
import { geminiStages } from '../../gemini-stages.ts';
import { DONE, iterations, loopState, startLoop, TASK } from '../../loop.ts';
import { answers, holdsOf, saw, say } from '../../scenario.ts';
import { typedScenario } from '../../typed.ts';

const open = geminiStages();

describe('22. Gemini CLI, with --all', () => {
  const { mode } = geminiPrompt;
  const played = { host: geminiPrompt, open };
  taskieScenario(played);
  typedScenario(played, { prompt: geminiPrompt.skill('idle:loop', TASK), words: TASK });

  it(`its limit of turns: a hold that asks no model is not repeated (${mode})`, async (context) => {
    const stage = await open();
    const settings = path.join(stage.home, '.gemini', 'settings.json');
    fs.writeFileSync(settings, JSON.stringify({ ...userSettings, model: { maxSessionTurns: 4 } }));
    stage.agent(startLoop(geminiPrompt.cli(stage)), say('One.'), say('Two.'), say('Three.'), say(DONE));
    const { notices } = await geminiPrompt.play(stage, TASK);
    expect(iterations(holdsOf(stage))).toEqual(['1/10', '2/10']);
    expect(answers(stage.root)).toEqual(['hold', 'hold', 'hold', 'allow']);
    expect(notices).toContainEqual(expect.stringMatching(/took the last hold without asking its model/));
    expect(loopState(stage.root)).toMatchObject({ event: 'STATE' });
    saw(
      context,
      mode,
      'the third hold was taken without a request; the next stop was let go with a notice, and the run waits',
    );
  });
});

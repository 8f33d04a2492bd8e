// Group 22, what goes beyond the twelve scenarios of CI.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { compactionScenario, longIdleScenarios, taskieScenario } from '../../basics.ts';
import { drivenGemini, geminiPrompt, userSettings } from '../../clients/gemini.ts';
import { geminiStages } from '../../gemini-stages.ts';
import { DONE, iterations, loopState, startLoop, TASK } from '../../loop.ts';
import { runOn } from '../../run-command.ts';
import { answers, holdsOf, nothingLeft, run, type Stage, saw, say } from '../../scenario.ts';
import { typedScenario } from '../../typed.ts';

const open = geminiStages();

function limitTurns(stage: Stage): void {
  const settings = path.join(stage.home, '.gemini', 'settings.json');
  fs.writeFileSync(settings, JSON.stringify({ ...userSettings, model: { maxSessionTurns: 4 } }));
}

describe('22. Gemini CLI, with --all', () => {
  const { mode } = geminiPrompt;
  const played = { host: geminiPrompt, open };
  longIdleScenarios(played);
  compactionScenario(played, 900_000);
  taskieScenario(played);
  typedScenario(played, { prompt: geminiPrompt.skill('idle:loop', TASK), words: TASK });

  it(`its limit of turns: a hold that asks no model is not repeated (${mode})`, async (context) => {
    const stage = await open();
    limitTurns(stage);
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

  it(`holdfast run: after its limit of turns it is prompted again (${mode})`, async (context) => {
    const stage = await open();
    limitTurns(stage);
    const work = ['one', 'two', 'three', 'four'].flatMap((word) => [run(`echo ${word}`), say(`${word}.`)]);
    stage.agent(...work, say(DONE));
    const running = runOn(drivenGemini, stage, ['--access', 'full', 'idle', 'loop', TASK]);
    const { exitCode, summary } = await running.ended;
    expect(summary).toMatchObject({ code: 0, why: 'completed', sessions: 1 });
    expect(exitCode).toBe(0);
    expect(stage.cast.left('agent')).toBe(0);
    const starts = running.events().filter(({ event }) => event === 'client-began');
    expect(starts.map(({ how }) => how)).toEqual(['new', 'resumed', 'resumed']);
    await nothingLeft(stage);
    saw(
      context,
      mode,
      'it took a hold without asking its model; prompted again in the same session, to the signal',
    );
  });

  it(`holdfast run: after its loop detection it is prompted again (${mode})`, async (context) => {
    const stage = await open();
    const same = Array.from({ length: 5 }, () => run('echo same'));
    stage.agent(
      ...same,
      { ...run('echo same'), say: 'Once more.' },
      run('echo other'),
      say('One.'),
      say(DONE),
    );
    const running = runOn(drivenGemini, stage, ['--access', 'full', 'idle', 'loop', TASK]);
    const { summary } = await running.ended;
    expect(summary).toMatchObject({ code: 0, why: 'completed', iterations: 1, sessions: 1 });
    const starts = running.events().filter(({ event }) => event === 'client-began');
    expect(starts.map(({ how }) => how)).toEqual(['new', 'resumed']);
    await nothingLeft(stage);
    saw(
      context,
      mode,
      'it ended the turn by itself and fired no hook; resumed with a prompt, held, to the signal',
    );
  });
});

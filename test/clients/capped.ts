// The scenarios of the clients that honour only so many holds after one prompt.

import fs from 'node:fs';
import { expect, it } from 'vitest';
import type { Played } from './basics.ts';
import { forgeRuns } from './forged.ts';
import { DONE, iterations, loopState, startLoop, TASK, upTo } from './loop.ts';
import { steps } from './plays.ts';
import { answers, holdsOf, run, runCli, saw, say } from './scenario.ts';

/** `words`: seven, seventh. */
export type Cap = { client: string; holds: number; words: readonly [number: string, ordinal: string] };

export function noRunScenario({ host, open }: Played): void {
  it('no run: has no effect and creates nothing', async (context) => {
    const stage = await open();
    stage.agent(run('ls -a'), say('There is nothing here.'));
    const played = await host.play(stage, 'What is in this folder?');
    expect(played).toMatchObject({ exitCode: 0, result: 'There is nothing here.' });
    expect(stage.cast.of('agent')).toHaveLength(2);
    expect(fs.readdirSync(stage.root)).toEqual(['.git']);
    saw(context, host.mode, 'not held, the answer unchanged, no file created');
  });
}

export function capScenario({ host, open }: Played, { client, holds, words }: Cap): void {
  const [number, ordinal] = words;
  it(`the cap of the client: ${number} holds, then the run waits for a prompt`, async (context) => {
    const stage = await open();
    stage.agent(startLoop(host.cli(stage), '--max 50'), say('On.'), ...steps(holds));
    const played = await host.play(stage, TASK);
    const last = new RegExp(`the last time that ${client} lets you be sent back`);
    expect(iterations(holdsOf(stage))).toEqual(upTo(holds, 50));
    expect(holdsOf(stage).map((hold) => last.test(hold))).toEqual([...Array(holds - 1).fill(false), true]);
    expect(answers(stage.root)).toEqual([...Array(holds).fill('hold'), 'allow']);
    expect(runCli(stage, 'status')).toContain(
      `${client} ends a turn after ${holds} holds. Type anything to go on.`,
    );

    stage.agent(say('Going on.'), run('echo more >>work.txt'), say(DONE));
    await host.play(stage, 'Go on.', { resume: played.session });
    expect(holdsOf(stage).at(-1)).toContain(`[ITERATION ${holds + 1}/50]`);
    expect(loopState(stage.root)).toMatchObject({ event: 'DONE', reason: 'COMPLETE' });
    saw(
      context,
      host.mode,
      `the ${ordinal} hold says that it is the last; the next stop is let go and not counted; a prompt in the resumed session goes on at iteration ${holds + 1}, to the signal`,
    );
  });
}

export function forgedScenario({ host, open }: Played): void {
  it('a repository that brings runs along holds nobody', async (context) => {
    const stage = await open();
    forgeRuns(stage);
    stage.agent(say('Looked.'));
    const played = await host.play(stage, 'Look around.');
    expect(played.result).toBe('Looked.');
    expect(stage.cast.of('agent')).toHaveLength(1);
    expect(stage.exists('owned')).toBe(false);
    saw(context, host.mode, 'runs of three workflows with notes for guessed sessions: not held, nothing run');
  });
}

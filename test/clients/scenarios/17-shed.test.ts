// Group 17, its agent's ways out: an agent that `holdfast run` drives cannot end its run, nor start one that goes further.

import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { pluginFolder } from '../clients/place.ts';
import { DONE, loopStates, TASK } from '../loop.ts';
import { both, runOn } from '../run-command.ts';
import { nothingLeft, run, saw, say, stageFor } from '../scenario.ts';

const cli = (): string => path.join(pluginFolder('holdfast'), 'bin', 'holdfast');

/** A command that does not end. */
const STAYS = 'tail -f /dev/null';

describe('17. holdfast run, and an agent that would be rid of it', () => {
  it.for(both)('`idle cancel` and `idle loop --max 9999` in its shell ($mode)', async (driven, context) => {
    const stage = await stageFor();
    stage.agent(
      run(`${cli()} idle cancel`),
      run(`${cli()} cancel`),
      run(`${cli()} idle loop --max 9999 'On and on'`),
      say('One.'),
      say(DONE),
      say(DONE),
    );
    const { exitCode, summary, stderr } = await runOn(driven, stage, ['idle', 'loop', TASK]).ended;
    expect(stderr).toBe('');
    expect(summary).toMatchObject({ code: 0, why: 'completed', sessions: 1 });
    expect(exitCode).toBe(0);
    const states = loopStates(stage.root);
    expect(states.filter(({ event }) => event === 'ABORT')).toEqual([]);
    expect(new Set(states.map(({ run_id }) => run_id)).size).toBe(1);
    // In place of 9999: one of the ten goes for the start.
    expect(Math.max(...states.flatMap(({ stack }) => stack.map(({ max }) => max)))).toBe(10);
    expect(states.some(({ stack }) => stack.length === 2 && stack[1]?.max === 9)).toBe(true);
    const heard = stage.cast.of('agent').map(({ whole }) => whole);
    expect(heard.at(-1)).toContain("this shell is its agent's: only a person ends it");
    expect(heard.at(-1)).toContain('It gets 9, not 9999');
    await nothingLeft(stage);
    saw(
      context,
      driven.mode,
      'with `--access edit` both cancels were refused, and the loop that it started was nested and got what was left',
    );
  });

  it.for(both)('the files of its run removed, and on with the work ($mode)', async (driven, context) => {
    const stage = await stageFor();
    stage.agent(run('find .jwz .holdfast -delete'), run(STAYS), say('Never said.'));
    const words = ['--access', 'full', 'idle', 'loop', TASK];
    const { exitCode, summary } = await runOn(driven, stage, words).ended;
    expect(summary).toMatchObject({ code: 5, why: 'cancelled-by-agent', outcome: 'cancelled by its agent' });
    expect(exitCode).toBe(5);
    await nothingLeft(stage);
    saw(context, driven.mode, 'its client was ended in the middle of a call, exit code 5');
  });
});

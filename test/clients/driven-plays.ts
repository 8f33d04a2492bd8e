// What `holdfast run` is played through in every further client that it drives.

import path from 'node:path';
import { expect, it } from 'vitest';
import type { Mode } from './clients/host.ts';
import { pluginFolder } from './clients/place.ts';
import type { Driven } from './headless.ts';
import { DONE, iterations, TASK, upTo } from './loop.ts';
import { runOn } from './run-command.ts';
import {
  answers,
  holdsOf,
  nothingLeft,
  processesOf,
  run,
  type Stage,
  saw,
  say,
  until,
  write,
} from './scenario.ts';

export type DrivenPlays = {
  driven: Driven;
  mode: Mode;
  open(name?: string): Promise<Stage>;
  /** It can be kept to editing and to what is allowed. */
  edits: boolean;
};

/** A command that does not end. */
const STAYS = 'tail -f /dev/null';

export const cli = (): string => path.join(pluginFolder('holdfast'), 'bin', 'holdfast');

export function drivenScenarios({ driven, mode, open, edits }: DrivenPlays): void {
  if (edits) editScenario(driven, mode, open);
  else fullScenario(driven, mode, open);
  killScenario(driven, mode, open);
}

type Open = DrivenPlays['open'];

function editScenario(driven: Driven, mode: Mode, open: Open): void {
  it(`holdfast run: a loop to its signal, with what edit allows (${mode})`, async (context) => {
    const stage = await open();
    const outside = path.join(stage.home, 'outside.txt');
    stage.agent(
      run('git status'),
      run('touch denied.txt'),
      write(stage.file('a.txt'), 'x'),
      say('One.'),
      run('git add a.txt && touch chained.txt'),
      write(outside, 'x'),
      run('git add a.txt'),
      say('Two.'),
      say(DONE),
    );
    const running = runOn(driven, stage, ['idle', 'loop', TASK]);
    const { exitCode, summary, stderr } = await running.ended;
    expect(stderr).toBe('');
    expect(summary).toMatchObject({ code: 0, why: 'completed', iterations: 2, sessions: 1 });
    expect(exitCode).toBe(0);
    expect(answers(stage.root)).toEqual(['hold', 'hold', 'allow']);
    expect(iterations(holdsOf(stage))).toEqual(upTo(2, 10));
    expect(stage.cast.of('agent')[0]?.opening).toContain(TASK);
    expect(stage.read('a.txt')).toBe('x');
    expect(stage.git('status', '--short', 'a.txt')).toMatch(/^A/);
    const denied = running.events().flatMap(({ event, what }) => (event === 'denied' ? String(what) : []));
    expect(denied.join('\n')).toContain('touch denied.txt');
    expect([stage.exists('denied.txt'), stage.exists('chained.txt')]).toEqual([false, false]);
    expect(stage.exists(path.relative(stage.root, outside))).toBe(false);
    await nothingLeft(stage);
    saw(
      context,
      mode,
      'exit code 0 after two holds, in one session; it edited in the project and ran what was allowed, and nothing else',
    );
  });
}

function fullScenario(driven: Driven, mode: Mode, open: Open): void {
  it(`holdfast run: a loop to its signal, with the access it must be asked for (${mode})`, async (context) => {
    const stage = await open();
    const refused = await runOn(driven, stage, ['idle', 'loop', TASK]).ended;
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
    expect(refused.stderr).toMatch(/nothing keeps it to editing\. Say --access full/);
    expect(stage.exists('.holdfast')).toBe(false);
    stage.agent(run('echo one'), say('One.'), write(stage.file('a.txt'), 'x'), say('Two.'), say(DONE));
    const { exitCode, summary } = await runOn(driven, stage, ['--access', 'full', 'idle', 'loop', TASK])
      .ended;
    expect(summary).toMatchObject({ code: 0, why: 'completed', iterations: 2, sessions: 1 });
    expect(exitCode).toBe(0);
    expect(answers(stage.root)).toEqual(['hold', 'hold', 'allow']);
    expect(iterations(holdsOf(stage))).toEqual(upTo(2, 10));
    expect(stage.cast.of('agent')[0]?.opening).toContain(TASK);
    await nothingLeft(stage);
    saw(
      context,
      mode,
      'without `--access full` nothing was started; with it, exit code 0 after two holds in one session',
    );
  });
}

function killScenario(driven: Driven, mode: Mode, open: Open): void {
  it(`holdfast run: the client killed in the middle of its work (${mode})`, async (context) => {
    const stage = await open();
    stage.agent(run('echo one'), say('One.'), run(STAYS), say('Never said.'));
    const running = runOn(driven, stage, ['--access', 'full', 'idle', 'loop', TASK]);
    const { pid } = await running.event('client-began');
    await until('the second turn to work', () =>
      processesOf(stage).some(({ command }) => command.includes(STAYS)),
    );
    stage.agent(run('echo two'), say('Two.'), say(DONE));
    process.kill(-Number(pid), 'SIGKILL');
    const { exitCode, summary } = await running.ended;
    expect(summary).toMatchObject({ code: 0, iterations: 2, sessions: 1 });
    expect(exitCode).toBe(0);
    const starts = running.events().filter(({ event }) => event === 'client-began');
    expect(starts.map(({ how }) => how)).toEqual(['new', 'resumed']);
    await nothingLeft(stage);
    saw(context, mode, 'killed in its second iteration: gone on with at once, and the count went on');
  });
}

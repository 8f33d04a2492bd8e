// Whatever an agent that is driven starts, in its run or beside it, gets no more than the run has left, and spends what
// that may spend.

import { afterEach, describe, expect, it } from 'vitest';
import { openProject } from '../../src/engine/stop/find-project.ts';
import { runtimeHere } from '../../src/hook/runtime.ts';
import { budgetOf, giveBudget } from '../support/bare-project.ts';
import { type Action, driveOn, type Stage, stageWith, startedLoop } from './stage.ts';

const WORK: Action = { do: 'work' };
const DONE: Action = { do: 'done' };

let stage: Stage;
afterEach(() => {
  expect(stage.linesOf('violations')).toEqual([]);
  stage.remove();
});

const command = (words: string): Action => ({
  do: 'run',
  line: `"$PLUGIN/bin/holdfast" ${words} >>"$STAGE/shell" 2>&1`,
});
const heard = (): string => stage.linesOf('shell').join('\n');
const FLOW =
  'flow: mine\nholds: 50\nstart: work\nstates:\n  work:\n    say: Work.\n    leave: [ { when: { signal: a }, to: b } ]\n  b: { end: completed }\n';

/** In the second iteration of at most four. */
async function drivenAt(...actions: readonly Action[]) {
  stage = await stageWith([WORK, WORK, ...actions, DONE, DONE, DONE]);
  stage.project.write('holdfast.flows/mine.yaml', FLOW);
  return driveOn(stage, await startedLoop(stage, {}, 4));
}

describe('what a start gets in a driven session', () => {
  it.each([
    ['a loop in the loop', "idle loop --max 9999 'On and on'", 1, 'iteration 0/1'],
    ['a flow beside it', 'flow start mine', 2, 'hold 0 of 2'],
    ['claudex beside it', "claudex plan --rounds 9 'A topic'", 2, 'gets 2'],
  ])('%s gets what the run has left', async (_, words, left, shown) => {
    await drivenAt(command(words), command('status'));
    expect(heard()).toMatch(
      new RegExp(
        `It gets ${left}, not \\d+: that is what idle:\\S+, which \`holdfast run\` drives here, has left\\.`,
      ),
    );
    expect(heard()).toContain(shown);
  });

  it('each start in a loop costs it an iteration, until it has none left', async () => {
    const again = [command("idle loop --max 1 'Once'"), command('idle cancel --top')];
    const { driven } = await drivenAt(...again, ...again);
    expect(heard().match(/drives here, has nothing left that this could have of it/g)).toHaveLength(1);
    expect(driven).toMatchObject({ code: 0 });
  });

  it('a grind goes through its issues as ever, each in a loop of its own', async () => {
    stage = await stageWith([]);
    const record = await startedLoop(stage);
    expect(record.run).toMatch(/^idle:/);
    const issue = [command('idle issue 7'), WORK, DONE];
    stage.write([
      command('idle grind --max 3'),
      ...issue,
      ...issue,
      command('status'),
      DONE,
      DONE,
      DONE,
      DONE,
    ]);
    await driveOn(stage, record);
    expect(heard()).toContain('iteration 2/3');
    expect(heard()).not.toContain('has nothing left');
  });

  it('nothing is started where the run is gone', async () => {
    const gone: Action = { do: 'run', line: 'rm -rf .jwz .holdfast' };
    const { driven } = await drivenAt(gone, command("idle loop --max 9999 'On and on'"), WORK);
    expect(driven).toMatchObject({ code: 5, why: 'cancelled-by-agent' });
    expect(heard()).toMatch(/idle:\S+, which `holdfast run` drives here, does not go on \(it is gone\)/);
  });
});

it('a run that it starts beside the driven one spends what that may spend', async () => {
  stage = await stageWith([command('flow start mine'), WORK, WORK, WORK, WORK, DONE]);
  stage.project.write('holdfast.flows/mine.yaml', FLOW);
  const record = await startedLoop(stage);
  const project = await openProject(stage.project.root, runtimeHere(stage.env));
  const run = record.run ?? '';
  giveBudget(project, budgetOf(project, run, { limits: { tokens: 10 }, spent: { tokens: 10 } }));
  const { driven } = await driveOn(stage, record);
  expect(driven).toMatchObject({ code: 7, why: 'paused' });
  // The flow is served first: its one hold was the last.
  expect(stage.stops().map(({ workflow, answer }) => [workflow, answer])).toEqual([
    ...[
      ['flow', 'hold'],
      ['flow', 'allow'],
      ['idle', 'allow'],
    ],
  ]);
});

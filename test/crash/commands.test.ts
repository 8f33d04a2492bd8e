// The commands that start, move and end runs, killed and failed at every step.

import { expect, it } from 'vitest';
import type { Bench } from './bench.ts';
import * as claudex from './claudex.ts';
import { type Commanded, crashCommand } from './commands.ts';
import * as idle from './idle.ts';
import { ownPlan, planState } from './taskie.ts';

const loops = (bench: Bench): unknown => claudex.loopIds(bench).map((id) => claudex.fields(bench, id).phase);
const messages = (bench: Bench): unknown =>
  bench.project.exists('.jwz/messages.jsonl') && idle.bodies(bench).length > 0
    ? idle.topicState(bench)
    : null;

const lastRound: Pick<Commanded, 'prepare' | 'view' | 'carryOn'> = {
  prepare: claudex.nextRound.prepare,
  view: loops,
  carryOn: claudex.nextRound.carryOn,
};
const loop: Pick<Commanded, 'view' | 'carryOn'> = { view: messages, carryOn: idle.hold.carryOn };

it('claudex plan, killed or failed at every step, starts one loop when it is run again', async () => {
  const problems = await crashCommand({
    prepare: async () => {},
    args: () => ['claudex', 'plan', '--rounds', '1'],
    stdin: 'a cache',
    view: loops,
    async carryOn(bench) {
      await claudex.drafting.carryOn(bench);
      return loops(bench);
    },
  });
  expect(problems).toEqual([]);
});

it('claudex done, killed or failed at every step, is noted when it is run again', async () => {
  const args = (bench: Bench) => ['claudex', 'done', claudex.loopIds(bench)[0] ?? ''];
  expect(await crashCommand({ ...lastRound, args, view: claudex.nextRound.view })).toEqual([]);
});

it('claudex cancel, killed or failed at every step, cancels when it is run again', async () => {
  const carryOn = async (bench: Bench): Promise<unknown> => {
    const { answer } = await bench.stop();
    return { held: answer?.decision === 'block', loops: loops(bench) };
  };
  expect(await crashCommand({ ...lastRound, args: () => ['claudex', 'cancel'], carryOn })).toEqual([]);
});

it('claudex rollback, killed or failed at every step, removes the loop when it is run again', async () => {
  const carryOn = async (bench: Bench): Promise<unknown> => {
    const { answer } = await bench.stop();
    return { held: answer?.decision === 'block', loops: loops(bench) };
  };
  expect(await crashCommand({ ...lastRound, args: () => ['claudex', 'rollback'], carryOn })).toEqual([]);
});

it('idle loop, killed or failed at every step, starts a loop that ends when it is run again', async () => {
  const problems = await crashCommand({
    ...loop,
    prepare: async () => {},
    args: () => ['idle', 'loop', '--max', '5'],
    stdin: 'Fix the parser.',
  });
  expect(problems).toEqual([]);
});

it('idle cancel, killed or failed at every step, ends the loop when it is run again', async () => {
  const prepare = (bench: Bench) => idle.startLoop(bench, 5);
  expect(await crashCommand({ ...loop, prepare, args: () => ['idle', 'cancel'] })).toEqual([]);
});

it('idle resume, killed or failed at every step, goes on with the loop when it is run again', async () => {
  const problems = await crashCommand({
    ...loop,
    async prepare(bench) {
      await idle.startLoop(bench, 5, 1);
      await bench.stop();
      await bench.stop();
    },
    args: () => ['idle', 'resume'],
  });
  expect(problems).toEqual([]);
});

it('taskie record, killed or failed at every step, is recorded when it is run again', async () => {
  const problems = await crashCommand({
    prepare: (bench) =>
      ownPlan(bench, { phase: 'plan-review', next_phase: 'create-tasks', phase_iteration: 2 }),
    args: () => ['taskie', 'record', 'create-tasks'],
    view: planState,
    async carryOn(bench) {
      const { answer } = await bench.stop();
      return { held: answer?.decision === 'block', state: planState(bench) };
    },
  });
  expect(problems).toEqual([]);
});

// `idle loop`: goes on with one task until its completion signal.

import { type Call, type Command, type ExitCode, WrongUsage } from '../../../engine/workflow-cli.ts';
import { maxGiven, START_HELP, START_OPTIONS, START_USAGE, startLoop, textGiven } from './start.ts';

export const loop: Command = {
  name: 'loop',
  summary: 'hold the agent at a task until it signals completion',
  usage: `${START_USAGE} [task]`,
  help: `Without words the task is read from standard input. 10 iterations unless --max says otherwise. Inside a loop of this session the new one is nested on top.
${START_HELP}`,
  options: START_OPTIONS,
  writes: true,
  starts: true,
  words: { least: 0, most: Number.POSITIVE_INFINITY },
  run: start,
};

async function start(call: Call): Promise<ExitCode> {
  const max = maxGiven(call, 'loop');
  const task = textGiven(call);
  if (task === '')
    throw new WrongUsage(
      'idle loop: the task is missing. Usage: holdfast idle loop [--max N] <task>, or the task on standard input.',
    );
  return startLoop(call, () => ({ mode: 'loop', max, task, fields: {} }));
}

// `idle issue`: works on one issue until it is resolved.

import { type Call, type Command, type ExitCode, WrongUsage } from '../../../engine/workflow-cli.ts';
import { render } from '../../../text/render.ts';
import taskText from '../messages/issue-task.md';
import showConfigured from '../messages/show-configured.md';
import showOwn from '../messages/show-own.md';
import { indented, maxGiven, START_HELP, START_OPTIONS, START_USAGE, startLoop, textGiven } from './start.ts';

export const issue: Command = {
  name: 'issue',
  summary: 'hold the agent at one issue until it is resolved',
  usage: `${START_USAGE} [id]`,
  help: `Without words the id is read from standard input. How an issue is read comes from the config (idle.issues.show).
${START_HELP}`,
  options: START_OPTIONS,
  writes: true,
  starts: true,
  words: { least: 0, most: Number.POSITIVE_INFINITY },
  run: start,
};

async function start(call: Call): Promise<ExitCode> {
  const max = maxGiven(call, 'issue');
  const id = textGiven(call);
  if (id === '' || id.length > 200 || /[\r\n]/.test(id))
    throw new WrongUsage(
      'idle issue: the id of one issue is missing: a line of at most 200 characters. Usage: holdfast idle issue [--max N] <id>',
    );
  return startLoop(call, ({ config }) => {
    const command = config.issues.show;
    const show =
      command === null ? render(showOwn, {}) : render(showConfigured, { command: indented(command) });
    const task = render(taskText, { issue: id, show });
    return { mode: 'issue', max, task, shown: `issue ${id}`, fields: { issue_id: id } };
  });
}

// `idle grind`: goes through the issues one after the other, each in a loop of its own nested in this one.

import path from 'node:path';
import { type Call, type Command, type ExitCode, WrongUsage } from '../../../engine/workflow-cli.ts';
import { render } from '../../../text/render.ts';
import { shellQuote } from '../../../text/shell.ts';
import taskText from '../messages/grind-task.md';
import listConfigured from '../messages/list-configured.md';
import listOwn from '../messages/list-own.md';
import { indented, maxGiven, START_HELP, START_OPTIONS, START_USAGE, startLoop, textGiven } from './start.ts';

export const grind: Command = {
  name: 'grind',
  summary: 'hold the agent until no issue is left',
  usage: `${START_USAGE} [filter]`,
  help: `The filter says in words which issues are meant; without words it is read from standard input, and may be empty. 100 iterations unless --max says otherwise. How issues are listed comes from the config (idle.issues.list).
${START_HELP}`,
  options: START_OPTIONS,
  writes: true,
  starts: true,
  words: { least: 0, most: Number.POSITIVE_INFINITY },
  run: start,
};

async function start(call: Call): Promise<ExitCode> {
  const max = maxGiven(call, 'grind');
  const filter = textGiven(call);
  if (filter.length > 500 || /[\r\n]/.test(filter))
    throw new WrongUsage('idle grind: a filter is one line of at most 500 characters.');
  return startLoop(call, ({ config, cli, home }) => {
    const command = config.issues.list;
    const list =
      command === null ? render(listOwn, {}) : render(listConfigured, { command: indented(command) });
    const file = path.join(home, 'issue.txt');
    const matching = filter === '' ? '' : ` that match "${filter}"`;
    const task = render(taskText, { filter: matching, list, file, quoted: shellQuote(file), cli });
    // Without it the agent would be let go after each issue.
    const fields = { carry_on: true, ...(filter === '' ? {} : { filter }) };
    const shown = `the open issues${matching}`;
    return { mode: 'grind', max, task, shown, fields };
  });
}

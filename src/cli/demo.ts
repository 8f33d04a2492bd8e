// `holdfast demo`: all workflows, on a machine with no account and no model. A scripted agent and scripted
// reviewers; the hook, the command line, the files and the git repository are the real ones.

import type { RegistryEntry } from '../engine/workflow.ts';
import { type Call, type Command, type ExitCode, WrongUsage } from '../engine/workflow-cli.ts';
import { registry } from '../workflows/registry.ts';
import { describePlayed, ending } from './demo/describe.ts';
import { type Played, playDemo } from './demo/play.ts';
import { bold } from './paint.ts';

export const demo: Command = {
  name: 'demo',
  summary: 'watch the workflows at work with a scripted agent, in a temp folder',
  usage: '[--workflow NAME] [--keep] [--json]',
  help: 'Needs no account, no model and no client. --keep leaves the temp projects behind and says where.',
  options: { workflow: { type: 'string' }, keep: { type: 'boolean' }, json: { type: 'boolean' } },
  writes: true,
  words: { least: 0, most: 0 },
  run: showDemo,
};

async function showDemo(call: Call): Promise<ExitCode> {
  const played: Played[] = [];
  for (const entry of chosen(call)) {
    const cli = await entry.cli();
    if (cli.demo === undefined) continue;
    const script = await cli.demo();
    if (!call.flags.json) call.print(`\n${bold(entry.name)}: ${script.about}`);
    const print = call.flags.json ? () => {} : (line: string) => call.print(line);
    played.push(
      await playDemo(
        entry.name,
        script,
        call.flags.keep === true,
        (event) => print(describePlayed(event)),
        call.env,
      ),
    );
  }
  if (call.flags.json) call.print(JSON.stringify(played, null, 2));
  else call.print(ending(played, call.flags.keep === true));
  return played.every((each) => each.cameToItsEnd) ? 0 : 1;
}

function chosen(call: Call): readonly RegistryEntry[] {
  const { workflow } = call.flags;
  if (workflow === undefined) return registry;
  const found = registry.filter((entry) => entry.name === workflow);
  if (found.length > 0) return found;
  throw new WrongUsage(
    `demo: there is no workflow "${String(workflow)}"; there are ${registry.map((entry) => entry.name).join(', ')}.`,
  );
}

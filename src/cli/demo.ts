// `holdfast demo`: all workflows, on a machine with no account and no model. A scripted agent and scripted
// reviewers; the hook, the command line, the files and the git repository are the real ones.

import { setTimeout as sleep } from 'node:timers/promises';
import type { RegistryEntry } from '../engine/workflow.ts';
import { type Call, type Command, type ExitCode, WrongUsage } from '../engine/workflow-cli.ts';
import { registry } from '../workflows/registry.ts';
import type { Played } from './demo/play.ts';
import { bold, dim } from './paint.ts';

export const demo: Command = {
  name: 'demo',
  summary: 'watch the workflows at work with a scripted agent, in a temp folder',
  usage: '[WORKFLOW] [--keep] [--json]',
  help: 'Needs no account, no model and no client. On a terminal it goes at the pace of reading. --keep leaves the temp projects behind and says where.',
  options: { keep: { type: 'boolean' }, json: { type: 'boolean' } },
  writes: true,
  words: { least: 0, most: 1 },
  run: showDemo,
};

/** The registry's order is that of precedence at a stop, which ends with the simplest. */
const simplestFirst = registry.toReversed();

async function showDemo(call: Call): Promise<ExitCode> {
  const entries = chosen(call);
  const [{ describePlayed, ending, wrap }, { playDemo }] = await Promise.all([
    import('./demo/describe.ts'),
    import('./demo/play.ts'),
  ]);
  const keep = call.flags.keep === true;
  const show = async (text: string): Promise<void> => {
    if (call.flags.json) return;
    call.print(text);
    if (process.stdout.isTTY) await sleep(timeToRead(text));
  };
  const [first] = entries;
  if (process.stdout.isTTY && first !== undefined && entries.length > 1)
    await show(
      dim(
        wrap(`Four workflows, in two minutes; the first alone: holdfast demo ${first.name}. Ctrl-C ends it.`),
      ),
    );
  const played: Played[] = [];
  for (const entry of entries) {
    const script = await (await entry.cli()).demo?.();
    if (script === undefined) continue;
    await show(`\n${wrap(`${bold(entry.name)}: ${script.about}`)}`);
    const report = (event: Played['events'][number]): Promise<void> => show(describePlayed(event));
    played.push(await playDemo(entry.name, script, keep, report, call.env));
  }
  if (call.flags.json) call.print(JSON.stringify(played, null, 2));
  else call.print(ending(played, keep));
  return played.every((each) => each.cameToItsEnd) ? 0 : 1;
}

function chosen(call: Call): readonly RegistryEntry[] {
  const [name] = call.words;
  if (name === undefined) return simplestFirst;
  const found = registry.filter((entry) => entry.name === name);
  if (found.length > 0) return found;
  throw new WrongUsage(
    `demo: there is no workflow "${name}"; there are ${simplestFirst.map((entry) => entry.name).join(', ')}.`,
  );
}

/** Milliseconds: some 60 characters a second, as one skims. */
const timeToRead = (text: string): number => Math.min(400 + 16 * text.length, 3000);

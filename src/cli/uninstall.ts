// `holdfast uninstall`: takes the plugins out of the clients and removes what Holdfast keeps for the user.
// The runs in the user's projects stay.

import fs from 'node:fs';
import { CORE } from '../clients/install/marketplace.ts';
import type { Outcome, Scope } from '../clients/installer.ts';
import { userConfigPath } from '../config/config.ts';
import type { Call, Command, ExitCode } from '../engine/workflow-cli.ts';
import { cliCommand } from '../hook/runtime.ts';
import { registry } from '../workflows/registry.ts';
import {
  chosenClients,
  clientWords,
  type InstallableClient,
  installable,
  titlesOf,
} from './install/clients.ts';
import { ownFiles, removeOwnFiles } from './install/own-files.ts';
import { chosenScope } from './install/wishes.ts';
import { notFound, orWhyNot } from './install.ts';

export const uninstall: Command = {
  name: 'uninstall',
  summary: 'take Holdfast out of the clients again; your runs stay where they are',
  usage: `[--client ${clientWords.join('|')}] [--scope user|project] [--dry-run]`,
  help: [
    'Without --client: all of them. --scope takes it out of that scope only, in clients that have several.',
    '--dry-run changes nothing and shows the commands.',
  ].join('\n'),
  options: { client: { type: 'string' }, scope: { type: 'string' }, 'dry-run': { type: 'boolean' } },
  writes: true,
  words: { least: 0, most: 0 },
  run: uninstallEverywhere,
};

async function uninstallEverywhere(call: Call): Promise<ExitCode> {
  const chosen = chosenClients(call.flags);
  const scope = chosenScope(call.flags);
  const dryRun = call.flags['dry-run'] === true;
  const outcomes: Outcome[] = [];
  const absent: InstallableClient[] = [];
  for (const client of chosen.clients) {
    if (scope === 'project' && !client.install.projectScope) continue;
    const outcome = await takeOut(client, scope, call, dryRun);
    if (outcome === null) absent.push(client);
    else outcomes.push(outcome);
  }
  for (const line of [...outcomes.flatMap(({ lines }) => lines), ...notFound(absent)]) call.print(line);
  const isMissed = !chosen.all && absent.length > 0;
  if (isMissed || !outcomes.every(({ good }) => good)) return 1;
  if (dryRun && !(chosen.all && scope === null)) return 0;
  for (const line of await ownTraces(call, dryRun)) call.print(line);
  if (outcomes.some(({ changed }) => changed))
    call.print('The runs in your projects stay. Sessions that are open now should be started again.');
  return 0;
}

/** Null: the client is not there. */
function takeOut(
  client: InstallableClient,
  scope: Scope | null,
  { cwd, env }: Call,
  dryRun: boolean,
): Promise<Outcome | null> {
  return orWhyNot(client.title, async () => {
    const installer = await client.install.load();
    const found = await installer.look(cwd);
    if (found === null) return null;
    const known = [...registry.map((entry) => entry.name), CORE];
    return found.uninstall({ scope, known, cwd, env, cli: cliCommand(), dryRun });
  });
}

/** Our own files go when no client has the plugin any more. */
async function ownTraces(call: Call, dryRun: boolean): Promise<string[]> {
  const files = ownFiles(call.env);
  if (dryRun) return files.map((file) => `${file} would be removed.`);
  const users = await stillInstalled(call);
  if (users.length > 0) return [`Still installed in ${titlesOf(users)}, so what the hooks need stays.`];
  removeOwnFiles(call.env);
  const config = userConfigPath(call.env);
  return [
    ...files.map((file) => `Removed ${file}.`),
    ...(fs.existsSync(config) ? [`Kept your own ${config}.`] : []),
  ];
}

async function stillInstalled({ cwd }: Call): Promise<InstallableClient[]> {
  const users = await Promise.all(
    installable.map(async (client) => ((await hasPlugins(client, cwd)) ? [client] : [])),
  );
  return users.flat();
}

/** A client that is not there, or will not say, needs nothing of ours to be kept. */
async function hasPlugins({ install }: InstallableClient, cwd: string): Promise<boolean> {
  try {
    const installer = await install.load();
    return (await installer.look(cwd))?.hasPlugins === true;
  } catch {
    return false;
  }
}

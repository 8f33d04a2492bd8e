// `holdfast uninstall`: takes the plugins out of the clients and removes what Holdfast keeps for the user.
// The runs in the user's projects stay.

import fs from 'node:fs';
import { userConfigPath } from '../config/config.ts';
import type { Call, Command, ExitCode } from '../engine/workflow-cli.ts';
import { registry } from '../workflows/registry.ts';
import { claudePlugins, lookAtClaude } from './install/claude.ts';
import { codexPlugins, lookAtCodex } from './install/codex.ts';
import { type Outcome, removeFromClaude } from './install/in-claude.ts';
import { removeFromCodex } from './install/in-codex.ts';
import { CORE } from './install/marketplace.ts';
import { ownFiles, removeOwnFiles } from './install/own-files.ts';
import { type ClientChoice, chosenClients, chosenScope, type Scope } from './install/wishes.ts';
import { orWhyNot } from './install.ts';

export const uninstall: Command = {
  name: 'uninstall',
  summary: 'take Holdfast out of the clients again; your runs stay where they are',
  usage: '[--client claude|codex|all] [--scope user|project] [--dry-run]',
  help: [
    'Without --client: all of them. --scope takes it out of that scope of Claude Code only.',
    '--dry-run changes nothing and shows the commands.',
  ].join('\n'),
  options: { client: { type: 'string' }, scope: { type: 'string' }, 'dry-run': { type: 'boolean' } },
  writes: true,
  words: { least: 0, most: 0 },
  run: uninstallEverywhere,
};

async function uninstallEverywhere(call: Call): Promise<ExitCode> {
  const clients = chosenClients(call.flags);
  const scope = chosenScope(call.flags);
  const dryRun = call.flags['dry-run'] === true;
  const outcomes = [
    ...(await outOfClaude(clients, scope, call, dryRun)),
    ...(await outOfCodex(clients, scope, call, dryRun)),
  ];
  for (const line of outcomes.flatMap(({ lines }) => lines)) call.print(line);
  if (!outcomes.every(({ good }) => good)) return 1;
  const everything = (clients === 'found' || clients === 'all') && scope === null;
  if (dryRun && !everything) return 0;
  for (const line of await ownTraces(call, dryRun)) call.print(line);
  if (outcomes.some(({ changed }) => changed))
    call.print('The runs in your projects stay. Sessions that are open now should be started again.');
  return 0;
}

async function outOfClaude(
  clients: ClientChoice,
  scope: Scope | null,
  call: Call,
  dryRun: boolean,
): Promise<Outcome[]> {
  if (clients === 'codex') return [];
  return [
    await orWhyNot('Claude Code', async () => {
      const state = await lookAtClaude(call.cwd);
      if (state === null) return notFound('Claude Code', 'claude', clients);
      return removeFromClaude(state, scope, call.cwd, dryRun);
    }),
  ];
}

async function outOfCodex(
  clients: ClientChoice,
  scope: Scope | null,
  call: Call,
  dryRun: boolean,
): Promise<Outcome[]> {
  // Codex has the user's scope only.
  if (clients === 'claude' || scope === 'project') return [];
  return [
    await orWhyNot('Codex', async () => {
      const state = await lookAtCodex(call.cwd);
      if (state === null) return notFound('Codex', 'codex', clients);
      const known = [...registry.map((entry) => entry.name), CORE];
      return removeFromCodex(state, { known, cwd: call.cwd, env: call.env, dryRun });
    }),
  ];
}

function notFound(name: string, program: string, clients: ClientChoice): Outcome {
  const asked = clients === 'claude' || clients === 'codex';
  return { good: !asked, changed: false, lines: [`${name}: not found; there is no \`${program}\` on PATH.`] };
}

/** Our own files go when no client has the plugin any more. */
async function ownTraces(call: Call, dryRun: boolean): Promise<string[]> {
  const files = ownFiles(call.env);
  if (dryRun) return files.map((file) => `${file} would be removed.`);
  const users = await stillInstalled(call);
  if (users.length > 0) return [`Still installed in ${users.join(' and ')}, so what the hooks need stays.`];
  removeOwnFiles(call.env);
  const config = userConfigPath(call.env);
  return [
    ...files.map((file) => `Removed ${file}.`),
    ...(fs.existsSync(config) ? [`Kept your own ${config}.`] : []),
  ];
}

/** A client that is not there, or will not say, needs nothing of ours to be kept. */
async function stillInstalled({ cwd }: Call): Promise<string[]> {
  const [claude, codex] = await Promise.all([
    claudePlugins(cwd).catch(() => []),
    codexPlugins(cwd).catch(() => []),
  ]);
  return [...(claude.length > 0 ? ['Claude Code'] : []), ...(codex.length > 0 ? ['Codex'] : [])];
}

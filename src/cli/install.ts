// `holdfast install`: puts the plugins into the clients that are there, through the clients' own commands,
// and looks afterwards whether they loaded. Doing it twice is doing it once.

import { type Marketplace, ownFolder, readMarketplace } from '../clients/install/marketplace.ts';
import { isClientFailed } from '../clients/install/program.ts';
import type { FoundClient, Outcome, Wishes } from '../clients/installer.ts';
import { withMarksHere } from '../clients/skill-marks.ts';
import { type Call, type Command, type ExitCode, NotNow, WrongUsage } from '../engine/workflow-cli.ts';
import { cliCommand } from '../hook/runtime.ts';
import {
  type ChosenClients,
  chosenClients,
  clientWords,
  type InstallableClient,
  installable,
  inWords,
  titlesOf,
} from './install/clients.ts';
import { installCommand, plannedCommand } from './install/command.ts';
import { isRecorded, nodeRecordPath, recordNode } from './install/own-files.ts';
import { chosenPlugins, chosenScope } from './install/wishes.ts';

const userScopeOnly = installable.filter(({ install }) => !install.projectScope);
const trusting = installable.filter(({ install }) => install.asksForTrust);

export const install: Command = {
  name: 'install',
  summary: 'put Holdfast into the clients that are there, and check that it loaded',
  usage: `[--client ${clientWords.join('|')}] [--scope user|project] [--workflow NAME]… [--trust] [--status-line] [--dry-run]`,
  help: [
    'Without --client: those on PATH. Without --workflow: all of them; name one or several, also with commas.',
    `--scope project installs for the project in this folder only; not in ${titlesOf(userScopeOnly, 'or')}.`,
    `--trust records in ${titlesOf(trusting)} that you trust the hooks which are shown; otherwise it says what to press.`,
    "--status-line also shows the runs in the client's status line, where you have none.",
    '--dry-run changes nothing and shows the commands.',
  ].join('\n'),
  options: {
    client: { type: 'string' },
    scope: { type: 'string' },
    workflow: { type: 'string', multiple: true },
    trust: { type: 'boolean' },
    'status-line': { type: 'boolean' },
    'dry-run': { type: 'boolean' },
  },
  writes: true,
  words: { least: 0, most: 0 },
  run: installEverywhere,
};

async function installEverywhere(call: Call): Promise<ExitCode> {
  const chosen = chosenClients(call.flags);
  const scope = chosenScope(call.flags) ?? 'user';
  if (scope === 'project') refuseUserScopeOnly(chosen);
  const { found, missing, troubled } = await lookForClients(chosen, call.cwd);
  const source = sourceOf(found);
  const plugins = chosenPlugins(call.flags, source);
  const wishes: Wishes = { source, plugins, scope, cwd: call.cwd };
  const outcomes: Outcome[] = [];
  for (const client of found) outcomes.push(await installIn(client, wishes, call));
  if (call.flags['status-line']) outcomes.push(...found.map((client) => showLine(client, call)));
  for (const line of [...outcomes.flatMap(({ lines }) => lines), ...troubled, ...missing]) call.print(line);
  const changed = outcomes.some((outcome) => outcome.changed);
  for (const line of closingLines(call, wishes, changed)) call.print(line);
  const complete = troubled.length === 0 && (!chosen.asked || missing.length === 0);
  return complete && outcomes.every(({ good }) => good) ? 0 : 1;
}

function refuseUserScopeOnly({ clients }: ChosenClients): void {
  if (clients.some(({ install }) => install.projectScope)) return;
  throw new WrongUsage(
    `${titlesOf(clients)} installs plugins for all projects of a user; leave out --scope project.`,
  );
}

type Looked = { client: InstallableClient; found: FoundClient };

/** `missing`: not on PATH, in one line. `troubled`: there, but it would not say what is installed; a line each. */
type Found = { found: readonly Looked[]; missing: readonly string[]; troubled: readonly string[] };

async function lookForClients({ clients }: ChosenClients, cwd: string): Promise<Found> {
  const absent: InstallableClient[] = [];
  const troubled: string[] = [];
  const looked = await Promise.all(
    clients.map(async (client): Promise<Looked | null> => {
      try {
        const installer = await client.install.load();
        const found = await installer.look(cwd);
        if (found !== null) return { client, found };
        absent.push(client);
      } catch (error) {
        if (!isClientFailed(error)) throw error;
        troubled.push(`${client.title}: ${error.message}`);
      }
      return null;
    }),
  );
  const found = looked.filter((each) => each !== null);
  const missing = notFound(clients.filter((client) => absent.includes(client)));
  if (found.length > 0) return { found, missing, troubled };
  if (troubled.length > 0) throw new NotNow([...troubled, ...missing].join(' '));
  throw new NotNow(`${missing.join(' ')} Install one, or put it on PATH, and run this again.`);
}

/** One line for all of them: nobody has every client. */
export function notFound(absent: readonly InstallableClient[]): string[] {
  if (absent.length === 0) return [];
  const programs = absent.map(({ install }) => `\`${install.program}\``);
  return [`${titlesOf(absent)}: not found; there is no ${inWords(programs, 'or')} on PATH.`];
}

/** Where the clients are to install from: here; or, from a client's own copy, what the clients remember. */
function sourceOf(looked: readonly Looked[]): Marketplace {
  for (const folder of [ownFolder(), ...looked.map(({ found }) => found.source)]) {
    const marketplace = folder ? readMarketplace(folder) : null;
    if (marketplace !== null) return marketplace;
  }
  throw new NotNow(
    `${ownFolder()} is no marketplace to install from. Run \`holdfast install\` from the package or checkout Holdfast came in.`,
  );
}

async function installIn({ client, found }: Looked, wishes: Wishes, call: Call): Promise<Outcome> {
  if (wishes.scope === 'project' && !client.install.projectScope)
    return {
      good: true,
      changed: false,
      lines: [`${client.title}: left alone; it installs for all projects, not for one.`],
    };
  const { cwd, env } = call;
  const how = { cwd, env, cli: cliCommand(), trust: call.flags.trust === true, dryRun: isDryRun(call) };
  return orWhyNot(client.title, () => found.install(wishes, how));
}

function showLine({ client, found }: Looked, call: Call): Outcome {
  const { cwd, env } = call;
  return (
    found.statusLine?.({ cwd, env, cli: cliCommand(), dryRun: isDryRun(call) }) ?? {
      good: true,
      changed: false,
      lines: [`${client.title}: it runs no command for its status line, so none was set there.`],
    }
  );
}

/** One client's trouble must not keep the others from being served. */
export async function orWhyNot<T extends Outcome | null>(
  title: string,
  act: () => Promise<T>,
): Promise<T | Outcome> {
  try {
    return await act();
  } catch (error) {
    if (!isClientFailed(error)) throw error;
    return { good: false, changed: false, lines: [`${title}: ${error.message}`] };
  }
}

function closingLines(call: Call, { source }: Wishes, changed: boolean): string[] {
  const record = nodeRecordPath(call.env);
  if (isDryRun(call))
    return [
      ...(isRecorded(process.execPath, call.env) ? [] : [`${record} would name ${process.execPath}.`]),
      ...plannedCommand(source.folder, call.env),
    ];
  const recorded = recordNode(process.execPath, call.env);
  return [
    ...(recorded ? [`The hooks will use ${process.execPath} (recorded in ${record}).`] : []),
    ...installCommand(source.folder, call.env),
    ...(source.folder.split('/').includes('_npx')
      ? [
          `The clients load ${source.folder}, which npm may clear; \`npm install -g holdfast\` gives it a lasting place.`,
        ]
      : []),
    ...(changed
      ? [
          'Sessions that are open now get it when they are started again.',
          `Next, in a project: \`holdfast init\`; then in your client: ${withMarksHere(call.env, '/idle:loop Make the failing tests pass')}`,
        ]
      : []),
  ];
}

const isDryRun = (call: Call): boolean => call.flags['dry-run'] === true;

// `holdfast install`: puts the plugins into the clients that are there, through the clients' own commands,
// and looks afterwards whether they loaded. Doing it twice is doing it once.

import { type Call, type Command, type ExitCode, NotNow, WrongUsage } from '../engine/workflow-cli.ts';
import { cliCommand } from '../hook/runtime.ts';
import { type ClaudeState, lookAtClaude } from './install/claude.ts';
import { type CodexState, lookAtCodex } from './install/codex.ts';
import { installInClaude, type Outcome } from './install/in-claude.ts';
import { installInCodex } from './install/in-codex.ts';
import { type Marketplace, ownFolder, readMarketplace } from './install/marketplace.ts';
import { isRecorded, nodeRecordPath, recordNode } from './install/own-files.ts';
import {
  type ClientChoice,
  chosenClients,
  chosenPlugins,
  chosenScope,
  type Wishes,
} from './install/wishes.ts';

export const install: Command = {
  name: 'install',
  summary: 'put Holdfast into Claude Code and Codex, and check that it loaded',
  usage: '[--client claude|codex|all] [--scope user|project] [--workflow NAME]… [--trust] [--dry-run]',
  help: [
    'Without --client: those on PATH. Without --workflow: all of them; name one or several, also with commas.',
    '--scope project installs for the project in this folder only; Codex knows no such scope.',
    '--trust records in Codex that you trust the hooks which are shown; otherwise it says what to press.',
    '--dry-run changes nothing and shows the commands.',
  ].join('\n'),
  options: {
    client: { type: 'string' },
    scope: { type: 'string' },
    workflow: { type: 'string', multiple: true },
    trust: { type: 'boolean' },
    'dry-run': { type: 'boolean' },
  },
  writes: true,
  words: { least: 0, most: 0 },
  run: installEverywhere,
};

async function installEverywhere(call: Call): Promise<ExitCode> {
  const clients = chosenClients(call.flags);
  const scope = chosenScope(call.flags) ?? 'user';
  if (clients === 'codex' && scope === 'project')
    throw new WrongUsage('Codex installs plugins for all projects of a user; leave out --scope project.');
  const found = await lookForClients(clients, call.cwd);
  const source = sourceOf(found);
  const plugins = chosenPlugins(call.flags, source);
  const wishes: Wishes = { source, plugins, scope, cwd: call.cwd };
  const outcomes = [...(await intoClaude(found, wishes, call)), ...(await intoCodex(found, wishes, call))];
  for (const line of [...outcomes.flatMap(({ lines }) => lines), ...found.troubled, ...found.missing])
    call.print(line);
  const changed = outcomes.some((outcome) => outcome.changed);
  for (const line of closingLines(call, wishes, changed)) call.print(line);
  const complete = found.troubled.length === 0 && (clients === 'found' || found.missing.length === 0);
  return complete && outcomes.every(({ good }) => good) ? 0 : 1;
}

/** `missing`: not on PATH. `troubled`: there, but it would not say what is installed. One line each. */
type Found = {
  claude: ClaudeState | null;
  codex: CodexState | null;
  missing: readonly string[];
  troubled: readonly string[];
};

async function lookForClients(clients: ClientChoice, cwd: string): Promise<Found> {
  const missing: string[] = [];
  const troubled: string[] = [];
  const look = async <State>(name: string, program: string, at: (cwd: string) => Promise<State | null>) => {
    try {
      const state = await at(cwd);
      if (state === null) missing.push(`${name}: not found; there is no \`${program}\` on PATH.`);
      return state;
    } catch (error) {
      if (!(error instanceof NotNow)) throw error;
      troubled.push(`${name}: ${error.message}`);
      return null;
    }
  };
  const [claude, codex] = await Promise.all([
    clients === 'codex' ? null : look('Claude Code', 'claude', lookAtClaude),
    clients === 'claude' ? null : look('Codex', 'codex', lookAtCodex),
  ]);
  if (claude !== null || codex !== null) return { claude, codex, missing, troubled };
  if (troubled.length > 0) throw new NotNow([...troubled, ...missing].join(' '));
  throw new NotNow(`${missing.toSorted().join(' ')} Install one, or put it on PATH, and run this again.`);
}

/** Where the clients are to install from: here; or, from a client's own copy, what the clients remember. */
function sourceOf({ claude, codex }: Found): Marketplace {
  const remembered = [claude?.source, codex?.source.kind === 'folder' ? codex.source.folder : null];
  for (const folder of [ownFolder(), ...remembered]) {
    const marketplace = folder ? readMarketplace(folder) : null;
    if (marketplace !== null) return marketplace;
  }
  throw new NotNow(
    `${ownFolder()} is no marketplace to install from. Run \`holdfast install\` from the package or checkout Holdfast came in.`,
  );
}

async function intoClaude({ claude }: Found, wishes: Wishes, call: Call): Promise<Outcome[]> {
  if (claude === null) return [];
  return [await orWhyNot('Claude Code', () => installInClaude(claude, wishes, isDryRun(call)))];
}

async function intoCodex({ codex }: Found, wishes: Wishes, call: Call): Promise<Outcome[]> {
  if (codex === null) return [];
  if (wishes.scope === 'project')
    return [
      {
        good: true,
        changed: false,
        lines: ['Codex: left alone; it installs for all projects, not for one.'],
      },
    ];
  const how = { trust: call.flags.trust === true, dryRun: isDryRun(call), cli: cliCommand(), env: call.env };
  return [await orWhyNot('Codex', () => installInCodex(codex, wishes, how))];
}

/** One client's trouble must not keep the other from being served. */
export async function orWhyNot(name: string, act: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof NotNow)) throw error;
    return { good: false, changed: false, lines: [`${name}: ${error.message}`] };
  }
}

function closingLines(call: Call, { source }: Wishes, changed: boolean): string[] {
  const record = nodeRecordPath(call.env);
  if (isDryRun(call))
    return isRecorded(process.execPath, call.env) ? [] : [`${record} would name ${process.execPath}.`];
  const recorded = recordNode(process.execPath, call.env);
  return [
    ...(recorded ? [`The hooks will use ${process.execPath} (recorded in ${record}).`] : []),
    ...(source.folder.split('/').includes('_npx')
      ? [
          `The clients load ${source.folder}, which npm may clear; \`npm install -g holdfast\` gives it a lasting place.`,
        ]
      : []),
    ...(changed ? ['Sessions that are open now get it when they are started again.'] : []),
  ];
}

const isDryRun = (call: Call): boolean => call.flags['dry-run'] === true;

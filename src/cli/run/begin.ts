// `holdfast run <workflow> …`: starts the run through the workflow's own command, or has the agent begin it, and drives it.

import { randomUUID } from 'node:crypto';
import type { Client } from '../../clients/client.ts';
import type { Headless } from '../../clients/headless.ts';
import { envOfSession, withoutClients } from '../../driver/bind.ts';
import { calledIn } from '../../driver/by-name.ts';
import { commitOf } from '../../driver/changes.ts';
import { skillFor } from '../../driver/prompts.ts';
import { type DriverRecord, NOTHING_SPENT } from '../../driver/record.ts';
import { NO_COUNTS } from '../../driver/types.ts';
import { makeWorktree } from '../../driver/worktree.ts';
import { BUDGET_OPTIONS, refuseBrokenBudget, USD_OPTION } from '../../engine/budget/at-start.ts';
import type { Project } from '../../engine/project.ts';
import type { RegistryEntry } from '../../engine/workflow.ts';
import {
  type Call,
  type Command,
  type ExitCode,
  NotNow,
  type WorkflowCli,
  WrongUsage,
} from '../../engine/workflow-cli.ts';
import { cliFolder, currentFolder } from '../../hook/runtime.ts';
import { readSidecar } from '../../store/sidecars.ts';
import { didYouMean } from '../../text/nearest.ts';
import { inOneParagraph } from '../../text/paragraph.ts';
import { registry } from '../../workflows/registry.ts';
import { parseCommandLine } from '../arguments.ts';
import { howToLoop } from '../table.ts';
import { driveKept } from './drive-kept.ts';
import { type Asked, clientFor, optionsIn, refuseMisfit, refuseUnkept, rememberClient } from './options.ts';
import { type Place, placeFor } from './place.ts';
import { carryTrust } from './trust-along.ts';

export async function begin(call: Call): Promise<ExitCode> {
  const asked = optionsIn(call);
  if (call.flags.answer !== undefined)
    throw new WrongUsage('run: --answer goes with --continue, to a run that has asked.');
  const { words, args } = split(call.words);
  const wanted = await wantedBy(words);
  await refuseMisfit(asked, wanted.entry.name);
  const here = await call.forNewRun();
  refuseBrokenBudget(here);
  const client = clientFor(call.flags.client, { ...here, env: call.env });
  const headless = await loadHeadless(client);
  await refuseUnkept(client, asked.access);
  const label = `${wanted.entry.name}-${new Date(call.now).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')}`;
  const branch = call.flags.worktree;
  const worktree =
    branch === undefined
      ? null
      : makeWorktree(here.root, label, branch === '' ? null : String(branch), call.env);
  const env = withoutClients(call.env);
  const place = await placeFor(worktree?.path ?? currentFolder(), call, env);
  if (worktree !== null) carryTrust(here, await place.forNewRun());
  const sessions = calledIn(headless, asked.access, { cli: '', bin: cliFolder(), env, commands: [] });
  const started = await startRun(wanted, place.as(sessions.env), client, headless, budgetOf(call));
  if (started.run !== null) await pinChecks(await place.forNewRun(), started.run);
  rememberClient(client, call.env);
  const record = newRecord(wanted, started, { call, asked, args, client });
  return driveKept({ ...record, worktree, commit: commitOf(record.root, call.env) }, call, null);
}

type Wanted = { entry: RegistryEntry; cli: WorkflowCli; command: Command | null; words: readonly string[] };

/** What stands after `--` is the client's. */
function split(words: readonly string[]): { words: readonly string[]; args: readonly string[] } {
  const at = words.indexOf('--');
  return at === -1 ? { words, args: [] } : { words: words.slice(0, at), args: words.slice(at + 1) };
}

async function wantedBy([name, ...rest]: readonly string[]): Promise<Wanted> {
  const entry = registry.find((each) => each.name === name);
  const names = registry.map((each) => each.name).join(', ');
  if (name === undefined)
    throw new WrongUsage(`run: which workflow? One of ${names}. \`holdfast help run\` shows how.`);
  if (entry === undefined && /\s/.test(name)) throw new WrongUsage(`run: which workflow? ${howToLoop(name)}`);
  if (entry === undefined)
    throw new WrongUsage(
      `run: there is no workflow "${name}"${didYouMean(
        name,
        registry.map((each) => each.name),
      )}. There are: ${names}.`,
    );
  const cli = await entry.cli();
  const starts = cli.commands.filter((command) => command.starts);
  const command = starts.find((each) => each.name === rest[0]) ?? null;
  if (command !== null) return { entry, cli, command, words: rest.slice(1) };
  if (cli.driven?.begin !== undefined) {
    if (rest.join(' ').trim() === '')
      throw new WrongUsage(`run ${name}: what is to be built? Usage: holdfast run ${name} "<what to build>"`);
    return { entry, cli, command: null, words: rest };
  }
  const list = starts.map((each) => `${name} ${each.name}`).join(', ');
  throw new WrongUsage(`run: "${[name, ...rest.slice(0, 1)].join(' ')}" starts no run. These do: ${list}.`);
}

async function loadHeadless({ headless, title }: Client): Promise<Headless> {
  if (headless === undefined) throw new NotNow(`${title} cannot be driven.`);
  return headless.load();
}

/** As they were typed: the workflow's own start reads them. */
function budgetOf({ flags }: Call): Call['flags'] {
  const names = Object.keys({ ...BUDGET_OPTIONS, ...USD_OPTION });
  return Object.fromEntries(Object.entries(flags).filter(([name]) => names.includes(name)));
}

type Started = { root: string; run: string | null; session: string | null; prompt: string };

/** Through the same code as the workflow's own command; what that prints for the agent is the first prompt. */
async function startRun(
  wanted: Wanted,
  place: Place,
  client: Client,
  headless: Headless,
  budget: Call['flags'],
): Promise<Started> {
  const session = headless.choosesSession ? randomUUID() : null;
  const { entry, cli, command, words } = wanted;
  if (command === null) {
    const { root } = await place.forNewRun();
    const text = words.join(' ').trim();
    const prompt = skillFor({ client }, cli.driven?.begin, entry.name, text) ?? text;
    return { root, run: null, session, prompt };
  }
  const parsed = parseCommandLine(words, command, `run ${entry.name} ${command.name}`);
  const lines: string[] = [];
  const asSession = session === null ? place : place.as(envOfSession(place.env, client, session));
  const before = await place.tickets();
  const flags = { ...budget, ...parsed.flags };
  const code = await command.run(asSession.call({ ...parsed, flags }, (line) => lines.push(line)));
  if (code !== 0) throw new NotNow(`the run could not be started: ${lines.join(' ')}`);
  const run = session === null ? await place.newTicket(before) : await asSession.runOf(session);
  if (run === null) throw new Error(`${entry.name} ${command.name} has started no run`);
  return { root: (await place.forNewRun()).root, run, session, prompt: lines.join('\n') };
}

/** Before its agent is there: what the start noted lies in the project, and who may write there could take it away. */
async function pinChecks(project: Project, run: string): Promise<void> {
  const { proof } = readSidecar(project.root, run);
  if (proof === undefined) return;
  const { makePin } = await import('../../engine/proof/pin.ts');
  try {
    await makePin(project, run, proof);
  } catch {
    // As where a start may not write there: the first stop pins it.
  }
}

type Given = { call: Call; asked: Asked; args: readonly string[]; client: Client };

function newRecord({ entry, command, words }: Wanted, started: Started, given: Given): DriverRecord {
  const { call, asked, args, client } = given;
  const said = [entry.name, ...(command === null ? [] : [command.name]), ...words].join(' ');
  return {
    schema: 1,
    id: randomUUID(),
    ...started,
    workflow: entry.name,
    asked: inOneParagraph(said, 200),
    options: { ...asked, client: client.name, args },
    counts: NO_COUNTS,
    mark: '',
    next: { session: 'same', say: 'first', at: null },
    driver: { pid: process.pid, start: null },
    client: null,
    spent: NOTHING_SPENT,
    startedAt: call.now,
    commit: null,
    worktree: null,
    ended: null,
  };
}

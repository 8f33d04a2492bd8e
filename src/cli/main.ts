// The command line: finds the command, checks how it is used, runs it, and turns every error into one line.

import { clients } from '../clients/index.ts';
import type { Project } from '../engine/project.ts';
import type { RegistryEntry } from '../engine/workflow.ts';
import { type Call, type Command, type ExitCode, NotNow, WrongUsage } from '../engine/workflow-cli.ts';
import { didYouMean } from '../text/nearest.ts';
import { printable } from '../text/printable.ts';
import { registry } from '../workflows/registry.ts';
import { parseCommandLine } from './arguments.ts';
import { makeCall } from './call.ts';
import { commands } from './commands.ts';
import { doctor } from './doctor.ts';
import { helpOf, helpOfWorkflow, overview } from './help.ts';
import { sayWhatRuns } from './here.ts';
import { run } from './run.ts';
import { refuseUnlessCaller } from './table.ts';
import { commandsOf } from './workflow-commands.ts';

declare const HOLDFAST_VERSION: string;

export async function main(args: readonly string[]): Promise<void> {
  // A reader that leaves early (`| head`) is no error of ours.
  process.stdout.on('error', () => process.exit(0));
  process.exitCode = await runCommandLine(args);
}

async function runCommandLine(args: readonly string[]): Promise<ExitCode> {
  try {
    return await dispatch(args);
  } catch (error) {
    process.stderr.write(`holdfast: ${printable(await describe(error))}\n`);
    return exitCodeOf(error);
  }
}

async function dispatch(args: readonly string[]): Promise<ExitCode> {
  const [first, ...rest] = args;
  if (first === undefined) return sayWhatRuns(makeCall({ flags: {}, words: [] }, { warn }));
  if (isHelp(first)) return showHelp(rest);
  if (['--version', '-v', '-V', 'version'].includes(first)) return say(HOLDFAST_VERSION);
  if (first === 'hook') return runHook(rest);
  const command = commands.find((each) => each.name === first);
  if (command !== undefined) return runOne(command, first, rest);
  const entry = registry.find((each) => each.name === first);
  if (entry !== undefined) return runWorkflowCommand(entry, rest);
  throw unknownCommand(first);
}

const isHelp = (word: string): boolean => ['help', '--help', '-h'].includes(word);

function unknownCommand(word: string): WrongUsage {
  const known = [...commands, ...registry].map(({ name }) => name);
  return new WrongUsage(
    `there is no command "${word}"${didYouMean(word, [...known, 'help'])}. \`holdfast help\` lists them.`,
  );
}

async function runWorkflowCommand(entry: RegistryEntry, args: readonly string[]): Promise<ExitCode> {
  const [first, ...rest] = args;
  if (first === undefined || isHelp(first)) return say(await helpOfWorkflow(entry));
  const list = commandsOf(entry, await entry.cli());
  const command = list.find((each) => each.name === first);
  if (command !== undefined) return runOne(command, `${entry.name} ${first}`, rest, entry);
  const near = didYouMean(
    first,
    list.map(({ name }) => name),
  );
  throw new WrongUsage(
    `there is no command "${entry.name} ${first}"${near}. \`holdfast ${entry.name} help\` lists them.`,
  );
}

async function runOne(
  command: Command,
  name: string,
  args: readonly string[],
  workflow: RegistryEntry | null = null,
): Promise<ExitCode> {
  if (args[0] === '--help' || args[0] === '-h') return say(helpOf(command, name));
  const parsed = parseCommandLine(command.arrange?.(args) ?? args, command, name);
  if (command.writes && process.env.HOLDFAST_DISABLE === '1') {
    process.stderr.write(`holdfast: ${name} writes, and HOLDFAST_DISABLE=1 is set here: nothing was done.\n`);
    return 1;
  }
  refuseUnlessCaller(name, { flags: parsed.flags, env: process.env });
  await removeLeftQuietly();
  const opened = new Map<string, Project>();
  const watched = {
    // Doctor lists a bad config among its findings.
    warn: command === doctor ? () => {} : warn,
    isStart: command.starts === true || (command === run && parsed.flags.continue !== true),
    opened: (project: Project) => void opened.set(project.root, project),
  };
  const call: Call = makeCall(parsed, watched, workflow);
  try {
    return await command.run(
      workflow === null ? call : { ...call, existing: () => notHidden(call, workflow) },
    );
  } finally {
    if (command.writes) await tidyQuietly([...opened.values()]);
  }
}

/** Before a workflow's command says that there is nothing: does something hide it? */
async function notHidden(call: Call, workflow: RegistryEntry): Promise<Project | null> {
  const project = await call.existing();
  if (project !== null) return project;
  const { hiddenRuns } = await import('../view/troubles.ts');
  const hidden = hiddenRuns(call, workflow);
  if (hidden === null) return null;
  const { sayTrouble } = await import('../store/trouble.ts');
  throw new NotNow(sayTrouble(hidden));
}

/** What sandboxes of checks have left in a project, where they were killed with their hook. */
async function removeLeftQuietly(): Promise<void> {
  try {
    const { removeLeftMountPoints } = await import('../clients/mount-points.ts');
    removeLeftMountPoints(process.env);
  } catch {
    // A sandboxed agent's own call cannot; the next check does.
  }
}

async function tidyQuietly(projects: readonly Project[]): Promise<void> {
  try {
    const { tidyUp } = await import('./tidy.ts');
    for (const project of projects) await tidyUp(project);
  } catch {
    // The command has done its work; the next one tidies up.
  }
}

function warn(line: string): void {
  process.stderr.write(`holdfast: ${printable(line)}\n`);
}

/** The same hook the launcher starts; here for people who wire it up themselves. */
async function runHook(args: readonly string[]): Promise<ExitCode> {
  if (isHelp(args[0] ?? '')) return say(HOOK_HELP);
  const { main: hook } = await import('../hook/main.ts');
  await hook(args, (exitCode) => process.exit(exitCode));
  return 0;
}

const HOOK_HELP = `what the clients call; a stop is read from standard input, the answer goes to standard output
Usage: holdfast hook [stop|pre-compact|session-start|stop-failure] [--client NAME] [--limit N]

  --client NAME  who calls, where what it sends does not tell: ${clients.map(({ name }) => name).join(', ')}
  --limit N      the time limit that the client's hooks file gives this hook, as it stands there`;

async function showHelp(words: readonly string[]): Promise<ExitCode> {
  const [first, second] = words;
  if (first === undefined || first === '--all' || first === '-a')
    return say(await overview(first !== undefined));
  if (first === 'hook') return say(HOOK_HELP);
  const command = commands.find((each) => each.name === first);
  if (command !== undefined) return say(helpOf(command, command.name));
  const entry = registry.find((each) => each.name === first);
  if (entry === undefined) throw unknownCommand(first);
  const own = commandsOf(entry, await entry.cli()).find((each) => each.name === second);
  return say(own === undefined ? await helpOfWorkflow(entry) : helpOf(own, `${first} ${second}`));
}

function say(text: string): ExitCode {
  process.stdout.write(`${text}\n`);
  return 0;
}

// By name, not by class: each chunk of the bundle has its own copy of the class.
function exitCodeOf(error: unknown): ExitCode {
  const name = error instanceof Error ? error.name : '';
  if (name === 'WrongUsage') return 2;
  return isExpected(error) ? 1 : 3;
}

function isExpected(error: unknown): boolean {
  const name = error instanceof Error ? error.name : '';
  const fromTheSystem = error instanceof Error && 'syscall' in error;
  return name === 'NotNow' || name === 'Refused' || name === 'LockBusy' || fromTheSystem;
}

async function describe(error: unknown): Promise<string> {
  const { inOneLine } = await import('../store/trouble.ts');
  const folders = registry.flatMap(({ traces }) => traces.map((trace) => trace.split('/')[0] ?? ''));
  const text = inOneLine(error, null, folders);
  return exitCodeOf(error) === 3 ? `internal error, please report it: ${text}` : text;
}

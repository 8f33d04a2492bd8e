// What a command is given: its flags and words, the environment, and the project it is about.

import fs from 'node:fs';
import { isInsideClient } from '../clients/index.ts';
import type { Runtime } from '../engine/context.ts';
import type { Project } from '../engine/project.ts';
import { refuseHome, rootForNewRun, rootOfCommand } from '../engine/session-root.ts';
import { allTraces, openProject } from '../engine/stop/find-project.ts';
import type { RegistryEntry } from '../engine/workflow.ts';
import type { Call } from '../engine/workflow-cli.ts';
import { currentFolder, runtimeHere } from '../hook/runtime.ts';
import { readStdin } from '../hook/stdin.ts';
import type { Environment } from '../store/environment.ts';
import { isOursByName, OUR_NAME } from '../store/own-command.ts';
import { printable } from '../text/printable.ts';
import { shellQuote } from '../text/shell.ts';
import type { Parsed } from './arguments.ts';

type Watched = {
  /** What is wrong with the config, once. */
  warn(line: string): void;
  /** It starts a run, and so refuses a budget that cannot be read, with the same words. */
  isStart?: boolean;
  /** Each project that the command asks for. */
  opened?(project: Project): void;
};

export function makeCall(
  { flags, words, amongWords }: Parsed,
  { warn, isStart = false, opened = () => {} }: Watched,
  workflow: RegistryEntry | null = null,
): Call {
  const runtime = runtimeFor(process.env);
  const traces = allTraces(runtime);
  const cwd = currentFolder();
  const shown = new Set<string>();
  const open = async (root: string): Promise<Project> => {
    const project = await openProject(root, runtime);
    const { problems, brokenBudget } = project.config;
    const isRefused = (problem: string): boolean =>
      isStart && brokenBudget !== null && problem.startsWith(brokenBudget);
    for (const problem of problems) if (!shown.has(problem) && !isRefused(problem)) warn(problem);
    for (const problem of problems) shown.add(problem);
    opened(project);
    return project;
  };
  return {
    flags,
    words,
    amongWords,
    env: process.env,
    cwd,
    now: runtime.now,
    stdin: () => (process.stdin.isTTY ? '' : (readStdin() ?? '')),
    print: (line) => process.stdout.write(`${printable(line)}\n`),
    async existing(): Promise<Project | null> {
      const root = rootOfCommand(cwd, workflow, runtime);
      return root === null ? null : open(root);
    },
    async forNewRun() {
      const root = rootForNewRun(cwd, traces, process.env, sameCommand(runtime.cli));
      if (isStart) refuseHome(root, process.env);
      return open(root);
    },
  };
}

/** A person is told the short name, where theirs is ours; an agent the path that its rules allow. */
function runtimeFor(env: Environment): Runtime {
  const runtime = runtimeHere();
  return !isInsideClient(env) && isOursByName(env) ? { ...runtime, cli: OUR_NAME } : runtime;
}

/** The command as it was typed, for a shell; a long text is left to whoever has it. */
function sameCommand(cli: string): string {
  const words = process.argv.slice(2).map((word) => (word.length > 80 ? '…' : shellQuote(word)));
  return [cli, ...words, ...inputFile()].join(' ');
}

/** Text that came from a file comes from it again, wherever the command is run. */
function inputFile(): string[] {
  try {
    return fs.fstatSync(0).isFile() ? ['<', shellQuote(fs.readlinkSync('/proc/self/fd/0'))] : [];
  } catch {
    return [];
  }
}

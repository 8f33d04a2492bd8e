// What a command is given: its flags and words, the environment, and the project it is about.

import fs from 'node:fs';
import type { Project } from '../engine/project.ts';
import { rootForNewRun, rootOfCommand } from '../engine/session-root.ts';
import { allTraces, openProject } from '../engine/stop/find-project.ts';
import type { RegistryEntry } from '../engine/workflow.ts';
import type { Call } from '../engine/workflow-cli.ts';
import { currentFolder, runtimeHere } from '../hook/runtime.ts';
import { readStdin } from '../hook/stdin.ts';
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
  const runtime = runtimeHere();
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
    forNewRun: async () => open(rootForNewRun(cwd, traces, process.env, sameCommand(runtime.cli))),
  };
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

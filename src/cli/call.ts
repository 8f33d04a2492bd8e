// What a command is given: its flags and words, the environment, and the project it is about.

import type { Call } from '../engine/desk.ts';
import type { RegistryEntry } from '../engine/machinery.ts';
import { folderForNewRun, type Project } from '../engine/project.ts';
import { allTraces, findRootOfCommand, openProject } from '../engine/root.ts';
import { printable } from '../text/printable.ts';
import type { Parsed } from './arguments.ts';
import { currentFolder, machineryHere } from './here.ts';
import { readStdin } from './stdin.ts';

/** `warn` is told what is wrong with the config, once; `opened` of each project that the command asks for. */
export function makeCall(
  { flags, words }: Parsed,
  warn: (line: string) => void,
  workflow: RegistryEntry | null = null,
  opened: (project: Project) => void = () => {},
): Call {
  const machinery = machineryHere();
  const traces = allTraces(machinery);
  const cwd = currentFolder();
  const told = new Set<string>();
  const open = async (root: string): Promise<Project> => {
    const project = await openProject(root, machinery);
    for (const problem of project.config.problems) if (!told.has(problem)) warn(problem);
    for (const problem of project.config.problems) told.add(problem);
    opened(project);
    return project;
  };
  return {
    flags,
    words,
    env: process.env,
    cwd,
    now: machinery.now,
    stdin: () => (process.stdin.isTTY ? '' : (readStdin() ?? '')),
    print: (line) => process.stdout.write(`${printable(line)}\n`),
    async existing(): Promise<Project | null> {
      const root = findRootOfCommand(cwd, workflow, machinery);
      return root === null ? null : open(root);
    },
    forNewRun: () => open(folderForNewRun(cwd, traces, process.env)),
  };
}

// What a command is given: its flags and words, the environment, and the project it is about.

import type { Call } from '../engine/desk.ts';
import { folderForNewRun, foldersWithRuns, type Project } from '../engine/project.ts';
import { allTraces, openProject } from '../engine/root.ts';
import type { Parsed } from './arguments.ts';
import { currentFolder, machineryHere } from './here.ts';
import { readStdin } from './stdin.ts';

export function makeCall({ flags, words }: Parsed): Call {
  const machinery = machineryHere(new AbortController().signal);
  const traces = allTraces(machinery);
  const cwd = currentFolder();
  return {
    flags,
    words,
    env: process.env,
    cwd,
    now: machinery.now,
    stdin: () => (process.stdin.isTTY ? '' : (readStdin() ?? '')),
    print: (line) => process.stdout.write(`${line}\n`),
    async existing(): Promise<Project | null> {
      const [root] = foldersWithRuns(cwd, traces, process.env);
      const moved = machinery.registry.some((entry) => entry.presentElsewhere?.(process.env));
      if (root === undefined && !moved) return null;
      return openProject(root ?? folderForNewRun(cwd, traces, process.env), machinery);
    },
    forNewRun: () => openProject(folderForNewRun(cwd, traces, process.env), machinery),
  };
}

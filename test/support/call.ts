// A call of a command as main.ts makes it, for tests that call one in their own process, without a command line around
// it: what it prints, refuses and writes.

import os from 'node:os';
import path from 'node:path';
import type { Project } from '../../src/engine/project.ts';
import { findRootOfCommand, openProject } from '../../src/engine/stop/find-project.ts';
import type { Call, Command } from '../../src/engine/workflow-cli.ts';
import { runtimeHere } from '../../src/hook/runtime.ts';
import { projectIn } from './bare-project.ts';
import { cleanEnvironment } from './hook.ts';

export type Printed = { call: Call; printed: string[] };

/** `existing` finds a project as the command does: where no run was yet there is none. */
export function callIn(root: string, over: Partial<Call> = {}): Printed {
  const printed: string[] = [];
  const env = over.env ?? cleanEnvironment(root);
  const runtime = { ...runtimeHere(env), cwd: root, cli: 'holdfast' };
  const opened = (): Promise<Project> => openProject(root, { ...runtime, now: Date.now() });
  const call: Call = {
    ...{ flags: {}, words: [], env, cwd: root, now: Date.now(), stdin: () => '' },
    print: (line) => void printed.push(line),
    existing: async () => (findRootOfCommand(root, null, runtime) === null ? null : opened()),
    forNewRun: opened,
    ...over,
  };
  return { call, printed };
}

export type Given = Partial<Pick<Call, 'flags' | 'words' | 'amongWords'>> & { stdin?: string };

/** What a command printed, with its exit code in front; where it refuses, the error's kind and what it says. */
export async function called(
  command: Command,
  project: Project | null,
  given: Given = {},
): Promise<string[]> {
  const place = project ?? projectIn(path.join(os.tmpdir(), 'holdfast-no-project'));
  const { env, root: cwd, now } = place;
  const { call, printed } = callIn(cwd, {
    ...{ flags: {}, words: [], env, now },
    ...given,
    ...{ stdin: () => given.stdin ?? '', existing: async () => project, forNewRun: async () => place },
  });
  try {
    const code = await command.run(call);
    return [String(code), ...printed];
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return [error.name, error.message, ...printed];
  }
}

// A call of a command as main.ts makes it, for tests that call one of `src/cli` in their own process.

import type { Project } from '../../src/engine/project.ts';
import { findRootOfCommand, openProject } from '../../src/engine/stop/find-project.ts';
import type { Call } from '../../src/engine/workflow-cli.ts';
import { runtimeHere } from '../../src/hook/runtime.ts';
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

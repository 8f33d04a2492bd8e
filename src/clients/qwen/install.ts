// Installs Holdfast in Qwen Code, takes it out again and checks it, and says so in a line or two.

import { forAllProjects, installBySteps, installerOf, uninstallBySteps } from '../install/by-steps.ts';
import type { FoundClient, Outcome, Removal, Surroundings, Wishes } from '../installer.ts';
import { judgeQwen } from './check.ts';
import {
  lookAtQwen,
  planQwenInstall,
  planQwenUninstall,
  type QwenState,
  qwenExtensions,
  qwenLoadProblems,
  sourceOf,
} from './extensions.ts';

export const installer = installerOf(lookAtQwen, foundQwen);

function foundQwen(state: QwenState): FoundClient {
  return {
    source: sourceOf(state),
    hasPlugins: state.extensions.length > 0,
    install: (wishes, how) => installInQwen(state, wishes, how),
    uninstall: (how) => removeFromQwen(state, how),
    check: async (here) => judgeQwen(state, here),
  };
}

const nameOf = ({ version }: QwenState): string => `Qwen Code ${version}`;

function installInQwen(
  state: QwenState,
  wishes: Wishes,
  { env, dryRun }: Surroundings & { dryRun: boolean },
): Promise<Outcome> {
  const what = forAllProjects(wishes);
  return installBySteps({
    name: nameOf(state),
    steps: planQwenInstall(state, wishes),
    dryRun,
    problems: () => qwenLoadProblems(env, wishes),
    done: `installed ${what}.`,
    already: `${what}: installed already.`,
  });
}

function removeFromQwen(state: QwenState, { cwd, env, dryRun }: Removal): Promise<Outcome> {
  return uninstallBySteps({
    name: nameOf(state),
    steps: planQwenUninstall(state, cwd),
    dryRun,
    after() {
      const left = qwenExtensions(env).map((each) => each.name);
      const removed = state.extensions.map((each) => each.name).filter((each) => !left.includes(each));
      return { what: removed.join(', '), good: left.length === 0 };
    },
  });
}

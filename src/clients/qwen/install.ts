// Installs Holdfast in Qwen Code, takes it out again and checks it, and says so in a line or two.

import { asCommand, carryOutSteps } from '../install/program.ts';
import {
  type FoundClient,
  type Installer,
  type Outcome,
  type Removal,
  type Surroundings,
  type Wishes,
  wouldRun,
} from '../installer.ts';
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

export const installer: Installer = {
  async look(cwd) {
    const state = await lookAtQwen(cwd);
    return state === null ? null : foundQwen(state);
  },
};

function foundQwen(state: QwenState): FoundClient {
  return {
    source: sourceOf(state),
    hasPlugins: state.extensions.length > 0,
    install: (wishes, how) => installInQwen(state, wishes, how),
    uninstall: (how) => removeFromQwen(state, how),
    check: async (here) => judgeQwen(state, here),
  };
}

type HowToInstall = Surroundings & { dryRun: boolean };

async function installInQwen(
  state: QwenState,
  wishes: Wishes,
  { env, dryRun }: HowToInstall,
): Promise<Outcome> {
  const name = `Qwen Code ${state.version}`;
  const steps = planQwenInstall(state, wishes);
  if (dryRun) return { good: true, changed: false, lines: wouldRun(name, steps.map(asCommand)) };
  await carryOutSteps(steps);
  const changed = steps.length > 0;
  const problems = qwenLoadProblems(env, wishes);
  if (problems.length > 0)
    return { good: false, changed, lines: problems.map((problem) => `${name}: ${problem}`) };
  const what = `${wishes.plugins.join(', ')} for all your projects`;
  const done = changed ? `installed ${what}.` : `${what}: installed already.`;
  return { good: true, changed, lines: [`${name}: ${done}`] };
}

async function removeFromQwen(state: QwenState, { cwd, env, dryRun }: Removal): Promise<Outcome> {
  const name = `Qwen Code ${state.version}`;
  const steps = planQwenUninstall(state, cwd);
  if (dryRun) return { good: true, changed: false, lines: wouldRun(name, steps.map(asCommand)) };
  if (steps.length === 0)
    return { good: true, changed: false, lines: [`${name}: nothing of Holdfast is installed there.`] };
  await carryOutSteps(steps);
  const left = qwenExtensions(env).map((each) => each.name);
  const removed = state.extensions.map((each) => each.name).filter((each) => !left.includes(each));
  return { good: left.length === 0, changed: true, lines: [`${name}: removed ${removed.join(', ')}.`] };
}

// Installs Holdfast in Gemini CLI, takes it out again and checks it, and says so in a line or two.

import { asCommand, carryOutSteps } from '../install/program.ts';
import {
  type FoundClient,
  type Installer,
  type Outcome,
  type Removal,
  type Wishes,
  wouldRun,
} from '../installer.ts';
import { judgeGemini } from './check.ts';
import {
  type GeminiState,
  geminiExtensions,
  geminiLoadProblems,
  lookAtGemini,
  planGeminiInstall,
  planGeminiUninstall,
  pluginOf,
} from './extensions.ts';

export const installer: Installer = {
  async look(cwd) {
    const state = await lookAtGemini(cwd);
    return state === null ? null : foundGemini(state);
  },
};

function foundGemini(state: GeminiState): FoundClient {
  return {
    source: state.source,
    hasPlugins: state.extensions.length > 0,
    install: (wishes, { dryRun }) => installInGemini(state, wishes, dryRun),
    uninstall: (how) => removeFromGemini(state, how),
    check: async ({ env, cli }) => judgeGemini(state, env, cli),
  };
}

async function installInGemini(state: GeminiState, wishes: Wishes, dryRun: boolean): Promise<Outcome> {
  const name = `Gemini CLI ${state.version}`;
  const steps = planGeminiInstall(state, wishes);
  if (dryRun) return { good: true, changed: false, lines: wouldRun(name, steps.map(asCommand)) };
  const what = `${wishes.plugins.join(', ')} for all your projects`;
  if (steps.length === 0)
    return { good: true, changed: false, lines: [`${name}: ${what}: installed already, and loaded.`] };
  await carryOutSteps(steps);
  const problems = geminiLoadProblems((await geminiExtensions(wishes.cwd)) ?? [], wishes);
  if (problems.length > 0)
    return { good: false, changed: true, lines: problems.map((problem) => `${name}: ${problem}`) };
  return { good: true, changed: true, lines: [`${name}: installed ${what}; all of it loaded.`] };
}

async function removeFromGemini(state: GeminiState, { cwd, dryRun }: Removal): Promise<Outcome> {
  const name = `Gemini CLI ${state.version}`;
  const steps = planGeminiUninstall(state, cwd);
  if (dryRun) return { good: true, changed: false, lines: wouldRun(name, steps.map(asCommand)) };
  if (steps.length === 0)
    return { good: true, changed: false, lines: [`${name}: nothing of Holdfast is installed there.`] };
  await carryOutSteps(steps);
  const names = state.extensions.map((each) => pluginOf(each.name)).join(', ');
  return { good: true, changed: true, lines: [`${name}: removed ${names}.`] };
}

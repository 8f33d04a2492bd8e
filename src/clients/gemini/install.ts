// Installs Holdfast in Gemini CLI, takes it out again and checks it, and says so in a line or two.

import { forAllProjects, installBySteps, installerOf, uninstallBySteps } from '../install/by-steps.ts';
import type { FoundClient, Outcome, Removal, Wishes } from '../installer.ts';
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

export const installer = installerOf(lookAtGemini, foundGemini);

function foundGemini(state: GeminiState): FoundClient {
  return {
    source: state.source,
    hasPlugins: state.extensions.length > 0,
    install: (wishes, { dryRun }) => installInGemini(state, wishes, dryRun),
    uninstall: (how) => removeFromGemini(state, how),
    check: async ({ env, cli }) => judgeGemini(state, env, cli),
  };
}

const nameOf = ({ version }: GeminiState): string => `Gemini CLI ${version}`;

function installInGemini(state: GeminiState, wishes: Wishes, dryRun: boolean): Promise<Outcome> {
  const what = forAllProjects(wishes);
  return installBySteps({
    name: nameOf(state),
    steps: planGeminiInstall(state, wishes),
    dryRun,
    problems: async () => geminiLoadProblems((await geminiExtensions(wishes.cwd)) ?? [], wishes),
    done: `installed ${what}; all of it loaded.`,
    already: `${what}: installed already, and loaded.`,
  });
}

function removeFromGemini(state: GeminiState, { cwd, dryRun }: Removal): Promise<Outcome> {
  return uninstallBySteps({
    name: nameOf(state),
    steps: planGeminiUninstall(state, cwd),
    dryRun,
    after: () => ({ what: state.extensions.map(({ name }) => pluginOf(name)).join(', '), good: true }),
  });
}

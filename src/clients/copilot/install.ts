// Installs Holdfast in Copilot CLI, takes it out again and checks it, and says so in a line or two.

import {
  forAllProjects,
  installBySteps,
  installerOf,
  namesOrMarketplace,
  uninstallBySteps,
} from '../install/by-steps.ts';
import { CORE } from '../install/marketplace.ts';
import {
  type ClientFinding,
  type FoundClient,
  notInstalled,
  type Outcome,
  type Removal,
  type Wishes,
} from '../installer.ts';
import {
  type CopilotState,
  copilotLoadProblems,
  copilotPlugins,
  lookAtCopilot,
  planCopilotInstall,
  planCopilotUninstall,
} from './plugins.ts';
import { tidySettings } from './settings.ts';

export const installer = installerOf(lookAtCopilot, foundCopilot);

function foundCopilot(state: CopilotState): FoundClient {
  return {
    source: state.source,
    hasPlugins: state.plugins.length > 0,
    install: (wishes, { dryRun }) => installInCopilot(state, wishes, dryRun),
    uninstall: (how) => removeFromCopilot(state, how),
    check: async ({ cli }) => [judgeCopilot(state, cli)],
  };
}

const nameOf = ({ version }: CopilotState): string => `Copilot CLI ${version}`;

function installInCopilot(state: CopilotState, wishes: Wishes, dryRun: boolean): Promise<Outcome> {
  const what = forAllProjects(wishes);
  return installBySteps({
    name: nameOf(state),
    steps: planCopilotInstall(state, wishes),
    dryRun,
    problems: async () => copilotLoadProblems(await copilotPlugins(wishes.cwd), wishes),
    done: `installed ${what}.`,
    already: `${what}: installed already.`,
  });
}

function removeFromCopilot(state: CopilotState, { cwd, env, dryRun }: Removal): Promise<Outcome> {
  return uninstallBySteps({
    name: nameOf(state),
    steps: planCopilotUninstall(state, cwd),
    dryRun,
    async after() {
      tidySettings(env);
      const left = await copilotPlugins(cwd);
      return { what: namesOrMarketplace(state.plugins.map(({ name }) => name)), good: left.length === 0 };
    },
  });
}

function judgeCopilot(state: CopilotState, cli: string): ClientFinding {
  const about = nameOf(state);
  if (!state.plugins.some(({ name }) => name === CORE))
    return notInstalled(about, `${cli} install --client copilot`);
  return { result: 'good', what: `${about}: the plugin is installed`, fix: null };
}

// Installs Holdfast in Copilot CLI, takes it out again and checks it, and says so in a line or two.

import { CORE } from '../install/marketplace.ts';
import { asCommand, carryOutSteps } from '../install/program.ts';
import {
  type ClientFinding,
  type FoundClient,
  type Installer,
  notInstalled,
  type Outcome,
  type Removal,
  type Wishes,
  wouldRun,
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

export const installer: Installer = {
  async look(cwd) {
    const state = await lookAtCopilot(cwd);
    return state === null ? null : foundCopilot(state);
  },
};

function foundCopilot(state: CopilotState): FoundClient {
  return {
    source: state.source,
    hasPlugins: state.plugins.length > 0,
    install: (wishes, { dryRun }) => installInCopilot(state, wishes, dryRun),
    uninstall: (how) => removeFromCopilot(state, how),
    check: async ({ cli }) => [judgeCopilot(state, cli)],
  };
}

async function installInCopilot(state: CopilotState, wishes: Wishes, dryRun: boolean): Promise<Outcome> {
  const name = `Copilot CLI ${state.version}`;
  const steps = planCopilotInstall(state, wishes);
  if (dryRun) return { good: true, changed: false, lines: wouldRun(name, steps.map(asCommand)) };
  await carryOutSteps(steps);
  const changed = steps.length > 0;
  const problems = copilotLoadProblems(await copilotPlugins(wishes.cwd), wishes);
  if (problems.length > 0)
    return { good: false, changed, lines: problems.map((problem) => `${name}: ${problem}`) };
  const what = `${wishes.plugins.join(', ')} for all your projects`;
  const done = changed ? `installed ${what}.` : `${what}: installed already.`;
  return { good: true, changed, lines: [`${name}: ${done}`] };
}

async function removeFromCopilot(state: CopilotState, { cwd, env, dryRun }: Removal): Promise<Outcome> {
  const name = `Copilot CLI ${state.version}`;
  const steps = planCopilotUninstall(state, cwd);
  if (dryRun) return { good: true, changed: false, lines: wouldRun(name, steps.map(asCommand)) };
  if (steps.length === 0)
    return { good: true, changed: false, lines: [`${name}: nothing of Holdfast is installed there.`] };
  await carryOutSteps(steps);
  tidySettings(env);
  const left = await copilotPlugins(cwd);
  const names = state.plugins.map((each) => each.name).join(', ');
  return {
    good: left.length === 0,
    changed: true,
    lines: [`${name}: removed ${names === '' ? 'the marketplace' : names}.`],
  };
}

function judgeCopilot({ version, plugins }: CopilotState, cli: string): ClientFinding {
  const about = `Copilot CLI ${version}`;
  if (!plugins.some(({ name }) => name === CORE))
    return notInstalled(about, `${cli} install --client copilot`);
  return { result: 'good', what: `${about}: the plugin is installed`, fix: null };
}

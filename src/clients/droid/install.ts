// Installs Holdfast in Droid, takes it out again and checks it, and says so in a line or two.

import { asCommand, carryOutSteps } from '../install/program.ts';
import {
  type ClientFinding,
  type FoundClient,
  type Installer,
  notInstalled,
  type Outcome,
  type Removal,
  type Surroundings,
  type Wishes,
  wouldRun,
} from '../installer.ts';
import {
  type DroidState,
  droidLoadProblems,
  droidPlugins,
  lookAtDroid,
  planDroidInstall,
  planDroidUninstall,
} from './plugins.ts';
import { giveBackSettings, keepSettings } from './settings.ts';

export const installer: Installer = {
  async look(cwd) {
    const state = await lookAtDroid(cwd);
    return state === null ? null : foundDroid(state);
  },
};

function foundDroid(state: DroidState): FoundClient {
  return {
    source: state.marketplace?.folder ?? null,
    hasPlugins: state.plugins.length > 0,
    install: (wishes, how) => installInDroid(state, wishes, how),
    uninstall: (how) => removeFromDroid(state, how),
    check: async ({ cli }) => [judgeDroid(state, cli)],
  };
}

async function installInDroid(
  state: DroidState,
  wishes: Wishes,
  { env, dryRun }: Surroundings & { dryRun: boolean },
): Promise<Outcome> {
  const name = `Droid ${state.version}`;
  const steps = planDroidInstall(state, wishes);
  if (dryRun) return { good: true, changed: false, lines: wouldRun(name, steps.map(asCommand)) };
  if (state.plugins.length === 0) keepSettings(env);
  await carryOutSteps(steps);
  const isAdded = state.marketplace?.folder === wishes.source.folder;
  const installed = await droidPlugins(isAdded ? state : { ...state, marketplace: null }, wishes.cwd);
  const problems = droidLoadProblems(installed, wishes);
  if (problems.length > 0)
    return { good: false, changed: true, lines: problems.map((problem) => `${name}: ${problem}`) };
  const done = state.plugins.length > 0 ? 'brought up to date' : 'installed';
  const what = `${wishes.plugins.join(', ')} for all your projects`;
  return { good: true, changed: true, lines: [`${name}: ${done} ${what}.`] };
}

async function removeFromDroid(state: DroidState, { cwd, env, dryRun }: Removal): Promise<Outcome> {
  const name = `Droid ${state.version}`;
  const steps = planDroidUninstall(state, cwd);
  if (dryRun) return { good: true, changed: false, lines: wouldRun(name, steps.map(asCommand)) };
  if (steps.length === 0)
    return { good: true, changed: false, lines: [`${name}: nothing of Holdfast is installed there.`] };
  await carryOutSteps(steps);
  giveBackSettings(env);
  const names = state.plugins.map((plugin) => plugin.name).join(', ');
  return {
    good: true,
    changed: true,
    lines: [`${name}: removed ${names === '' ? 'the marketplace' : names}.`],
  };
}

export function judgeDroid({ version, plugins }: DroidState, cli: string): ClientFinding {
  const about = `Droid ${version}`;
  const fix = `${cli} install --client droid`;
  if (!plugins.some(({ name }) => name === 'holdfast')) return notInstalled(about, fix);
  const off = plugins.filter(({ isActive }) => !isActive).map(({ name }) => name);
  if (off.length > 0) return { result: 'bad', what: `${about}: ${off.join(', ')} is switched off`, fix };
  return { result: 'good', what: `${about}: the plugin is installed`, fix: null };
}

// Installs Holdfast in Droid, takes it out again and checks it, and says so in a line or two.

import {
  forAllProjects,
  installBySteps,
  installerOf,
  namesOrMarketplace,
  uninstallBySteps,
} from '../install/by-steps.ts';
import {
  type ClientFinding,
  type FoundClient,
  notInstalled,
  type Outcome,
  type Removal,
  type Surroundings,
  type Wishes,
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

export const installer = installerOf(lookAtDroid, foundDroid);

function foundDroid(state: DroidState): FoundClient {
  return {
    source: state.marketplace?.folder ?? null,
    hasPlugins: state.plugins.length > 0,
    install: (wishes, how) => installInDroid(state, wishes, how),
    uninstall: (how) => removeFromDroid(state, how),
    check: async ({ cli }) => [judgeDroid(state, cli)],
  };
}

const nameOf = ({ version }: DroidState): string => `Droid ${version}`;

function installInDroid(
  state: DroidState,
  wishes: Wishes,
  { env, dryRun }: Surroundings & { dryRun: boolean },
): Promise<Outcome> {
  const isFirst = state.plugins.length === 0;
  if (isFirst && !dryRun) keepSettings(env);
  const isAdded = state.marketplace?.folder === wishes.source.folder;
  const added = isAdded ? state : { ...state, marketplace: null };
  const done = `${isFirst ? 'installed' : 'brought up to date'} ${forAllProjects(wishes)}.`;
  return installBySteps({
    name: nameOf(state),
    steps: planDroidInstall(state, wishes),
    dryRun,
    problems: async () => droidLoadProblems(await droidPlugins(added, wishes.cwd), wishes),
    done,
    // Its copies are always made again.
    already: done,
  });
}

function removeFromDroid(state: DroidState, { cwd, env, dryRun }: Removal): Promise<Outcome> {
  return uninstallBySteps({
    name: nameOf(state),
    steps: planDroidUninstall(state, cwd),
    dryRun,
    after() {
      giveBackSettings(env);
      return { what: namesOrMarketplace(state.plugins.map(({ name }) => name)), good: true };
    },
  });
}

export function judgeDroid(state: DroidState, cli: string): ClientFinding {
  const about = nameOf(state);
  const { plugins } = state;
  const fix = `${cli} install --client droid`;
  if (!plugins.some(({ name }) => name === 'holdfast')) return notInstalled(about, fix);
  const off = plugins.filter(({ isActive }) => !isActive).map(({ name }) => name);
  if (off.length > 0) return { result: 'bad', what: `${about}: ${off.join(', ')} is switched off`, fix };
  return { result: 'good', what: `${about}: the plugin is installed`, fix: null };
}

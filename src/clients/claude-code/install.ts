// Installs Holdfast in Claude Code, takes it out again and checks it, and says so in a line or two.

import path from 'node:path';
import { disk } from '../../store/disk.ts';
import { MARKETPLACE } from '../install/marketplace.ts';
import { asCommand, carryOutSteps } from '../install/program.ts';
import {
  type FoundClient,
  type Installer,
  type Outcome,
  type Scope,
  type Wishes,
  wouldRun,
} from '../installer.ts';
import { judgeClaude } from './check.ts';
import {
  type ClaudePlugin,
  type ClaudeState,
  claudeLoadProblems,
  claudePlugins,
  lookAtClaude,
  planClaudeInstall,
  planClaudeUninstall,
  settingsWithoutHooks,
} from './plugins.ts';
import { removeStatusLine, setStatusLine } from './status-line.ts';

export const installer: Installer = {
  async look(cwd) {
    const state = await lookAtClaude(cwd);
    return state === null ? null : foundClaude(state);
  },
};

function foundClaude(state: ClaudeState): FoundClient {
  return {
    source: state.source,
    hasPlugins: state.plugins.length > 0,
    install: (wishes, { dryRun }) => installInClaude(state, wishes, dryRun),
    uninstall: async ({ scope, cwd, env, dryRun }) => {
      const outcome = await removeFromClaude(state, scope, cwd, dryRun);
      const line = outcome.good && scope !== 'project' ? removeStatusLine(env, dryRun) : null;
      return line === null ? outcome : { ...outcome, lines: [...outcome.lines, line] };
    },
    statusLine: (how) => setStatusLine(how, how.dryRun),
    check: async ({ cwd, env, cli }) => judgeClaude(state, settingsWithoutHooks(cwd, env), cli),
  };
}

async function installInClaude(state: ClaudeState, wishes: Wishes, dryRun: boolean): Promise<Outcome> {
  const name = `Claude Code ${state.version}`;
  const steps = planClaudeInstall(state, wishes);
  const what = `${wishes.plugins.join(', ')} ${whereOf(wishes)}`;
  if (dryRun) return { good: true, changed: false, lines: wouldRun(name, steps.map(asCommand)) };
  await carryOutSteps(steps);
  const problems = claudeLoadProblems(await claudePlugins(wishes.cwd), wishes);
  const changed = steps.length > 0;
  if (problems.length > 0)
    return { good: false, changed, lines: problems.map((problem) => `${name}: ${problem}`) };
  const done = changed ? `installed ${what}; all of it loaded.` : `${what}: installed already, and loaded.`;
  return { good: true, changed, lines: [`${name}: ${done}`, ...(changed ? projectNote(wishes) : [])] };
}

async function removeFromClaude(
  state: ClaudeState,
  scope: Scope | null,
  cwd: string,
  dryRun: boolean,
): Promise<Outcome> {
  const name = `Claude Code ${state.version}`;
  const steps = planClaudeUninstall(state, scope, cwd);
  if (dryRun) return { good: true, changed: false, lines: wouldRun(name, steps.map(asCommand)) };
  if (steps.length === 0)
    return { good: true, changed: false, lines: [`${name}: nothing of Holdfast is installed there.`] };
  await carryOutSteps(steps);
  const left = await claudePlugins(cwd);
  if (left.length === 0) removeCopies(state.plugins);
  const removed = state.plugins.filter((each) => !left.some((other) => isSame(each, other)));
  const names = [...new Set(removed.map(({ id }) => id.split('@')[0]))].join(', ');
  return {
    good: true,
    changed: true,
    lines: [`${name}: removed ${names === '' ? 'the marketplace' : names}.`],
  };
}

function whereOf({ scope, cwd }: Wishes): string {
  return scope === 'user' ? 'for all your projects' : `for the project in ${cwd}`;
}

/** The client writes the marketplace's absolute path into a file that is usually shared. */
function projectNote({ scope, source }: Wishes): string[] {
  if (scope === 'user') return [];
  return [
    `  .claude/settings.json now names ${source.folder}; others who share it need Holdfast at the same place.`,
  ];
}

/** The client only marks its copies as orphaned. It runs from the marketplace's folder, so nothing uses them. */
function removeCopies(plugins: readonly ClaudePlugin[]): void {
  for (const { installPath } of plugins) {
    if (installPath === undefined) continue;
    const folder = path.resolve(installPath, '..', '..');
    if (folder.endsWith(path.join('plugins', 'cache', MARKETPLACE))) disk.remove(folder);
  }
}

function isSame(a: ClaudePlugin, b: ClaudePlugin): boolean {
  return a.id === b.id && a.scope === b.scope && a.projectPath === b.projectPath;
}

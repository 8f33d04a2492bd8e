// Installs Holdfast in Claude Code, takes it out again and checks it, and says so in a line or two.

import path from 'node:path';
import { disk } from '../../store/disk.ts';
import { installBySteps, installerOf, namesOrMarketplace, uninstallBySteps } from '../install/by-steps.ts';
import { MARKETPLACE } from '../install/marketplace.ts';
import type { FoundClient, Outcome, Removal, Wishes } from '../installer.ts';
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

export const installer = installerOf(lookAtClaude, foundClaude);

function foundClaude(state: ClaudeState): FoundClient {
  return {
    source: state.source,
    hasPlugins: state.plugins.length > 0,
    install: (wishes, { dryRun }) => installInClaude(state, wishes, dryRun),
    uninstall: async (how) => {
      const outcome = await removeFromClaude(state, how);
      const line = outcome.good && how.scope !== 'project' ? removeStatusLine(how.env, how.dryRun) : null;
      return line === null ? outcome : { ...outcome, lines: [...outcome.lines, line] };
    },
    statusLine: (how) => setStatusLine(how, how.dryRun),
    check: async ({ cwd, env, cli }) => judgeClaude(state, settingsWithoutHooks(cwd, env), cli),
  };
}

const nameOf = ({ version }: ClaudeState): string => `Claude Code ${version}`;

async function installInClaude(state: ClaudeState, wishes: Wishes, dryRun: boolean): Promise<Outcome> {
  const what = `${wishes.plugins.join(', ')} ${whereOf(wishes)}`;
  const outcome = await installBySteps({
    name: nameOf(state),
    steps: planClaudeInstall(state, wishes),
    dryRun,
    problems: async () => claudeLoadProblems(await claudePlugins(wishes.cwd), wishes),
    done: `installed ${what}; all of it loaded.`,
    already: `${what}: installed already, and loaded.`,
  });
  if (!outcome.good || !outcome.changed) return outcome;
  return { ...outcome, lines: [...outcome.lines, ...projectNote(wishes)] };
}

function removeFromClaude(state: ClaudeState, { scope, cwd, dryRun }: Removal): Promise<Outcome> {
  return uninstallBySteps({
    name: nameOf(state),
    steps: planClaudeUninstall(state, scope, cwd),
    dryRun,
    async after() {
      const left = await claudePlugins(cwd);
      if (left.length === 0) removeCopies(state.plugins);
      const removed = state.plugins.filter((each) => !left.some((other) => isSame(each, other)));
      const names = new Set(removed.flatMap(({ id }) => id.split('@')[0] ?? []));
      return { what: namesOrMarketplace([...names]), good: true };
    },
  });
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

// What `doctor` says of Claude Code: is the plugin installed in it and loaded, will it run the hooks.

import { CORE, pluginId } from '../install/marketplace.ts';
import { type ClientFinding, notInstalled } from '../installer.ts';
import { type ClaudePlugin, type ClaudeState, loadProblem } from './plugins.ts';

/** `silenced`: the settings file that switches all hooks off. */
export function judgeClaude(state: ClaudeState, silenced: string | null, cli: string): ClientFinding[] {
  const about = `Claude Code ${state.version}`;
  // A plugin of another project is listed too, as disabled.
  const here = state.plugins.filter((plugin) => plugin.enabled);
  const core = here.find((plugin) => plugin.id === pluginId(CORE));
  const fix = `${cli} install --client claude`;
  if (core === undefined && here.length === 0) return [notInstalled(about, fix)];
  const problems = [...new Set(here.flatMap((plugin: ClaudePlugin) => loadProblem(plugin) ?? []))];
  if (core === undefined && problems.length === 0) return [notInstalled(about, fix)];
  if (problems.length > 0)
    return problems.map((problem) => ({ result: 'bad', what: `${about}: ${problem}`, fix }));
  if (silenced !== null)
    return [
      {
        result: 'bad',
        what: `${about} runs no hooks at all: ${silenced} has disableAllHooks`,
        fix: `remove disableAllHooks from ${silenced}`,
      },
    ];
  return [{ result: 'good', what: `${about}: the plugin is installed and loaded`, fix: null }];
}

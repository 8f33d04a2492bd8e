// What `doctor` says of Codex: is the plugin installed in it, are its hooks trusted, is its copy up to date.

import { CORE, ownFolder, pluginId, readMarketplace } from '../install/marketplace.ts';
import { type ClientFinding, notInstalled, type Surroundings } from '../installer.ts';
import { type CodexHooks, lookAtCodexHooks } from './hooks.ts';
import type { CodexPlugin, CodexState } from './plugins.ts';
import { eventLabel, howToTrust, noHooks } from './words.ts';

export async function checkCodex(state: CodexState, { cwd, cli }: Surroundings): Promise<ClientFinding[]> {
  const about = `Codex ${state.version}`;
  const fix = `${cli} install --client codex`;
  if (state.source.kind === 'unreadable')
    return [{ result: 'bad', what: `${about}: the folder its plugins were installed from is gone`, fix }];
  const core = state.plugins.find((plugin) => plugin.pluginId === pluginId(CORE));
  if (core === undefined) return [notInstalled(about, fix)];
  if (!core.enabled) return [{ result: 'bad', what: `${about}: the plugin is switched off`, fix }];
  return [...judgeTrust(await lookAtCodexHooks(cwd), about, cli), ...checkCopy(core, state, fix)];
}

/** Codex skips what it does not trust without a word, so this is the place where a user learns of it. */
export function judgeTrust({ hooks, problems }: CodexHooks, about: string, cli: string): ClientFinding[] {
  const fix = howToTrust(cli);
  const events = (list: CodexHooks['hooks']): string => list.map(eventLabel).join(', ');
  if (hooks.length === 0)
    return [{ result: 'bad', what: `${about}: ${noHooks(problems)}`, fix: `${cli} install --client codex` }];
  const modified = hooks.filter((hook) => hook.trust === 'modified');
  const untrusted = hooks.filter((hook) => hook.trust === 'untrusted');
  const off = hooks.filter((hook) => !hook.enabled);
  const findings: ClientFinding[] = [
    ...(modified.length === 0
      ? []
      : [
          {
            result: 'bad' as const,
            what: `${about} no longer trusts the hooks (${events(modified)}): the plugin changed since you trusted it, so they do not run`,
            fix,
          },
        ]),
    ...(untrusted.length === 0
      ? []
      : [
          {
            result: 'bad' as const,
            what: `${about} does not trust the hooks yet (${events(untrusted)}), so they do not run`,
            fix,
          },
        ]),
    ...(off.length === 0
      ? []
      : [
          {
            result: 'bad' as const,
            what: `${about}: hooks are switched off: ${events(off)}`,
            fix: 'turn them on in Codex with /hooks',
          },
        ]),
  ];
  if (findings.length > 0) return findings;
  return [{ result: 'good', what: `${about}: the plugin is installed and its hooks are trusted`, fix: null }];
}

/** Codex runs a copy, which a newer Holdfast does not reach by itself. */
function checkCopy({ version }: CodexPlugin, { version: client }: CodexState, fix: string): ClientFinding[] {
  const own = readMarketplace(ownFolder());
  if (own === null || version === own.version) return [];
  return [
    {
      result: 'fair',
      what: `Codex ${client} runs Holdfast ${version}, and this is ${own.version}`,
      fix,
    },
  ];
}

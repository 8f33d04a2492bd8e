// What `doctor` says about each client: is it there, is the plugin installed in it and loaded, will it run
// the hooks.

import type { Call } from '../../engine/workflow-cli.ts';
import { cliCommand } from '../../hook/runtime.ts';
import type { Finding } from '../checks.ts';
import {
  type ClaudePlugin,
  type ClaudeState,
  loadProblem,
  lookAtClaude,
  settingsWithoutHooks,
} from './claude.ts';
import { type CodexPlugin, type CodexState, lookAtCodex } from './codex.ts';
import { type CodexHooks, lookAtCodexHooks } from './codex-hooks.ts';
import { eventLabel, howToTrust, noHooks } from './in-codex.ts';
import { CORE, ownFolder, pluginId, readMarketplace } from './marketplace.ts';

export async function checkClients(call: Call): Promise<Finding[]> {
  const [claude, codex] = await Promise.all([
    orUnreadable('Claude Code', () => checkClaude(call)),
    orUnreadable('Codex', () => checkCodex(call)),
  ]);
  return oneIsEnough([...claude, ...codex]);
}

/** Not installed in a client is a fault only when it is installed in none: not everyone uses both. */
type ClientFinding = Finding & { absent?: true };

function oneIsEnough(findings: readonly ClientFinding[]): Finding[] {
  const installed = findings.some((finding) => finding.absent !== true);
  return findings.map(({ absent, ...finding }) =>
    absent === true && finding.result === 'bad' && installed ? { ...finding, result: 'fair' } : finding,
  );
}

async function orUnreadable(name: string, check: () => Promise<ClientFinding[]>): Promise<ClientFinding[]> {
  try {
    return await check();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [{ result: 'fair', what: `${name}: what is installed could not be read: ${why}`, mend: null }];
  }
}

async function checkClaude({ cwd, env }: Call): Promise<ClientFinding[]> {
  const state = await lookAtClaude(cwd);
  if (state === null) return [notThere('Claude Code')];
  return judgeClaude(state, settingsWithoutHooks(cwd, env), cliCommand());
}

/** `silenced`: the settings file that switches all hooks off. */
export function judgeClaude(state: ClaudeState, silenced: string | null, cli: string): ClientFinding[] {
  const about = `Claude Code ${state.version}`;
  // A plugin of another project is listed too, as disabled.
  const here = state.plugins.filter((plugin) => plugin.enabled);
  const core = here.find((plugin) => plugin.id === pluginId(CORE));
  const mend = `${cli} install --client claude`;
  if (core === undefined && here.length === 0) return [notInstalled(about, mend)];
  const problems = [...new Set(here.flatMap((plugin: ClaudePlugin) => loadProblem(plugin) ?? []))];
  if (core === undefined && problems.length === 0) return [notInstalled(about, mend)];
  if (problems.length > 0)
    return problems.map((problem) => ({ result: 'bad', what: `${about}: ${problem}`, mend }));
  if (silenced !== null)
    return [
      {
        result: 'bad',
        what: `${about} runs no hooks at all: ${silenced} has disableAllHooks`,
        mend: `remove disableAllHooks from ${silenced}`,
      },
    ];
  return [{ result: 'good', what: `${about}: the plugin is installed and loaded`, mend: null }];
}

async function checkCodex({ cwd }: Call): Promise<ClientFinding[]> {
  const state = await lookAtCodex(cwd);
  if (state === null) return [notThere('Codex')];
  const about = `Codex ${state.version}`;
  const mend = `${cliCommand()} install --client codex`;
  if (state.source.kind === 'unreadable')
    return [{ result: 'bad', what: `${about}: the folder its plugins were installed from is gone`, mend }];
  const core = state.plugins.find((plugin) => plugin.pluginId === pluginId(CORE));
  if (core === undefined) return [notInstalled(about, mend)];
  if (!core.enabled) return [{ result: 'bad', what: `${about}: the plugin is switched off`, mend }];
  return [...judgeTrust(await lookAtCodexHooks(cwd), about, cliCommand()), ...checkCopy(core, state)];
}

/** Codex skips what it does not trust without a word, so this is the place where a user learns of it. */
export function judgeTrust({ hooks, problems }: CodexHooks, about: string, cli: string): Finding[] {
  const mend = howToTrust(cli);
  const events = (list: CodexHooks['hooks']): string => list.map(eventLabel).join(', ');
  if (hooks.length === 0)
    return [{ result: 'bad', what: `${about}: ${noHooks(problems)}`, mend: `${cli} install --client codex` }];
  const modified = hooks.filter((hook) => hook.trust === 'modified');
  const untrusted = hooks.filter((hook) => hook.trust === 'untrusted');
  const off = hooks.filter((hook) => !hook.enabled);
  const findings: Finding[] = [
    ...(modified.length === 0
      ? []
      : [
          {
            result: 'bad' as const,
            what: `${about} no longer trusts the hooks (${events(modified)}): the plugin changed since you trusted it, so they do not run`,
            mend,
          },
        ]),
    ...(untrusted.length === 0
      ? []
      : [
          {
            result: 'bad' as const,
            what: `${about} does not trust the hooks yet (${events(untrusted)}), so they do not run`,
            mend,
          },
        ]),
    ...(off.length === 0
      ? []
      : [
          {
            result: 'bad' as const,
            what: `${about}: hooks are switched off: ${events(off)}`,
            mend: 'turn them on in Codex with /hooks',
          },
        ]),
  ];
  if (findings.length > 0) return findings;
  return [
    { result: 'good', what: `${about}: the plugin is installed and its hooks are trusted`, mend: null },
  ];
}

/** Codex runs a copy, which a newer Holdfast does not reach by itself. */
function checkCopy({ version }: CodexPlugin, { version: client }: CodexState): Finding[] {
  const own = readMarketplace(ownFolder());
  if (own === null || version === own.version) return [];
  return [
    {
      result: 'fair',
      what: `Codex ${client} runs Holdfast ${version}, and this is ${own.version}`,
      mend: `${cliCommand()} install --client codex`,
    },
  ];
}

function notThere(name: string): ClientFinding {
  return { result: 'fair', what: `${name} is not on PATH`, mend: null, absent: true };
}

function notInstalled(about: string, mend: string): ClientFinding {
  return { result: 'bad', what: `${about}: the Holdfast plugin is not installed in it`, mend, absent: true };
}

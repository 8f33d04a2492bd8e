// Holdfast in Copilot CLI: what its plugin commands say is installed, and which of them bring it to what is wanted. It
// loads plugins live from the marketplace's folder (1.0.102). Reads and plans; carries nothing out.

import * as v from 'valibot';
import { parseJson } from '../../store/json.ts';
import { CORE, MARKETPLACE, pluginId } from '../install/marketplace.ts';
import { ClientFailed, runProgram, type Step, saidBy } from '../install/program.ts';
import type { Wishes } from '../installer.ts';

/** `plugins`: ours that are switched on. `source`: the folder the marketplace was added from. */
export type CopilotState = { version: string; source: string | null; plugins: readonly CopilotPlugin[] };

export type CopilotPlugin = { name: string; version: string };

const plugin = v.object({
  name: v.string(),
  marketplace: v.string(),
  version: v.optional(v.string()),
  enabled: v.boolean(),
});
const marketplace = v.object({ name: v.string(), source: v.string() });

/** Null: Copilot CLI is not on PATH. */
export async function lookAtCopilot(cwd: string): Promise<CopilotState | null> {
  const version = await runProgram('copilot', ['--version'], cwd);
  if (version === null) return null;
  return {
    version: /\d+\.\d+\.\d+/.exec(version.stdout)?.[0] ?? '',
    source: parseMarketplaces(await ask(['plugin', 'marketplace', 'list', '--json'], cwd)),
    plugins: await copilotPlugins(cwd),
  };
}

export async function copilotPlugins(cwd: string): Promise<CopilotPlugin[]> {
  return parsePlugins(await ask(['plugin', 'list', '--json'], cwd));
}

/** It lists all of a marketplace, also what nobody installed: that is switched off. */
export function parsePlugins(text: string): CopilotPlugin[] {
  const parsed = v.safeParse(v.array(plugin), parseJson(text));
  if (!parsed.success)
    throw new ClientFailed('`copilot plugin list --json` answered what Holdfast cannot read.');
  return parsed.output
    .filter((each) => each.marketplace === MARKETPLACE && each.enabled)
    .map(({ name, version = '' }) => ({ name, version }));
}

export function parseMarketplaces(text: string): string | null {
  const parsed = v.safeParse(v.array(marketplace), parseJson(text));
  const source = parsed.success ? parsed.output.find(({ name }) => name === MARKETPLACE)?.source : undefined;
  return source?.replace(/^Local: /, '') ?? null;
}

/** A marketplace that lies elsewhere must go first: one of that name is not added again. */
export function planCopilotInstall(state: CopilotState, { source, plugins, cwd }: Wishes): Step[] {
  const step = (...args: string[]): Step => ({ program: 'copilot', args: ['plugin', ...args], cwd });
  const isThere = (name: string): boolean => state.plugins.some((each) => each.name === name);
  const moved = state.source !== null && state.source !== source.folder;
  return [
    ...(moved ? [step('marketplace', 'remove', MARKETPLACE, '--force')] : []),
    ...(state.source === source.folder ? [] : [step('marketplace', 'add', source.folder)]),
    ...plugins.filter((name) => !isThere(name)).map((name) => step('install', pluginId(name))),
  ];
}

/** One line for each wanted plugin that is not there or of another version. */
export function copilotLoadProblems(
  installed: readonly CopilotPlugin[],
  { source, plugins }: Wishes,
): string[] {
  return plugins.flatMap((name) => {
    const found = installed.find((each) => each.name === name);
    if (found === undefined) return [`${name} is not there after its installation`];
    if (found.version === source.version) return [];
    return [`${name} is version ${found.version}, not ${source.version}`];
  });
}

/** Workflows before the core they need, and the marketplace last: without it no plugin can be taken out. */
export function planCopilotUninstall({ plugins, source }: CopilotState, cwd: string): Step[] {
  const step = (...args: string[]): Step => ({ program: 'copilot', args: ['plugin', ...args], cwd });
  const names = plugins.map(({ name }) => name).toSorted((a, b) => Number(a === CORE) - Number(b === CORE));
  return [
    ...names.map((name) => step('uninstall', pluginId(name))),
    ...(source === null ? [] : [step('marketplace', 'remove', MARKETPLACE, '--force')]),
  ];
}

async function ask(args: readonly string[], cwd: string): Promise<string> {
  const ended = await runProgram('copilot', args, cwd);
  if (ended?.ok) return ended.stdout;
  throw new ClientFailed(
    `\`copilot ${args.join(' ')}\` failed: ${ended === null ? 'not found' : saidBy(ended)}`,
  );
}

// Holdfast in Codex: what its plugin commands say is installed, and which of them bring it to what is wanted.
// Reads and plans; carries nothing out. Codex resolves no dependencies, so every plugin is added by name.

import * as v from 'valibot';
import { parseJson } from '../../store/json.ts';
import { isOurs, MARKETPLACE, pluginId } from '../install/marketplace.ts';
import { ClientFailed, runProgram, type Step, saidBy } from '../install/program.ts';
import type { Wishes } from '../installer.ts';

export type CodexPlugin = v.InferOutput<typeof plugin>;

/** `unreadable`: the folder the marketplace was added from is gone, and with it what Codex can list. */
export type CodexState = {
  version: string;
  source: { kind: 'none' | 'unreadable' } | { kind: 'folder'; folder: string };
  plugins: readonly CodexPlugin[];
};

const UNREADABLE: CodexState['source'] = { kind: 'unreadable' };

const plugin = v.object({ pluginId: v.string(), version: v.optional(v.string()), enabled: v.boolean() });
const pluginList = v.object({ installed: v.array(plugin) });
const marketplaceList = v.object({ marketplaces: v.array(v.object({ name: v.string(), root: v.string() })) });

/** Null: Codex is not on PATH. */
export async function lookAtCodex(cwd: string): Promise<CodexState | null> {
  const version = await runProgram('codex', ['--version'], cwd);
  if (version === null) return null;
  // Nothing else that it answers could be believed.
  if (!version.ok) throw new ClientFailed(`\`codex --version\` failed: ${saidBy(version)}`);
  const marketplaces = await runProgram('codex', ['plugin', 'marketplace', 'list', '--json'], cwd);
  const source = marketplaces?.ok ? parseSource(marketplaces.stdout) : UNREADABLE;
  const plugins = source.kind === 'unreadable' ? [] : await codexPlugins(cwd);
  return { version: version.stdout.trim().split(' ').at(-1) ?? '', source, plugins };
}

export async function codexPlugins(cwd: string): Promise<CodexPlugin[]> {
  const ended = await runProgram('codex', ['plugin', 'list', '--json'], cwd);
  if (ended?.ok) return parseCodexPlugins(ended.stdout);
  throw new ClientFailed(
    `\`codex plugin list --json\` failed: ${ended === null ? 'not found' : saidBy(ended)}`,
  );
}

/** Ours only. Throws when the client's answer has another shape than any version we know. */
export function parseCodexPlugins(text: string): CodexPlugin[] {
  const parsed = v.safeParse(pluginList, parseJson(text));
  if (!parsed.success)
    throw new ClientFailed('`codex plugin list --json` answered what Holdfast cannot read.');
  return parsed.output.installed.filter((each) => isOurs(each.pluginId));
}

export function parseSource(text: string): CodexState['source'] {
  const parsed = v.safeParse(marketplaceList, parseJson(text));
  if (!parsed.success) return UNREADABLE;
  const found = parsed.output.marketplaces.find(({ name }) => name === MARKETPLACE);
  return found === undefined ? { kind: 'none' } : { kind: 'folder', folder: found.root };
}

/**
 * Adds every plugin even when it is there: Codex runs a copy, and only adding it again brings the copy up to
 * date. The same content keeps the trust in its hooks.
 */
export function planCodexInstall({ source: known }: CodexState, { source, plugins, cwd }: Wishes): Step[] {
  const step = (...args: string[]): Step => ({ program: 'codex', args: ['plugin', ...args], cwd });
  const added = known.kind === 'folder' && known.folder === source.folder;
  const elsewhere = !added && known.kind !== 'none';
  return [
    ...(elsewhere ? [{ ...step('marketplace', 'remove', MARKETPLACE), mayFail: true }] : []),
    ...(added ? [] : [step('marketplace', 'add', source.folder)]),
    ...plugins.map((name) => step('add', pluginId(name))),
  ];
}

export function codexLoadProblems(installed: readonly CodexPlugin[], { plugins }: Wishes): string[] {
  return plugins.flatMap((name) => {
    const found = installed.find((each) => each.pluginId === pluginId(name));
    if (found === undefined) return [`${name} is not there after its installation`];
    return found.enabled ? [] : [`${name} is disabled`];
  });
}

/** `known`: the plugins of the marketplace, for when Codex can no longer list them. Removing is harmless twice. */
export function planCodexUninstall(state: CodexState, known: readonly string[], cwd: string): Step[] {
  const listed = state.plugins.map((each) => each.pluginId);
  const gone = state.source.kind === 'unreadable' ? known.map(pluginId) : listed;
  if (gone.length === 0 && state.source.kind === 'none') return [];
  const step = (...args: string[]): Step => ({ program: 'codex', args: ['plugin', ...args], cwd });
  const marketplace = {
    ...step('marketplace', 'remove', MARKETPLACE),
    mayFail: state.source.kind !== 'folder',
  };
  return [...[...new Set(gone)].map((id) => step('remove', id)), marketplace];
}

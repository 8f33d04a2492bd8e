// Holdfast in Claude Code: what its plugin commands say is installed, and which of them bring it to what is
// wanted. Reads and plans; carries nothing out.

import fs from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import type { Environment } from '../../store/environment.ts';
import { isObject, parseJson } from '../../store/json.ts';
import { readOwn } from '../../store/open.ts';
import { absolute, homeFolder } from '../../store/user-folders.ts';
import { CORE, isOurs, MARKETPLACE, pluginId } from '../install/marketplace.ts';
import { ClientFailed, runProgram, type Step, saidBy } from '../install/program.ts';
import type { Wishes } from '../installer.ts';

export type ClaudePlugin = v.InferOutput<typeof plugin>;

/** `source`: the folder the marketplace was added from. */
export type ClaudeState = { version: string; source: string | null; plugins: readonly ClaudePlugin[] };

const plugin = v.object({
  id: v.string(),
  scope: v.string(),
  enabled: v.boolean(),
  version: v.optional(v.string()),
  installPath: v.optional(v.string()),
  projectPath: v.optional(v.string()),
  /** Why it did not load: an unmet dependency, a hook file it cannot read, a marketplace folder that is gone. */
  errors: v.optional(v.array(v.string())),
});
const marketplace = v.object({ name: v.string(), path: v.optional(v.string()) });

/** Null: Claude Code is not on PATH. */
export async function lookAtClaude(cwd: string): Promise<ClaudeState | null> {
  const version = await runProgram('claude', ['--version'], cwd);
  if (version === null) return null;
  const plugins = await claudePlugins(cwd);
  const source = parseMarketplaces(await ask(['plugin', 'marketplace', 'list', '--json'], cwd));
  return { version: version.stdout.trim().split(' ')[0] ?? '', source, plugins };
}

/** Without those of projects that are gone: the client lists them for ever and can only change them there. */
export async function claudePlugins(cwd: string): Promise<ClaudePlugin[]> {
  const plugins = parsePlugins(await ask(['plugin', 'list', '--json'], cwd));
  return plugins.filter(({ projectPath }) => projectPath === undefined || fs.existsSync(projectPath));
}

/** Ours only. Throws when the client's answer has another shape than any version we know. */
export function parsePlugins(text: string): ClaudePlugin[] {
  const parsed = v.safeParse(v.array(plugin), parseJson(text));
  if (!parsed.success)
    throw new ClientFailed('`claude plugin list --json` answered what Holdfast cannot read.');
  return parsed.output.filter(({ id }) => isOurs(id));
}

export function parseMarketplaces(text: string): string | null {
  const parsed = v.safeParse(v.array(marketplace), parseJson(text));
  if (!parsed.success) return null;
  return parsed.output.find(({ name }) => name === MARKETPLACE)?.path ?? null;
}

/** What it takes to have all wanted plugins, enabled and of this version. Nothing when all is there. */
export function planClaudeInstall(state: ClaudeState, { source, scope, cwd, plugins }: Wishes): Step[] {
  const step = (...args: string[]): Step => ({ program: 'claude', args: ['plugin', ...args], cwd });
  const present = (name: string): ClaudePlugin | undefined =>
    state.plugins.find((each) => each.id === pluginId(name) && isInScope(each, scope, cwd));
  const missing = plugins.filter((name) => present(name)?.enabled !== true);
  const older = plugins.filter((name) => {
    const found = present(name);
    return found?.enabled === true && found.version !== source.version;
  });
  const declared = state.source === source.folder && plugins.some((name) => present(name) !== undefined);
  return [
    ...(declared ? [] : [step('marketplace', 'add', source.folder, '--scope', scope)]),
    ...missing.map((name) => step('install', pluginId(name), '--scope', scope)),
    ...older.map((name) => step('update', pluginId(name), '--scope', scope)),
  ];
}

/** One line for each wanted plugin that is not there or did not load: the install itself does not tell. */
export function claudeLoadProblems(
  installed: readonly ClaudePlugin[],
  { scope, cwd, plugins }: Wishes,
): string[] {
  return plugins.flatMap((name) => {
    const found = installed.find((each) => each.id === pluginId(name) && isInScope(each, scope, cwd));
    if (found === undefined) return [`${name} is not there after its installation`];
    return loadProblem(found) ?? [];
  });
}

export function loadProblem({ id, enabled, errors }: ClaudePlugin): string | null {
  const name = id.split('@')[0];
  if (!enabled) return `${name} is disabled`;
  return errors === undefined || errors.length === 0
    ? null
    : `${name} did not load: ${errors[0]?.split('\n')[0]}`;
}

/** Workflows before the core they need, and the marketplace last, when nothing of it is left. */
export function planClaudeUninstall(state: ClaudeState, scope: string | null, cwd: string): Step[] {
  const gone = state.plugins.filter((each) => scope === null || isInScope(each, scope, cwd));
  const ordered = [...gone].sort((a, b) => Number(a.id === pluginId(CORE)) - Number(b.id === pluginId(CORE)));
  const steps = ordered.map((each): Step => {
    const args = ['plugin', 'uninstall', each.id, '--scope', each.scope];
    return { program: 'claude', args, cwd: folderOf(each, cwd) };
  });
  if (gone.length < state.plugins.length) return steps;
  const projects = new Set(gone.map((each) => folderOf(each, cwd)).filter((folder) => folder !== cwd));
  const remove = ['plugin', 'marketplace', 'remove', MARKETPLACE];
  return [
    ...steps,
    ...[...projects].map(
      (folder): Step => ({
        program: 'claude',
        args: [...remove, '--scope', 'project'],
        cwd: folder,
        mayFail: true,
      }),
    ),
    ...(state.source === null ? [] : [{ program: 'claude', args: remove, cwd, mayFail: projects.size > 0 }]),
  ];
}

/** A user may have switched off all hooks in Claude Code; no plugin command shows it (2.1.197). */
export function settingsWithoutHooks(cwd: string, env: Environment): string | null {
  const own = absolute(env.CLAUDE_CONFIG_DIR) ?? path.join(homeFolder(env), '.claude');
  const files = [
    path.join(own, 'settings.json'),
    path.join(cwd, '.claude', 'settings.json'),
    path.join(cwd, '.claude', 'settings.local.json'),
  ];
  return files.find((file) => disablesHooks(file)) ?? null;
}

function disablesHooks(file: string): boolean {
  try {
    const settings = parseJson(readOwn(file));
    return isObject(settings) && settings.disableAllHooks === true;
  } catch {
    return false;
  }
}

async function ask(args: readonly string[], cwd: string): Promise<string> {
  const ended = await runProgram('claude', args, cwd);
  if (ended?.ok) return ended.stdout;
  throw new ClientFailed(
    `\`claude ${args.join(' ')}\` failed: ${ended === null ? 'not found' : saidBy(ended)}`,
  );
}

function isInScope(found: ClaudePlugin, scope: string, cwd: string): boolean {
  return found.scope === scope && (scope === 'user' || found.projectPath === cwd);
}

/** Its project's folder, where the client must be started to change it. */
function folderOf({ scope, projectPath }: ClaudePlugin, cwd: string): string {
  return scope === 'user' ? cwd : (projectPath ?? cwd);
}

// Holdfast in Gemini CLI: what it says is installed, and which of its commands bring it to what is wanted. Reads and
// plans; carries nothing out. Each plugin is an extension; Gemini CLI runs a copy of it.

import path from 'node:path';
import * as v from 'valibot';
import { parseJson } from '../../store/json.ts';
import { CORE } from '../install/marketplace.ts';
import { ClientFailed, runProgram, type Step, saidBy } from '../install/program.ts';
import type { Wishes } from '../installer.ts';

export type GeminiExtension = v.InferOutput<typeof extension>;

/** `source`: the marketplace folder its copies were made from. */
export type GeminiState = { version: string; source: string | null; extensions: readonly GeminiExtension[] };

const extension = v.object({
  name: v.string(),
  version: v.string(),
  isActive: v.boolean(),
  installMetadata: v.optional(v.object({ source: v.string() })),
  hooks: v.optional(v.record(v.string(), v.unknown())),
});

/** The core's own name; a workflow's says whose it is, since all extensions share one list. */
export const extensionOf = (plugin: string): string => (plugin === CORE ? CORE : `${CORE}-${plugin}`);

export const pluginOf = (name: string): string => name.replace(`${CORE}-`, '');

/** Where the build puts it. */
export const extensionFolder = (marketplace: string, plugin: string): string =>
  path.join(marketplace, 'gemini', extensionOf(plugin));

/** Null: Gemini CLI is not on PATH. */
export async function lookAtGemini(cwd: string): Promise<GeminiState | null> {
  const [version, extensions] = await Promise.all([
    runProgram('gemini', ['--version'], cwd),
    geminiExtensions(cwd),
  ]);
  if (version === null || extensions === null) return null;
  const [copied] = extensions.flatMap(({ installMetadata }) => installMetadata ?? []);
  const source = copied === undefined ? null : path.resolve(copied.source, '..', '..');
  return { version: version.stdout.trim(), source, extensions };
}

/** Ours only. Null: Gemini CLI is not on PATH. */
export async function geminiExtensions(cwd: string): Promise<GeminiExtension[] | null> {
  const ended = await runProgram('gemini', ['extensions', 'list', '--output-format', 'json'], cwd);
  if (ended === null) return null;
  if (!ended.ok) throw new ClientFailed(`\`gemini extensions list\` failed: ${saidBy(ended)}`);
  return parseExtensions(`${ended.stdout}\n${ended.stderr}`);
}

/**
 * The list stands on standard error, among what else it says there (0.61.0). Throws when it has another shape than any
 * version we know.
 */
export function parseExtensions(text: string): GeminiExtension[] {
  const [list = ''] = /^\[(?:\]|\n[\s\S]*?\n\])$/m.exec(text) ?? [];
  const parsed = v.safeParse(v.array(extension), parseJson(list));
  if (!parsed.success)
    throw new ClientFailed(
      '`gemini extensions list --output-format json` answered what Holdfast cannot read.',
    );
  return parsed.output.filter(isOurs);
}

/** Another's extension may have the name of ours: it is told by the folder that it was copied from. */
function isOurs({ name, installMetadata }: GeminiExtension): boolean {
  if (name !== CORE && !name.startsWith(`${CORE}-`)) return false;
  return installMetadata?.source.endsWith(path.join('gemini', name)) === true;
}

/** Takes out and puts in again what is there in another version, from another folder or switched off. */
export function planGeminiInstall({ extensions }: GeminiState, { source, plugins }: Wishes): Step[] {
  const isRight = (plugin: string): boolean =>
    extensions.some(
      ({ name, version, isActive, installMetadata }) =>
        name === extensionOf(plugin) &&
        isActive &&
        version === source.version &&
        installMetadata?.source === extensionFolder(source.folder, plugin),
    );
  const wanted = plugins.filter((plugin) => !isRight(plugin));
  const old = wanted.map(extensionOf).filter((name) => extensions.some((each) => each.name === name));
  return [
    ...(old.length === 0 ? [] : [uninstallStep(old, source.folder)]),
    ...wanted.map((plugin) => installStep(extensionFolder(source.folder, plugin), source.folder)),
  ];
}

export function planGeminiUninstall({ extensions }: GeminiState, cwd: string): Step[] {
  return extensions.length === 0
    ? []
    : [
        uninstallStep(
          extensions.map(({ name }) => name),
          cwd,
        ),
      ];
}

export function geminiLoadProblems(installed: readonly GeminiExtension[], { plugins }: Wishes): string[] {
  return plugins.flatMap((plugin) => {
    const found = installed.find(({ name }) => name === extensionOf(plugin));
    if (found === undefined) return [`${plugin} is not there after its installation`];
    if (!found.isActive) return [`${plugin} is disabled`];
    return plugin === CORE && found.hooks?.AfterAgent === undefined ? ['it loaded no hooks of holdfast'] : [];
  });
}

/**
 * It asks whether the extension's folder is trusted, even with `--consent`; the variable says so for this one call and
 * leaves nothing behind. The working folder is ours, since that one is trusted with it.
 */
function installStep(folder: string, cwd: string): Step {
  return {
    program: 'env',
    args: ['GEMINI_CLI_TRUST_WORKSPACE=true', 'gemini', 'extensions', 'install', folder, '--consent'],
    cwd,
  };
}

function uninstallStep(names: readonly string[], cwd: string): Step {
  return { program: 'gemini', args: ['extensions', 'uninstall', ...names], cwd };
}

// Holdfast in Qwen Code: which of its extensions are ours, and which of its commands bring them to what is wanted. Reads
// and plans; carries nothing out. Its list of extensions is for people and in their language, so its files are read.

import fs from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import type { Environment } from '../../store/environment.ts';
import { parseJson } from '../../store/json.ts';
import { bytesOfOwn } from '../../store/open.ts';
import { CORE } from '../install/marketplace.ts';
import { runProgram, type Step } from '../install/program.ts';
import type { Wishes } from '../installer.ts';
import { qwenFolder } from './folder.ts';

/** `folder`: where the client keeps its copy. `source`: what it was copied from. */
export type QwenExtension = { name: string; folder: string; source: string | null };

export type QwenState = { version: string; extensions: readonly QwenExtension[] };

const manifest = v.object({ name: v.string(), dependencies: v.optional(v.array(v.string())) });
const installed = v.object({ source: v.string() });

/** Null: Qwen Code is not on PATH. */
export async function lookAtQwen(cwd: string, env: Environment = process.env): Promise<QwenState | null> {
  const version = await runProgram('qwen', ['--version'], cwd);
  if (version === null) return null;
  return { version: version.stdout.trim().split('\n').at(-1) ?? '', extensions: qwenExtensions(env) };
}

/** Ours only: another extension may have a workflow's name. */
export function qwenExtensions(env: Environment): QwenExtension[] {
  const all = path.join(qwenFolder(env), 'extensions');
  return namesIn(all).flatMap((entry) => {
    const folder = path.join(all, entry);
    const found = v.safeParse(manifest, readJson(path.join(folder, '.claude-plugin', 'plugin.json')));
    if (!found.success) return [];
    const { name, dependencies = [] } = found.output;
    if (name !== CORE && !dependencies.includes(CORE)) return [];
    const from = v.safeParse(installed, readJson(path.join(folder, '.qwen-extension-install.json')));
    return [{ name, folder, source: from.success ? from.output.source : null }];
  });
}

/** The marketplace folder that they were installed from. */
export function sourceOf({ extensions }: QwenState): string | null {
  const core = extensions.find(({ name }) => name === CORE);
  return core?.source ? path.dirname(core.source) : null;
}

/** It keeps a copy, and does not install over one: what differs goes first. Nothing when all is there. */
export function planQwenInstall(state: QwenState, { source, plugins, cwd }: Wishes): Step[] {
  return plugins.flatMap((name): Step[] => {
    const from = path.join(source.folder, name);
    const there = state.extensions.find((each) => each.name === name);
    if (there !== undefined && isCopyOf(there.folder, from)) return [];
    const install = step(cwd, 'install', from, '--consent');
    return there === undefined ? [install] : [step(cwd, 'uninstall', name), install];
  });
}

/** Workflows before the core they need. */
export function planQwenUninstall({ extensions }: QwenState, cwd: string): Step[] {
  const names = extensions.map(({ name }) => name);
  const ordered = names.toSorted((a, b) => Number(a === CORE) - Number(b === CORE));
  return ordered.map((name) => step(cwd, 'uninstall', name));
}

/** One line for each wanted extension that is not there as it should be. */
export function qwenLoadProblems(env: Environment, { source, plugins }: Wishes): string[] {
  const found = qwenExtensions(env);
  return plugins.flatMap((name) => {
    const there = found.find((each) => each.name === name);
    if (there === undefined) return [`${name} is not there after its installation`];
    if (isCopyOf(there.folder, path.join(source.folder, name))) return [];
    return [`${name} is another version than what was installed`];
  });
}

/** Has the copy every file as the folder has it? The client adds one of its own. */
export function isCopyOf(copy: string, folder: string): boolean {
  const files = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
  return files.every((entry) => {
    if (!entry.isFile()) return true;
    const file = path.join(entry.parentPath, entry.name);
    const copied = readBytes(path.join(copy, path.relative(folder, file)));
    return copied?.equals(bytesOfOwn(file)) === true;
  });
}

function step(cwd: string, ...args: string[]): Step {
  return { program: 'qwen', args: ['extensions', ...args], cwd };
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}

function readBytes(file: string): Buffer | null {
  try {
    return bytesOfOwn(file);
  } catch {
    return null;
  }
}

function readJson(file: string): unknown {
  return parseJson(readBytes(file)?.toString('utf8') ?? '');
}

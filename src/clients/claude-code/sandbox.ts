// The sandbox of a session of Claude Code (2.1.325): whether it has one is in the rows of its transcript and in its
// settings. What it is made of cannot be asked for, so a check gets one that is at least as narrow.

import fs from 'node:fs';
import path from 'node:path';
import type { Environment } from '../../store/environment.ts';
import { isInside, realPath } from '../../store/files.ts';
import { isObject, parseJson } from '../../store/json.ts';
import { openOwn, readAll } from '../../store/open.ts';
import { below } from '../../store/paths.ts';
import { absolute, homeFolder } from '../../store/user-folders.ts';
import { bubblewrap } from '../bubblewrap.ts';
import type { Payload } from '../client.ts';
import { objectField } from '../fields.ts';
import type { SessionSandbox } from '../sandbox.ts';
import type { Stop } from '../stop.ts';

export async function sandboxOf(stop: Stop, env: Environment, root: string): Promise<SessionSandbox> {
  const settings = settingsOf(env, root);
  const isEnabled = settings.some((file) => objectField(file, 'sandbox')?.enabled === true);
  if (!isEnabled && !transcriptsOf(stop).some(hasSandboxedRow)) return { kind: 'none' };
  if (settings.some(hasFurtherRules))
    return {
      kind: 'unknown',
      why: 'its settings have rules about files or credentials, which a check could not be held to',
    };
  return bubblewrap(root, env, { writable: writableFor(env, root), denied: pluginFolders(env) });
}

/** An agent that was started in a folder of the project writes there alone. */
function writableFor(env: Environment, root: string): string {
  const started = realPath(absolute(env.CLAUDE_PROJECT_DIR) ?? root);
  return started !== null && isInside(started, root) ? started : root;
}

/** What is loaded from there runs outside of the sandbox. */
function pluginFolders(env: Environment): string[] {
  const folders = wordsAfter('--plugin-dir', env).map((folder) =>
    path.resolve(realPath(`/proc/${env.CLAUDE_PID}/cwd`) ?? '/', folder),
  );
  return folders.filter((folder) => fs.existsSync(folder));
}

/** Each file that may switch it on. One that cannot be read says nothing. */
function settingsOf(env: Environment, root: string): Payload[] {
  const user = absolute(env.CLAUDE_CONFIG_DIR) ?? below(homeFolder(env), '.claude');
  const managed =
    process.platform === 'darwin' ? '/Library/Application Support/ClaudeCode' : '/etc/claude-code';
  const started = [...new Set([root, env.CLAUDE_PROJECT_DIR ?? root])];
  const files = [
    below(managed, 'managed-settings.json'),
    ...namesIn(below(managed, 'managed-settings.d')).map((name) =>
      below(managed, `managed-settings.d/${name}`),
    ),
    ...['settings.json', 'settings.local.json', 'remote-settings.json'].map((name) => below(user, name)),
    ...started.flatMap((folder) =>
      ['settings.json', 'settings.local.json'].map((name) => below(folder, `.claude/${name}`)),
    ),
  ];
  const texts = [...files.map(readSmall), ...givenOnCommandLine(env)];
  return texts.map((text) => parseJson(text)).filter(isObject);
}

/** `--settings` takes a file or the text itself. */
function givenOnCommandLine(env: Environment): string[] {
  return wordsAfter('--settings', env).map((value) => {
    if (value.trim().startsWith('{')) return value;
    return readSmall(value.startsWith('/') ? value : `/proc/${env.CLAUDE_PID}/cwd/${value}`);
  });
}

/** The values of an option that the client was started with. */
function wordsAfter(option: string, { CLAUDE_PID: pid = '' }: Environment): string[] {
  if (!/^\d+$/.test(pid)) return [];
  const words = readSmall(`/proc/${pid}/cmdline`).split('\0');
  return words.flatMap((word, at) => {
    if (word === option) return words[at + 1] ?? [];
    return word.startsWith(`${option}=`) ? word.slice(option.length + 1) : [];
  });
}

/** What an agent may not read, and what it may not write within the project, only the client itself can enforce. */
function hasFurtherRules(settings: Payload): boolean {
  const sandbox = objectField(settings, 'sandbox') ?? {};
  const files = objectField(sandbox, 'filesystem') ?? {};
  const denied = objectField(settings, 'permissions')?.deny;
  const rules = Array.isArray(denied) ? denied.map(String) : [];
  return (
    ['denyRead', 'denyWrite', 'allowRead'].some((key) => isNonEmpty(files[key])) ||
    isNonEmpty(sandbox.credentials) ||
    rules.some((rule) => /^(?:Read|Edit|Write)\b/.test(rule))
  );
}

function isNonEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isObject(value) ? Object.keys(value).length > 0 : Boolean(value);
}

/** The session's own, and those of its subagents beside it. */
function transcriptsOf({ transcriptPath }: Stop): string[] {
  if (transcriptPath === null) return [];
  const beside = `${transcriptPath.replace(/\.jsonl$/, '')}/subagents`;
  return [transcriptPath, ...namesIn(beside).map((name) => below(beside, name))];
}

const CHUNK = 1024 * 1024;
/** As the client writes it. In what an agent printed the quotes would be escaped. */
const MARK = Buffer.from('"sandboxed":true');

function hasSandboxedRow(file: string): boolean {
  let descriptor: number | null = null;
  try {
    descriptor = openOwn(file);
    if (descriptor === null) return false;
    const chunk = Buffer.allocUnsafe(CHUNK);
    for (let position = 0; ; ) {
      const read = fs.readSync(descriptor, chunk, 0, CHUNK, position);
      if (chunk.subarray(0, read).includes(MARK)) return true;
      // The mark may lie across two chunks.
      if (read < CHUNK) return false;
      position += read - MARK.length;
    }
  } catch {
    return false;
  } finally {
    if (descriptor !== null) fs.closeSync(descriptor);
  }
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder).filter((name) => /\.jsonl?$/.test(name));
  } catch {
    return [];
  }
}

const READ_AT_MOST = 4 * 1024 * 1024;

/** Empty where there is nothing to read. */
function readSmall(file: string): string {
  let descriptor: number | null = null;
  try {
    descriptor = openOwn(file);
    if (descriptor === null || fs.fstatSync(descriptor).size > READ_AT_MOST) return '';
    return readAll(descriptor).toString('utf8');
  } catch {
    return '';
  } finally {
    if (descriptor !== null) fs.closeSync(descriptor);
  }
}

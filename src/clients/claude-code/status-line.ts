// Holdfast's line in Claude Code's status line: set where the user has none, and taken away where it is ours. The user's
// settings are theirs: nothing else in the file changes, and a file that cannot be understood is left alone.

import path from 'node:path';
import { disk } from '../../store/disk.ts';
import type { Environment } from '../../store/environment.ts';
import { hasCode, realPath, replaceFile } from '../../store/files.ts';
import { isObject, parseJson } from '../../store/json.ts';
import { readOwn } from '../../store/open.ts';
import { absolute, homeFolder } from '../../store/user-folders.ts';
import { messageOf } from '../../text/message-of.ts';
import { inOneParagraph } from '../../text/paragraph.ts';
import type { Outcome, Surroundings } from '../installer.ts';

const NAME = 'Claude Code';
/** Seconds: beside every change in the session, which the client draws by itself. */
const REFRESH_S = 5;

export function setStatusLine({ env, cli }: Surroundings, dryRun: boolean): Outcome {
  const file = settingsOf(env);
  const command = `${cli} status --line`;
  const read = readSettings(file);
  if ('trouble' in read)
    return leave(`${read.trouble}; to set it yourself, add ${JSON.stringify(lineOf(command))}`);
  const { statusLine } = read.settings;
  if (statusLine !== undefined && !isOurs(statusLine)) return done(howToCombine(statusLine, file, command));
  const isSame = isOurs(statusLine) && isObject(statusLine) && statusLine.command === command;
  if (isSame) return done([`${NAME}: its status line is Holdfast's already.`]);
  if (dryRun) return done([`${NAME}: ${file} would get ${JSON.stringify(lineOf(command))}.`]);
  writeSettings(file, { ...read.settings, ...lineOf(command) });
  return {
    good: true,
    changed: true,
    lines: [`${NAME}: its status line shows Holdfast's runs now (${file}).`],
  };
}

/** Null: there is none of ours. */
export function removeStatusLine(env: Environment, dryRun: boolean): string | null {
  const file = settingsOf(env);
  const read = readSettings(file);
  if ('trouble' in read || !isOurs(read.settings.statusLine)) return null;
  if (dryRun) return `${NAME}: its status line in ${file} would be taken away.`;
  const { statusLine: _, ...rest } = read.settings;
  writeSettings(file, rest);
  return `${NAME}: took Holdfast's status line out of ${file}.`;
}

function settingsOf(env: Environment): string {
  return path.join(absolute(env.CLAUDE_CONFIG_DIR) ?? path.join(homeFolder(env), '.claude'), 'settings.json');
}

const lineOf = (command: string) => ({
  statusLine: { type: 'command', command, refreshInterval: REFRESH_S },
});

function isOurs(statusLine: unknown): boolean {
  if (!isObject(statusLine) || typeof statusLine.command !== 'string') return false;
  return /^(?:'[^']*\/holdfast'|\S*\/?holdfast) status --line$/.test(statusLine.command);
}

type Read = { settings: Readonly<Record<string, unknown>> } | { trouble: string };

function readSettings(file: string): Read {
  try {
    const settings = parseJson(readOwn(file).replace(/^\uFEFF/, ''));
    return isObject(settings)
      ? { settings }
      : { trouble: `${file} is not a JSON object, so nothing was changed` };
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return { settings: {} };
    return { trouble: `${file} cannot be read (${messageOf(error)}), so nothing was changed` };
  }
}

/** It may be a link to wherever the user keeps it. */
function writeSettings(file: string, settings: object): void {
  disk.makeFolder(path.dirname(file));
  const real =
    realPath(file) ?? path.join(realPath(path.dirname(file)) ?? path.dirname(file), 'settings.json');
  replaceFile(real, `${JSON.stringify(settings, null, 2)}\n`, path.dirname(real));
}

function howToCombine(statusLine: unknown, file: string, command: string): string[] {
  const own = isObject(statusLine) && typeof statusLine.command === 'string' ? statusLine.command : 'yours';
  return [
    `${NAME}: you have a status line already (${inOneParagraph(own, 120)} in ${file}), and it stays. To show both, let a script run both:`,
    `  input=$(cat); printf '%s' "$input" | ${own === 'yours' ? '<yours>' : inOneParagraph(own, 120)}; printf '%s' "$input" | ${command}`,
  ];
}

const done = (lines: readonly string[]): Outcome => ({ good: true, changed: false, lines });
const leave = (why: string): Outcome => ({ good: false, changed: false, lines: [`${NAME}: ${why}.`] });

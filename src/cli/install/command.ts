// The command `holdfast` for the user's own shell: a small script in a folder of theirs that is on PATH. It becomes the
// command of the marketplace folder the clients install from or, when that is gone, of the newest copy in a client.

import fs from 'node:fs';
import path from 'node:path';
import { CORE, MARKETPLACE } from '../../clients/install/marketplace.ts';
import { disk } from '../../store/disk.ts';
import type { Environment } from '../../store/environment.ts';
import { hasCode, isInside, realPath, replaceFile } from '../../store/files.ts';
import { readOwn } from '../../store/open.ts';
import { isOwnScript, isPluginCommand, OUR_NAME, SCRIPT_MARK } from '../../store/own-command.ts';
import { homeFolder } from '../../store/user-folders.ts';
import { shellQuote } from '../../text/shell.ts';

/** Where `holdfast` on PATH leads. Null: there is none. */
export type CommandOnPath = { file: string; ours: boolean };

export function commandOnPath(env: Environment): CommandOnPath | null {
  const file = pathFolders(env)
    .map((folder) => path.join(folder, OUR_NAME))
    .find(isFile);
  return file === undefined ? null : { file, ours: isOwnScript(file) || isPluginCommand(file) };
}

/** PATH may name anything: a file, a folder that is closed. */
function isFile(place: string): boolean {
  try {
    return fs.statSync(place).isFile();
  } catch {
    return false;
  }
}

/** What `install` does about the command, in a line for the user each. */
export function installCommand(marketplace: string, env: Environment): string[] {
  const plan = planCommand(marketplace, env);
  if (plan.kind !== 'write') return plan.lines;
  disk.makeFolder(path.dirname(plan.file));
  const folder = realPath(path.dirname(plan.file)) ?? path.dirname(plan.file);
  replaceFile(path.join(folder, OUR_NAME), plan.script, folder, 0o755);
  return [`The command \`${OUR_NAME}\` is ${plan.file}.`, ...plan.lines];
}

/** The same for `--dry-run`. */
export function plannedCommand(marketplace: string, env: Environment): string[] {
  const plan = planCommand(marketplace, env);
  return plan.kind === 'write'
    ? [`${plan.file} would be the command \`${OUR_NAME}\`.`, ...plan.lines]
    : plan.lines;
}

/** Our scripts that are there, wherever on PATH an earlier `install` put them. */
export function ownCommands(env: Environment): string[] {
  const folders = [...new Set([usualFolder(env), ...ownPathFolders(env)])];
  return folders.map((folder) => path.join(folder, OUR_NAME)).filter(isOwnScript);
}

/** The line that puts the usual folder on PATH. */
export const PATH_LINE = 'export PATH="$HOME/.local/bin:$PATH"';

type Plan =
  | { kind: 'leave'; lines: string[] }
  | { kind: 'write'; file: string; script: string; lines: string[] };

function planCommand(marketplace: string, env: Environment): Plan {
  const found = commandOnPath(env);
  // As `npm install -g` puts it there, or an earlier install of ours.
  if (found?.ours === true && !isOwnScript(found.file)) return { kind: 'leave', lines: [] };
  const onPath = ownPathFolders(env);
  const folder = found?.ours === true ? path.dirname(found.file) : (onPath[0] ?? usualFolder(env));
  const file = path.join(folder, OUR_NAME);
  const script = scriptFor(marketplace);
  const there = fs.lstatSync(file, { throwIfNoEntry: false });
  if (there !== undefined && !isOwnScript(file))
    return { kind: 'leave', lines: [`${file} is there and is not Holdfast's, so it was left alone.`] };
  const unseen =
    onPath.length === 0
      ? [`It is not on your PATH yet; add this line to your shell's profile: ${PATH_LINE}`]
      : [];
  if (there !== undefined && readOwn(file) === script) return { kind: 'leave', lines: unseen };
  const hidden =
    found !== null && !found.ours
      ? [`Another \`${OUR_NAME}\` comes first on your PATH, or takes its place: ${found.file}`]
      : [];
  return { kind: 'write', file, script, lines: [...unseen, ...hidden] };
}

const usualFolder = (env: Environment): string => path.join(homeFolder(env), '.local', 'bin');

/** Folders of PATH that last: not those that npm, or a client for its agent, puts there. */
function pathFolders(env: Environment): string[] {
  const passing = new Set(['node_modules', 'plugins']);
  return (env.PATH ?? '')
    .split(':')
    .filter((folder) => path.isAbsolute(folder) && !folder.split('/').some((part) => passing.has(part)))
    .filter(isSearchable)
    .filter((folder) => !isPluginCommand(path.join(folder, OUR_NAME), folder));
}

/** A shell passes over what it may not enter, such as root's folders in the PATH of a sudo shell. */
function isSearchable(folder: string): boolean {
  try {
    fs.accessSync(folder, fs.constants.X_OK);
    return true;
  } catch (error) {
    return hasCode(error, 'ENOENT');
  }
}

/** Those below HOME that this user may write to, the usual one first. It need not be there yet. */
function ownPathFolders(env: Environment): string[] {
  const home = realPath(homeFolder(env));
  const usual = usualFolder(env);
  const own = pathFolders(env).filter((folder) => {
    const real = realPath(folder);
    if (real === null) return path.resolve(folder) === usual;
    return home !== null && real !== home && isInside(real, home) && mayWrite(real);
  });
  return own.toSorted((a, b) => Number(path.resolve(b) === usual) - Number(path.resolve(a) === usual));
}

function mayWrite(folder: string): boolean {
  try {
    fs.accessSync(folder, fs.constants.W_OK);
    return fs.statSync(folder).isDirectory();
  } catch {
    return false;
  }
}

/** By number: 0.10.0 is newer than 0.9.0. */
function scriptFor(marketplace: string): string {
  return `#!/bin/sh
${SCRIPT_MARK}
command=${shellQuote(path.join(marketplace, CORE, 'bin', OUR_NAME))}
[ -x "$command" ] && exec "$command" "$@"
newest=$(
  for command in "$HOME"/.*/plugins/cache/${MARKETPLACE}/${CORE}/*/bin/${OUR_NAME}; do
    version=\${command%/bin/${OUR_NAME}}
    [ -x "$command" ] && printf '%s %s\\n' "\${version##*/}" "$command"
  done | sort -t . -k 1,1n -k 2,2n -k 3,3n | tail -n 1
)
[ -n "$newest" ] && exec "\${newest#* }" "$@"
echo 'holdfast: no installed plugin was found. In the clone of Holdfast, \`npx holdfast install\` puts it back.' >&2
exit 127
`;
}

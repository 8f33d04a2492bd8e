// What Holdfast keeps of its own for a user, outside every project and every client: the path of node, for
// the launcher, the command `holdfast`, and the user's state folder. The user's own config file lies beside and is never touched.

import fs from 'node:fs';
import path from 'node:path';
import { userConfigPath } from '../../config/config.ts';
import { disk } from '../../store/disk.ts';
import type { Environment } from '../../store/environment.ts';
import { realPath, replaceFile } from '../../store/files.ts';
import { OLD_NOTIFIED } from '../../store/old-records.ts';
import { readOwn } from '../../store/open.ts';
import { removeIfEmpty } from '../../store/remove-if-empty.ts';
import { userStateFolder } from '../../store/user-state.ts';
import { ownCommands } from './command.ts';

/** `hooks/stop` reads it before it looks on PATH: a client started from a desktop has a short one. */
export function nodeRecordPath(env: Environment): string {
  return path.join(path.dirname(userConfigPath(env)), 'node');
}

/** False when it was recorded already. */
export function recordNode(node: string, env: Environment): boolean {
  if (isRecorded(node, env)) return false;
  const file = nodeRecordPath(env);
  const folder = path.dirname(file);
  disk.makeFolder(folder);
  replaceFile(file, `${node}\n`, realPath(folder) ?? folder);
  return true;
}

export function isRecorded(node: string, env: Environment): boolean {
  try {
    return readOwn(nodeRecordPath(env)) === `${node}\n`;
  } catch {
    return false;
  }
}

/** Everything of ours that is there, as paths to remove. */
export function ownFiles(env: Environment): string[] {
  const state = userStateFolder(env);
  const kept = fs.existsSync(state) ? fs.readdirSync(state) : [];
  const ours = kept.filter(
    (name) =>
      /^(?:next-session|projects|attempts|code|export|opencode|lock|lock\.lease|notified-.*|stage-.*)$/.test(
        name,
      ) || name.startsWith(OLD_NOTIFIED),
  );
  const files = [nodeRecordPath(env), ...ours.map((name) => path.join(state, name))];
  return [...files.filter((file) => fs.existsSync(file)), ...ownCommands(env)];
}

export function removeOwnFiles(env: Environment): void {
  const commands = ownCommands(env);
  for (const file of ownFiles(env)) disk.remove(file);
  for (const command of commands) removeIfEmpty(path.dirname(command));
  removeIfEmpty(userStateFolder(env));
  removeIfEmpty(path.dirname(nodeRecordPath(env)));
}

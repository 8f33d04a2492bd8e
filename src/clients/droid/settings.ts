// Droid writes its settings.json again when a plugin comes or goes: without comments, in its own layout. So the user's
// text is kept when Holdfast comes, and put back when it goes, unless something else changed meanwhile.

import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { disk } from '../../store/disk.ts';
import type { Environment } from '../../store/environment.ts';
import { realPath, replaceFile } from '../../store/files.ts';
import { isObject, parseJson } from '../../store/json.ts';
import { readOwn } from '../../store/open.ts';
import { homeFolder } from '../../store/user-folders.ts';
import { userStateFolder } from '../../store/user-state.ts';

const settingsFile = (env: Environment): string => path.join(homeFolder(env), '.factory', 'settings.json');
const keptFile = (env: Environment): string => path.join(userStateFolder(env), 'droid-settings.json');

/** Before the first of our plugins comes. */
export function keepSettings(env: Environment): void {
  const text = readQuietly(settingsFile(env));
  if (text === null) return;
  const folder = path.dirname(keptFile(env));
  disk.makeFolder(folder);
  replaceFile(keptFile(env), text, realPath(folder) ?? folder, 0o600);
}

/** After the last of them is gone. */
export function giveBackSettings(env: Environment): void {
  const kept = readQuietly(keptFile(env));
  const now = readQuietly(settingsFile(env));
  if (kept !== null && now !== null && saySame(kept, now)) {
    const folder = path.dirname(settingsFile(env));
    replaceFile(settingsFile(env), kept, realPath(folder) ?? folder);
  }
  disk.remove(keptFile(env));
}

/** What Droid leaves of a plugin's coming and going is two empty lists. */
function saySame(kept: string, now: string): boolean {
  const [one, other] = [parseJson(withoutComments(kept)), parseJson(withoutComments(now))];
  if (!isObject(one) || !isObject(other)) return false;
  const lists = { extraKnownMarketplaces: {}, enabledPlugins: {} };
  return isDeepStrictEqual({ ...lists, ...one }, { ...lists, ...other });
}

/** Strings are matched first, so that nothing in one is taken for a comment. */
export function withoutComments(text: string): string {
  return text
    .replace(/("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, string?: string) => string ?? '')
    .replace(/("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g, (_, string?: string) => string ?? '');
}

function readQuietly(file: string): string | null {
  try {
    return readOwn(file);
  } catch {
    return null;
  }
}

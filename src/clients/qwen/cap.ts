// How many holds Qwen Code honours after one prompt (0.24.4): one less than its cap, which the environment or the user's
// settings may set, and which is 8 otherwise.

import path from 'node:path';
import type { Environment } from '../../store/environment.ts';
import { isObject, parseJson } from '../../store/json.ts';
import { readOwn } from '../../store/open.ts';
import { qwenFolder } from './folder.ts';

export const CAP_VARIABLE = 'QWEN_CODE_STOP_HOOK_BLOCK_CAP';

const USUAL = 8;
const HIGHEST = 100;

export function holdsHonoured(env: Environment): number {
  const set = env[CAP_VARIABLE]?.trim() ?? '';
  return capFrom(set === '' ? capInSettings(env) : Number(set)) - 1;
}

function capFrom(value: unknown): number {
  return typeof value === 'number' && value >= 1 ? Math.min(Math.floor(value), HIGHEST) : USUAL;
}

/** A settings file that cannot be read says nothing: then the usual cap is the best guess, and the lower one. */
function capInSettings(env: Environment): unknown {
  try {
    const settings = parseJson(readOwn(path.join(qwenFolder(env), 'settings.json')));
    return isObject(settings) ? settings.stopHookBlockingCap : undefined;
  } catch {
    return undefined;
  }
}

// Why a turn of Qwen Code's failed, from the words of its result (0.24.4): `[API Error: <status> <what the server said>]`,
// and at times what it makes of that itself.

import { ofStatus, troubleOf } from '../../headless/trouble.ts';
import type { Trouble } from '../../headless.ts';

export function troubleIn(message: string): Trouble {
  const said = /^\[API Error: (.*?)\]$/ms.exec(message)?.[1] ?? message;
  return troubleOf(whatFailed(said), said);
}

function whatFailed(said: string): Trouble['what'] {
  if (/context_length|context length|context window|context is too large|input length/i.test(said))
    return 'context';
  if (/insufficient_quota|billing details/i.test(said)) return 'billing';
  const status = /^[45]\d\d\b/.exec(said)?.[0];
  return status === undefined ? ofWords(said) : ofStatus(Number(status));
}

/** Without an answer there is no status: the connection failed, or it never came to asking. */
function ofWords(said: string): Trouble['what'] {
  return /connection error|fetch failed|ECONN|ENOTFOUND|socket|timed? ?out/i.test(said)
    ? 'network'
    : 'unknown';
}

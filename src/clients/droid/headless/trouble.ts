// Why a turn of Droid's failed (0.225.2): its event begins with the status, where the server gave one.

import { troubleOf } from '../../headless/trouble.ts';
import type { Trouble } from '../../headless.ts';

export function troubleIn(message: string): Trouble {
  const [, status, words] = /^(\d{3}) (.*)$/s.exec(message) ?? [];
  return troubleOf(kindOf(status === undefined ? null : Number(status), message), words ?? message);
}

function kindOf(status: number | null, message: string): Trouble['what'] {
  if (/maximum context length|context_length|prompt is too long/i.test(message)) return 'context';
  if (status === null)
    return /connection error|timed? ?out|fetch failed/i.test(message) ? 'network' : 'unknown';
  if (status === 429) return 'limit';
  if (status >= 500) return 'server';
  if (status === 402) return 'billing';
  return status === 401 || status === 403 ? 'login' : 'refused';
}

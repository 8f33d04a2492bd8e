// Why a turn of opencode's failed (1.18.33): from its error, or from what it says of trying again.

import type { Payload } from '../../client.ts';
import { objectField, textField } from '../../fields.ts';
import { troubleOf } from '../../headless/trouble.ts';
import type { Trouble } from '../../headless.ts';

export function troubleOfError(error: Payload): Trouble {
  const data = objectField(error, 'data');
  const said = (data && textField(data, 'message')) ?? textField(error, 'name') ?? 'The turn failed.';
  if (error.name === 'ContextOverflowError') return troubleOf('context', said);
  return troubleOf(
    data?.statusCode === undefined && NO_ANSWER.test(said) ? 'network' : ofStatus(data?.statusCode),
    said,
  );
}

const NO_ANSWER = /cannot connect|unable to connect|ECONNRESET|fetch failed|timed? ?out/i;

function ofStatus(status: unknown): Trouble['what'] {
  if (typeof status !== 'number') return 'unknown';
  if (status === 429) return 'limit';
  if (status >= 500) return 'server';
  if (status === 402) return 'billing';
  return status === 401 || status === 403 ? 'login' : 'refused';
}

/** It tries five times by itself, with half a minute in between at most, unless the server names another time. */
const LONG_MS = 60_000;

/** Null: it goes on by itself, or says that it does not, soon. */
export function troubleOfRetry(retry: Payload, now: number): Trouble | null {
  const { next } = retry;
  if (typeof next !== 'number' || next - now <= LONG_MS) return null;
  return troubleOf('limit', textField(retry, 'message') ?? 'It tries again later.', next);
}

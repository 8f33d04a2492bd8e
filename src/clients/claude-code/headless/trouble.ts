// Why a turn of Claude Code's ended, from its result and from the row that stands in place of an answer (2.1.325).

import { resetTimeIn } from '../../../reviewers/reset-time.ts';
import type { Payload } from '../../client.ts';
import { objectField, textField } from '../../fields.ts';
import { troubleOf } from '../../headless/trouble.ts';
import type { Trouble } from '../../headless.ts';
import { limitOf } from '../limit.ts';

/** `failure`: the row of the API's error, where there was one. `resetsAt`: what a limit's own event said. */
export function troubleOfResult(
  result: Payload,
  failure: Payload | null,
  resetsAt: number | null,
  now: number,
): Trouble | null {
  // Ended by us: `aborted_tools`, `aborted_streaming`.
  if (result.is_error !== true || /^aborted/.test(textField(result, 'terminal_reason') ?? '')) return null;
  const said = textField(result, 'result') ?? firstError(result) ?? textField(result, 'subtype') ?? '';
  if (result.terminal_reason === 'prompt_too_long') return troubleOf('context', said);
  const what = whatFailed(result, failure);
  if (what !== 'limit') return troubleOf(what, said);
  const seconds = resetsAt === null ? resetTimeIn(said, now) : null;
  return troubleOf(what, said, resetsAt ?? (seconds === null ? null : seconds * 1000));
}

function whatFailed(result: Payload, failure: Payload | null): Trouble['what'] {
  const known = failure === null ? null : limitOf(failure);
  switch (known?.what) {
    case 'rate_limit':
      return 'limit';
    case 'server_error':
      // Without an answer there is no status: the connection failed.
      return typeof failure?.api_error_status === 'number' ? 'server' : 'network';
    case 'authentication_failed':
      return 'login';
    case 'billing_error':
      return 'billing';
    case undefined:
      return ofStatus(result.api_error_status);
  }
}

function ofStatus(status: unknown): Trouble['what'] {
  if (typeof status !== 'number') return 'unknown';
  if (status === 429) return 'limit';
  if (status >= 500) return 'server';
  return status === 401 ? 'login' : 'refused';
}

function firstError(result: Payload): string | null {
  const [first]: unknown[] = Array.isArray(result.errors) ? result.errors : [];
  return typeof first === 'string' ? first : null;
}

/** Milliseconds, from a limit's event or from the row of its error. Null: it names no time, or is no refusal. */
export function resetIn(entry: Payload): number | null {
  const info = objectField(entry, 'rate_limit_info');
  if (info === null || info.status !== 'rejected') return null;
  const { resetsAt } = info;
  if (typeof resetsAt !== 'number' || resetsAt <= 0) return null;
  const time = Math.round(resetsAt * 1000);
  return Number.isSafeInteger(time) ? time : null;
}

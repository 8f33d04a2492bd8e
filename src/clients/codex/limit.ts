// Why Codex's turn failed, from the row that ends it in the rollout. When a limit ends does not stand in that row.

import type { Payload, SessionLimit } from '../client.ts';
import { objectField, textField } from '../fields.ts';

/** The words of 0.166.0 for what ends by itself or by a person's doing; the others do not. */
const words: Readonly<Record<string, SessionLimit['what']>> = {
  usage_limit_exceeded: 'rate_limit',
  rate_limit_exceeded: 'rate_limit',
  server_overloaded: 'server_error',
  internal_server_error: 'server_error',
  unauthorized: 'authentication_failed',
};

/** Words that come as an object, with the status of the last answer, or none where the connection broke. */
const broken = [
  'http_connection_failed',
  'response_stream_connection_failed',
  'response_stream_disconnected',
  'response_too_many_failed_attempts',
];

export function limitOf(error: Payload): SessionLimit | null {
  const word = textField(error, 'codex_error_info') ?? '';
  const what = Object.hasOwn(words, word) ? words[word] : ofBroken(objectField(error, 'codex_error_info'));
  return what === undefined ? null : { what, resetsAt: null };
}

function ofBroken(info: Payload | null): SessionLimit['what'] | undefined {
  const detail = info && broken.map((word) => objectField(info, word)).find((found) => found !== null);
  if (!detail) return undefined;
  const status = detail.http_status_code;
  if (typeof status !== 'number' || status >= 500) return 'server_error';
  if (status === 429) return 'rate_limit';
  if (status === 402) return 'billing_error';
  return status === 401 || status === 403 ? 'authentication_failed' : undefined;
}

// Why a turn of Copilot CLI's failed, from its `session.error` (1.0.102): its own word for it, the status of the server's
// answer, and a message.

import type { Payload } from '../../client.ts';
import { textField } from '../../fields.ts';
import { ofStatus, troubleOf } from '../../headless/trouble.ts';
import type { Trouble } from '../../headless.ts';

export function troubleIn(data: Payload): Trouble {
  const said = textField(data, 'message') ?? '';
  return troubleOf(whatFailed(textField(data, 'errorType') ?? '', data.statusCode, said), said);
}

function whatFailed(type: string, status: unknown, said: string): Trouble['what'] {
  if (/context_length|context length|context window/i.test(said)) return 'context';
  if (/insufficient_quota|billing details/i.test(said)) return 'billing';
  if (type === 'rate_limit') return 'limit';
  if (type === 'authentication') return 'login';
  return typeof status === 'number' ? ofStatus(status) : ofWords(said);
}

/** Without an answer there is no status: the connection failed, or it never came to asking. */
function ofWords(said: string): Trouble['what'] {
  return /could not connect|ECONN|ENOTFOUND|network|socket|timed? ?out/i.test(said) ? 'network' : 'unknown';
}

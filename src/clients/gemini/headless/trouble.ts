// Why a turn of Gemini CLI's failed (0.61.0): its own words or its server's whole answer, and on standard error the
// status where the words have none.

import { objectField, parseObject, textField } from '../../fields.ts';
import { troubleOf } from '../../headless/trouble.ts';
import type { Trouble } from '../../headless.ts';

export function troubleIn(message: string, stderr: string, now: number): Trouble {
  const said = /^\[API Error: (.*)\]/s.exec(message)?.[1] ?? message;
  const answer = objectField(parseObject(said) ?? {}, 'error');
  const status = typeof answer?.code === 'number' ? answer.code : statusIn(stderr);
  const words = (answer && textField(answer, 'message')) ?? said;
  const what = ofWords(said) ?? ofStatus(status);
  return troubleOf(what, words, what === 'limit' ? resetIn(said, now) : null);
}

/** What the status does not tell: it has one for several things, or there is none. */
const kinds: readonly { what: Trouble['what']; says: RegExp }[] = [
  { what: 'context', says: /token count.* exceeds the maximum/i },
  {
    what: 'login',
    says: /API_KEY_INVALID|API key not valid|you must specify the \w+ environment variable|Invalid auth method/i,
  },
  { what: 'limit', says: /exhausted your (?:daily )?(?:quota|capacity)/i },
  { what: 'network', says: /fetch failed|ECONNRESET|ECONNREFUSED|ETIMEDOUT|socket hang up/i },
];

function ofWords(said: string): Trouble['what'] | undefined {
  return kinds.find(({ says }) => says.test(said))?.what;
}

function ofStatus(status: number | null): Trouble['what'] {
  if (status === null || status < 400) return 'unknown';
  if (status === 429) return 'limit';
  if (status >= 500) return 'server';
  if (status === 402) return 'billing';
  return status === 401 || status === 403 ? 'login' : 'refused';
}

/** Of the error as node shows it; the last one is what ended the turn. */
function statusIn(stderr: string): number | null {
  const [, status] = [...stderr.matchAll(/^ {2}status: (\d{3}),?$/gm)].at(-1) ?? [];
  return status === undefined ? null : Number(status);
}

function resetIn(said: string, now: number): number | null {
  const [, seconds] = /Suggested retry after (\d+(?:\.\d+)?)s/.exec(said) ?? [];
  return seconds === undefined ? null : now + Math.ceil(Number(seconds)) * 1000;
}

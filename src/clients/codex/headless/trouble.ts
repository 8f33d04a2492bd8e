// Why a turn of Codex's failed, from the words of its event (0.166.0): they are all that it prints.

import { parseObject, textField } from '../../fields.ts';
import { troubleOf } from '../../headless/trouble.ts';
import type { Trouble } from '../../headless.ts';

/** The first that fits. What a server said may stand within: the words of the client come before them. */
const kinds: readonly { what: Trouble['what']; says: RegExp }[] = [
  { what: 'context', says: /context_length_exceeded|context window|ran out of room/i },
  { what: 'limit', says: /usage limit|last status: 429|status 429|rate.?limit/i },
  { what: 'billing', says: /quota exceeded|insufficient_quota|status 402|billing details/i },
  { what: 'login', says: /status 401|status 403|unauthorized|not logged in|please log ?in|refresh token/i },
  {
    what: 'server',
    says: /status 5\d\d|high demand|overloaded|server_error|internal server error|at capacity/i,
  },
  {
    what: 'network',
    says: /connection failed|error sending request|stream disconnected|waiting for network|timed? ?out|dns error/i,
  },
  { what: 'refused', says: /invalid_request_error|status 4\d\d|invalid_prompt/i },
];

export function troubleIn(message: string, now: number): Trouble {
  const { what } = kinds.find(({ says }) => says.test(message)) ?? { what: 'unknown' as const };
  return troubleOf(what, saidIn(message), what === 'limit' ? resetIn(message, now) : null);
}

/** A server's answer comes as it was sent. */
function saidIn(message: string): string {
  const error = parseObject(message)?.error;
  const inner = typeof error === 'object' && error !== null ? textField({ ...error }, 'message') : null;
  return inner ?? message;
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const AT =
  /\btry again at (?:([A-Za-z]{3})[a-z]* (\d{1,2})(?:st|nd|rd|th)?,? (\d{4}),? )?(\d{1,2}):(\d\d) ([AP])M/i;
const IN = /\btry again in ((?:\d+ (?:day|hour|minute|second)s? ?)+)/i;

/**
 * When a limit ends, in milliseconds, when the minute that is named is over. Codex says it in local time, and leaves out
 * the day where it is today's.
 */
function resetIn(message: string, now: number): number | null {
  const after = IN.exec(message)?.[1];
  if (after !== undefined) return now + lengthOf(after);
  const [, month, day, year, hour, minute, half] = AT.exec(message) ?? [];
  if (hour === undefined) return null;
  const hours = (Number(hour) % 12) + (half?.toLowerCase() === 'p' ? 12 : 0);
  const today = new Date(now);
  const date =
    month === undefined
      ? [today.getFullYear(), today.getMonth(), today.getDate()]
      : [Number(year), MONTHS.indexOf(month.toLowerCase()), Number(day)];
  const [years = 0, months = 0, days = 0] = date;
  const time = new Date(years, months, days, hours, Number(minute) + 1).getTime();
  return months < 0 || Number.isNaN(time) ? null : time;
}

const LENGTHS: Readonly<Record<string, number>> = {
  day: 86_400_000,
  hour: 3_600_000,
  minute: 60_000,
  second: 1000,
};

function lengthOf(text: string): number {
  const parts = [...text.matchAll(/(\d+) (day|hour|minute|second)/gi)];
  return parts.reduce(
    (sum, [, count, unit = '']) => sum + Number(count) * (LENGTHS[unit.toLowerCase()] ?? 0),
    0,
  );
}

// Times, lengths and amounts as people read them.

import type { Rank } from '../../view/model.ts';

/** In the order in which they are shown. */
export const RANK_WORDS: Readonly<Record<Rank, string>> = {
  'needs-you': 'needs you',
  failing: 'failing',
  running: 'running',
  waiting: 'waiting',
  done: 'done',
};

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export function ago(at: number, now: number): string {
  const passed = now - at;
  if (passed < 10 * SECOND) return 'just now';
  return `${lengthOf(passed)} ago`;
}

/** In one unit, or two where that says more: `42 s`, `3 min`, `2 h 5 min`. */
export function lengthOf(milliseconds: number): string {
  if (milliseconds < SECOND) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < MINUTE) return `${trim(milliseconds / SECOND, milliseconds < 10 * SECOND ? 1 : 0)} s`;
  if (milliseconds < HOUR) return `${Math.round(milliseconds / MINUTE)} min`;
  if (milliseconds < DAY) return twoUnits(milliseconds, HOUR, 'h', MINUTE, 'min');
  return twoUnits(milliseconds, DAY, 'd', HOUR, 'h');
}

function twoUnits(value: number, large: number, largeName: string, small: number, smallName: string): string {
  const rest = Math.floor((value % large) / small);
  return `${Math.floor(value / large)} ${largeName}${rest === 0 ? '' : ` ${rest} ${smallName}`}`;
}

/** `1.2k`, `3.4M`. */
export function amount(value: number): string {
  if (value < 1000) return trim(value, 0);
  if (value < 1_000_000) return `${trim(value / 1000, value < 10_000 ? 1 : 0)}k`;
  return `${trim(value / 1_000_000, value < 100_000_000 ? 1 : 0)}M`;
}

export function money(usd: number): string {
  return `$${usd.toFixed(2)}`;
}

/** The day stands before the time where it is not today's. */
export function clock(at: number, now: number): string {
  const date = new Date(at);
  const time = date.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
  if (date.toDateString() === new Date(now).toDateString()) return time;
  return `${date.toLocaleDateString(undefined, { month: 'short', day: 'numeric' })}, ${time}`;
}

export function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

function trim(value: number, digits: number): string {
  return String(Number(value.toFixed(digits)));
}

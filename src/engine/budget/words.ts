// Amounts of a budget in words, for people and agents alike.

import { HOUR_MS } from '../../config/amount.ts';
import { KINDS, type Kind } from './rule.ts';
import type { Limits, Spent } from './types.ts';

const MINUTE_MS = 60_000;

/** `2.1M of 2M tokens`, `12 min of 4 h`. */
export function spentInWords(kind: Kind, limits: Limits, spent: Spent): string {
  const limit = limits[kind];
  const used = amountInWords(kind, spent[kind]);
  if (limit === null) return used;
  const most = amountInWords(kind, limit);
  const [number, unit] = used.split(' ');
  const isSameUnit = kind === 'reviews' || most.endsWith(` ${unit}`);
  return isSameUnit ? `${number} of ${most}` : `${used} of ${most}`;
}

/** `2M tokens`, `4 h`, `30 min`, `12 reviews`, `$10`. */
export function amountInWords(kind: Kind, amount: number): string {
  switch (kind) {
    case 'tokens':
      return `${shortCount(amount)} tokens`;
    case 'timeMs':
      return amount < HOUR_MS ? `${round(amount / MINUTE_MS, 1)} min` : `${round(amount / HOUR_MS)} h`;
    case 'reviews':
      return amount === 1 ? '1 review' : `${amount} reviews`;
    case 'usd':
      return `$${amount.toFixed(2)}`;
  }
}

/** `2M tokens, 4 h`: all that is bounded. */
export function limitsInWords(limits: Limits): string {
  return KINDS.flatMap((kind) => {
    const limit = limits[kind];
    return limit === null ? [] : amountInWords(kind, limit);
  }).join(', ');
}

/** The flag that grants more of it, with an example. */
export function flagFor(kind: Kind): string {
  switch (kind) {
    case 'tokens':
      return '--tokens 1M';
    case 'timeMs':
      return '--hours 2';
    case 'reviews':
      return '--reviews 4';
    case 'usd':
      return '--usd 5';
  }
}

/** `950`, `12.3k`, `2.1M`. */
export function shortCount(count: number): string {
  if (count < 1000) return String(count);
  if (count < 999_950) return `${round(count / 1000, 1)}k`;
  return `${round(count / 1e6)}M`;
}

/** Two digits after the point at most, and none that say nothing. */
function round(value: number, digits = 2): string {
  return String(Number(value.toFixed(digits)));
}

// How an amount of a budget is said: `2M`, `500k`, `1.5M` tokens; hours; reviews; dollars. Null: it cannot be understood.

export type Amount = 'tokens' | 'hours' | 'reviews' | 'usd';

export const MOST: Readonly<Record<Amount, number>> = { tokens: 1e12, hours: 8760, reviews: 9999, usd: 1e6 };

/** In words, for whoever gave something else. */
export const ALLOWED: Readonly<Record<Amount, string>> = {
  tokens: 'a number of tokens from 1, such as 500k, 2M or 1.5M',
  hours: 'a number of hours from 0.001 to 8760, such as 4 or 0.5',
  reviews: 'a whole number of reviews from 1 to 9999',
  usd: 'a number of dollars from 0.01 to 1000000, such as 10 or 2.50',
};

const LEAST: Readonly<Record<Amount, number>> = { tokens: 1, hours: 0.001, reviews: 1, usd: 0.01 };

const UNITS: Readonly<Record<string, number>> = { k: 1e3, m: 1e6 };

export function parseAmount(what: Amount, text: string): number | null {
  const found = /^(\d{1,15}(?:\.\d{1,6})?)([kKmM]?)$/.exec(text.trim());
  if (found === null) return null;
  const [, digits = '', letter = ''] = found;
  if (letter !== '' && what !== 'tokens') return null;
  if (what === 'reviews' && digits.includes('.')) return null;
  const plain = Number(digits) * (UNITS[letter.toLowerCase()] ?? 1);
  const amount = what === 'tokens' ? Math.round(plain) : plain;
  return amount >= LEAST[what] && amount <= MOST[what] ? amount : null;
}

/** As a config file says it: a number, or a text such as `2M`. */
export function tokensIn(value: number | string | undefined): number | undefined {
  return typeof value === 'string' ? (parseAmount('tokens', value) ?? undefined) : value;
}

export const HOUR_MS = 3_600_000;

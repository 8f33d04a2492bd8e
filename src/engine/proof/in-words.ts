// Lists, names and times as they stand in a sentence. A name may have been written by anybody: no control codes,
// bounded in length.

import { plainText } from '../../text/printable.ts';

/** `a, b and c`; of many the first, and how many more there are. */
export function inWords(parts: readonly string[], most: number): string {
  const named = parts.slice(0, most);
  const last = parts.length > most ? `${parts.length - most} more` : named.pop();
  return named.length === 0 ? (last ?? '') : `${named.join(', ')} and ${last}`;
}

export function listOf(parts: readonly string[], most: number): string {
  const more = parts.length > most ? [`and ${parts.length - most} more`] : [];
  return [...parts.slice(0, most), ...more].map((part) => `- ${part}`).join('\n');
}

export function shown(text: string, most = 60): string {
  const line = plainText(text.slice(0, most * 2)).replace(/\s+/g, ' ');
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`;
}

/** `0.4 s`, `12 s`, `3 min 20 s`. */
export function duration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  // Never none: it did take some time.
  if (seconds < 9.95) return `${Math.max(0.1, Number(seconds.toFixed(1)))} s`;
  if (seconds < 119.5) return `${Math.round(seconds)} s`;
  const whole = Math.round(seconds);
  return whole % 60 === 0 ? `${whole / 60} min` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

// Counts that more than one kind of line gives.

import type { Counted } from './emitted.ts';
import type { Labels } from './series.ts';
import { durationOf, word } from './words.ts';

/** `from`: whether it ran, or its receipt counted; null: neither. */
export type EndedCheck = {
  name: string;
  end: string;
  from: 'run' | 'receipt' | null;
  milliseconds: number | null;
};

export function countCheck({ name, end, from, milliseconds }: EndedCheck, labels: Labels): Counted[] {
  const all = { ...labels, 'holdfast.check': word(name), 'holdfast.check.end': word(end) };
  return [
    ['checks', 1, { ...all, 'holdfast.check.from': from ?? 'none' }],
    ...(from === 'run' ? [['checkDuration', durationOf(milliseconds) / 1000, all] as const] : []),
  ];
}

/** As a review lists them; anything else is nothing. */
export function countFindings(listed: unknown, labels: Labels): Counted[] {
  const counts: Readonly<Record<string, unknown>> =
    typeof listed === 'object' && listed !== null ? { ...listed } : {};
  return (['high', 'medium', 'low'] as const).flatMap((severity): Counted[] => {
    const count = counts[severity];
    return typeof count === 'number' && count > 0
      ? [['findings', count, { ...labels, 'holdfast.severity': severity }]]
      : [];
  });
}

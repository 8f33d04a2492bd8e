// The ids of findings, and the words for how grave one is (pure).

import type { Severity } from '../../reviewers/findings.ts';

/** From the gravest on. */
export const SEVERITIES: readonly Severity[] = ['high', 'medium', 'low'];

/** A number that nobody comes to by counting does not move the counter: somebody wrote it by hand. */
export const COUNTED_BELOW = 100_000_000;

/** The number in an id; null: it is none. */
export function numberOf(id: unknown): number | null {
  const digits = typeof id === 'string' ? /^\s*[Ff]([1-9]\d{0,8})\s*$/.exec(id)?.[1] : undefined;
  return digits === undefined ? null : Number(digits);
}

/** The first one after the last that no finding has. */
export function nextNumber(last: number, taken: ReadonlySet<string>): number {
  let number = last + 1;
  while (taken.has(`F${number}`)) number++;
  return number;
}

export function readSeverity(value: unknown): Severity | null {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
  return SEVERITIES.find((severity) => severity === word) ?? null;
}

/** Worst first; of the same weight the one that was found first. */
export function byWeight(left: Weighed, right: Weighed): number {
  const weight = SEVERITIES.indexOf(left.severity) - SEVERITIES.indexOf(right.severity);
  return weight === 0 ? (numberOf(left.id) ?? 0) - (numberOf(right.id) ?? 0) : weight;
}

type Weighed = { id: string; severity: Severity };

// How many tokens a client's session used, as its own files tell it (types only, and one reader of numbers).

import type { Payload } from './client.ts';
import type { Stop } from './stop.ts';

export type UsageReader = {
  /** Its lines tell totals of the session, so that what they begin with has to be known. */
  totals: boolean;
  /** The files that tell it: the session's own first, then those of its subagents. Some may not be there yet. */
  files(stop: Stop): readonly string[];
  /** When a line was written, in milliseconds; null: it does not say. */
  timeOf(line: string): number | null;
  /** What a whole line says of tokens; null: nothing. */
  read(line: string): LineUsage | null;
};

/** `tokens`: input, what was written to the cache, and output. What was read from the cache stands apart. */
export type LineUsage = { tokens: number; cacheRead: number; at: number | null } & (
  | { kind: 'message'; id: string }
  /** Over the whole session; `last` is what its last request used. */
  | { kind: 'total'; last: { tokens: number; cacheRead: number } }
);

/** What lines say may be more than a record can hold. */
export function addUp(...counts: readonly number[]): number {
  return Math.min(
    Number.MAX_SAFE_INTEGER,
    counts.reduce((sum, count) => sum + count, 0),
  );
}

/** What is no count is none: a line may say anything. */
export function countIn(from: Payload | null, name: string): number {
  const value = from?.[name];
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
}

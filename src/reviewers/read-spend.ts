// Counts of tokens as programs report them: outside data, so only what is plainly a count counts. Pure.

import type { Tokens } from './findings.ts';

export function tokenCount(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
}

export function addTokens(one: Tokens, other: Tokens): Tokens {
  return {
    input: one.input + other.input,
    cacheCreation: one.cacheCreation + other.cacheCreation,
    cacheRead: one.cacheRead + other.cacheRead,
    output: one.output + other.output,
  };
}

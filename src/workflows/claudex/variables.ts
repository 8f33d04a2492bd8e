// The environment variables that tune claudex. Garbage in one counts as if it were not set, and is reported.

import type { Environment } from '../../store/environment.ts';
import { movedFolder } from './files.ts';
import { wholeNumber } from './state-format.ts';

export type Variables = {
  planRounds: number;
  reviewRounds: number;
  staleMinutes: number;
  /** Those that hold garbage, by name. */
  bad: readonly string[];
};

const NUMBERS = {
  CLAUDEX_MAX_PLAN_ROUNDS: 3,
  CLAUDEX_MAX_REVIEW_ROUNDS: 3,
  CLAUDEX_STALE_MINUTES: 15,
} as const;

export function readVariables(root: string, env: Environment): Variables {
  const bad: string[] = [];
  const read = (name: keyof typeof NUMBERS): number => {
    const text = (env[name] ?? '').trim();
    const value = wholeNumber(text);
    if (text !== '' && value === null) bad.push(name);
    return value ?? NUMBERS[name];
  };
  const numbers = {
    planRounds: read('CLAUDEX_MAX_PLAN_ROUNDS'),
    reviewRounds: read('CLAUDEX_MAX_REVIEW_ROUNDS'),
    staleMinutes: read('CLAUDEX_STALE_MINUTES'),
  };
  if (movedFolder(root, env) === 'unusable') bad.push('CLAUDEX_STATE_DIR');
  return { ...numbers, bad };
}

/** What is wrong with a variable and what counts instead: one line. */
export function explainBad(name: string): string {
  if (name === 'CLAUDEX_STATE_DIR') return 'CLAUDEX_STATE_DIR is not a folder; .claude/claudex is used.';
  const used = Object.entries(NUMBERS).find(([known]) => known === name)?.[1];
  return `${name} is not a whole number above 0; ${used} is used.`;
}

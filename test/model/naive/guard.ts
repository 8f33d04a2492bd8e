// The progress guard once more, as decision 3 of docs/decisions.md has it: it keeps the whole history of
// holds and counts again each time, where the real one keeps three numbers.

import type { GuardLimits, Movement } from '../../../src/engine/guard/guard.ts';

export type Event = { answer: 'hold' | 'release'; movement: Movement };

export function naiveGuard(
  history: readonly Event[],
  movement: Movement,
  limits: GuardLimits,
): { answer: 'hold' | 'release'; first: boolean } {
  // Progress: it holds, also after a release.
  if (movement.state || movement.artifacts) return { answer: 'hold', first: false };
  // Released before: silence, without a second notice.
  const lastMove = history.findLastIndex((event) => event.movement.state || event.movement.artifacts);
  const since = history.slice(lastMove + 1);
  if (since.some((event) => event.answer === 'release')) return { answer: 'release', first: false };
  // The agent waited: no row has such a hold in it.
  if (movement.waited) return { answer: 'hold', first: false };
  // The very first hold has nothing before it: it is the first of every row.
  const counted = since.filter((event) => !event.movement.waited);
  const rest = [...counted.map((event) => event.movement.tools), movement.tools];
  const row = rest.map((tools, index) => (lastMove === -1 && index === 0 ? 'first' : tools));

  const isUnmoved = (tools: string): boolean => tools === 'no' || tools === 'first';
  const unmoved = row.length - 1 - row.findLastIndex((tools) => !isUnmoved(tools));
  // A transcript that does not tell has a row of its own: proof of a call ends it, silence does not.
  const afterProof = row.slice(row.lastIndexOf('yes') + 1);
  const unknown = afterProof.filter((tools) => tools !== 'no').length;
  const released =
    unmoved > limits.unmoved ||
    unknown > limits.unknown ||
    (limits.tools !== null && row.length > limits.tools);
  return released ? { answer: 'release', first: true } : { answer: 'hold', first: false };
}

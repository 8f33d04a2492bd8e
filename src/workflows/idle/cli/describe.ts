// Where a loop stands, in a few words.

import { isStale } from '../decide.ts';
import type { State } from '../types.ts';

/** `loop, iteration 3/10`, with how deep it is nested and why it does not hold. `now` by the loop's own clock. */
export function describeStage(state: State, now: number): string {
  switch (state.kind) {
    case 'nothing':
      return 'no loop';
    case 'lost':
      return 'its log is too long to find the state';
    case 'unreadable':
      return 'its state cannot be read';
    case 'loop':
      break;
  }
  const top = state.stack.at(-1);
  const kept = state.stack.length > 0 ? `, ${state.stack.length} kept for resume` : '';
  if (state.event === 'DONE') return `ended${kept}`;
  if (state.event === 'ABORT' || top === undefined) return 'ended';
  const depth = state.stack.length > 1 ? `, ${state.stack.length} deep` : '';
  const stale = isStale(state, now) ? ', stale' : '';
  return `${top.mode}, iteration ${top.iter}/${top.max}${depth}${stale}`;
}

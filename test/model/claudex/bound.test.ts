// How long a loop can hold by itself, without the guard: the longest way there is, in holds. Asking for a draft is left
// out: that is the one hold that moves nothing, and the guard alone bounds it.

import { describe, expect, it } from 'vitest';
import type { Edge } from '../../../src/explorer/explorer.ts';
import { decide } from '../../../src/workflows/claudex/decide.ts';
import { type Node, space, starts } from './domains.ts';
import { claudexModel, type Decide } from './model.ts';

describe('every claudex loop', () => {
  const plans = starts.filter(({ node }) => node.mode === 'plan');
  const reviews = starts.filter(({ node }) => node.mode === 'review');

  it.each(plans)(
    'ends after a hold and a hold to wait in each round, and the summary: $label',
    { tags: ['C3.9'] },
    ({ node }) => {
      expect(mostHolds(decide, node)).toBe(2 * node.maxRounds + 1);
    },
  );

  it.each(reviews)('ends after one hold: $label', ({ node }) => {
    expect(mostHolds(decide, node)).toBe(1);
  });

  it('would be seen to go on for ever, if a round did not count', () => {
    const defective: Decide = (state, facts) => {
      const step = decide(state, facts);
      if (step.kind !== 'hold' || step.change === null) return step;
      const { round: _, ...change } = step.change;
      return { ...step, change: { ...change, waited: 'held' } };
    };
    expect(mostHolds(defective, plans[2]?.node as Node)).toBe(Number.POSITIVE_INFINITY);
  });
});

/** Infinite where a way with a hold in it leads back to where it began. */
function mostHolds(decision: Decide, start: Node): number {
  const model = claudexModel(decision, {});
  const most = new Map<number, number>();

  function from(node: Node): number {
    const index = space.indexOf(node);
    const known = most.get(index);
    if (known !== undefined) return known;
    most.set(index, Number.POSITIVE_INFINITY);
    const ways: Edge<Node>[] = [];
    model.expand(node, (edge) => ways.push(edge));
    // The same way again without a hold is no way onward; a hold that leads back here is counted without end.
    const onward = ways.filter((edge) => counts(edge) || space.indexOf(edge.to) !== index);
    const longest = Math.max(0, ...onward.map((edge) => (counts(edge) ? 1 : 0) + from(edge.to)));
    most.set(index, longest);
    return longest;
  }
  return from(start);
}

function counts({ answer, about }: Edge<Node>): boolean {
  return answer === 'hold' && about !== 'draft';
}

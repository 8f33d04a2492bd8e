// How often a flow can do something at most: hold, and start each of its checks and reviews.

import { longestHold } from '../../../explorer/bound.ts';
import { MOST_FAILURES } from '../decide.ts';
import { conditionsIn } from '../stand.ts';
import type { Condition, Definition } from '../types.ts';
import type { Graph } from './graph.ts';
import { stateOf } from './graph.ts';

export type Bounds = {
  /** Holds of a whole run at most, while the agent makes progress; and in a row while nothing moves at all. */
  holds: { withProgress: number; without: number };
  /**
   * By name; null: once at each stop, as often as a person has the agent stop in a pause. Stops that had no time for a
   * check are not counted: they hold nobody.
   */
  checks: Readonly<Record<string, number | null>>;
  reviews: Readonly<Record<string, number | null>>;
};

export function boundsOf(definition: Definition, graph: Graph, unmoved: number): Bounds {
  const pauses = graph.nodes.some((node) => definition.states[stateOf(node)]?.kind === 'pause');
  const most = longest(graph, ({ hold }) => hold);
  const withProgress = Math.min(most, definition.holds);
  const states = Object.values(definition.states).map(conditionsIn);
  /**
   * The stops of a run are its holds and the one that ends it; in a pause a person has as many as they like. Where a
   * review is asked for, each of them may have others before it, at which the review had no verdict.
   */
  const asks = (kind: Asked, name: string): number | null => {
    const times = longest(graph, (arc) => arc.asks.includes(`${kind} ${name}`));
    const isAsked = states.filter((each) => namesIn(each, kind).includes(name));
    const tries = isAsked.some((each) => namesIn(each, 'review').length > 0) ? MOST_FAILURES : 1;
    const most = (withProgress + 1) * tries;
    if (Number.isFinite(times)) return pauses ? times : Math.min(times, most);
    return pauses ? null : most;
  };
  const named = (kind: Asked): Record<string, number | null> => {
    const names = states.flatMap((each) => namesIn(each, kind));
    return Object.fromEntries([...new Set(names)].map((name) => [name, asks(kind, name)]));
  };
  return {
    holds: { withProgress, without: Math.min(unmoved, withProgress) },
    checks: named('check'),
    reviews: named('review'),
  };
}

type Asked = 'check' | 'review';

const namesIn = (conditions: readonly Condition[], kind: Asked): string[] =>
  conditions.flatMap((each) => (each.kind === kind ? each.name : []));

/** Infinite where it lies on a circle. */
function longest({ arcs }: Graph, counts: (arc: Graph['arcs'][number][number]) => boolean): number {
  const bound = longestHold<number>(
    [0],
    (node) => (arcs[node] ?? []).map((arc) => ({ to: arc.to, what: '', hold: counts(arc) })),
    String,
  );
  return bound.kind === 'endless' ? Number.POSITIVE_INFINITY : bound.holds;
}

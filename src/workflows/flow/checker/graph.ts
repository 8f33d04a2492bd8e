// What the explorer found of a flow, as a graph: each stop from node to node, once for each line it takes and each set
// of checks it asks for.

import { explore, type Model, type Reach } from '../../../explorer/explorer.ts';
import type { Definition } from '../types.ts';
import { type FlowEdge, type FlowModel, type Node, RELEASED, type Taken } from './model.ts';

export type Arc = Omit<Taken, 'facts'> & { to: number };

export type Graph = {
  /** In the order in which they were found: breadth first. */
  nodes: readonly Node[];
  arcs: readonly (readonly Arc[])[];
};

/** A team's loop has some hundred nodes. What has more than these is not checked within a second. */
const REACH: Reach = { states: 60_000, transitions: 300_000 };

/** Null: there is more than can be gone through. */
export function graphOf(model: FlowModel): Graph | null {
  const numbers = new Map<number, number>();
  const nodes: Node[] = [];
  const arcs: Map<string, Arc>[] = [];
  const numberOf = (node: Node): number => {
    const index = model.space.indexOf(node);
    const known = numbers.get(index);
    if (known !== undefined) return known;
    numbers.set(index, nodes.length);
    arcs.push(new Map());
    return nodes.push(node) - 1;
  };
  for (const { node } of model.starts) numberOf(node);
  const { cut } = explore(
    model,
    (from, edge) => {
      const { by, hold, asks } = (edge as FlowEdge).taken;
      const to = numberOf(edge.to);
      arcs[numberOf(from)]?.set(`${to} ${by} ${hold} ${asks.join()}`, { to, by, hold, asks });
    },
    REACH,
  );
  return cut ? null : { nodes, arcs: arcs.map((each) => [...each.values()]) };
}

/** The shortest way from the start to this node, stop by stop; `last` follows it. */
export function wayTo(model: FlowModel, target: Node, last: string): string[] {
  const wanted = model.space.indexOf(target);
  const marked: Model<Node> = {
    ...model,
    expand: (node, each) => {
      if (model.space.indexOf(node) === wanted)
        each({ ...STAYS, to: node, broken: { invariant: '', how: '' } });
      else model.expand(node, each);
    },
  };
  const { violation } = explore(marked, () => {}, REACH);
  // The last step is our own mark.
  return [...(violation?.path.slice(0, -1) ?? []), last];
}

const STAYS = { by: 'stop', what: () => '', answer: null, about: '', combinations: 1 } as const;

export const stateOf = (node: Node | undefined): string => String(node?.state);

export const isEnd = ({ states }: Definition, name: string): boolean => states[name]?.kind === 'end';

/** Nodes from which an end can be reached; to be let go by the engine is none. */
export function endingNodes(definition: Definition, { nodes, arcs }: Graph): ReadonlySet<number> {
  const before = nodes.map((): number[] => []);
  arcs.forEach((leaving, from) => {
    for (const { to } of leaving) before[to]?.push(from);
  });
  const found = new Set<number>();
  const open = nodes.flatMap((node, index) =>
    stateOf(node) !== RELEASED && isEnd(definition, stateOf(node)) ? [index] : [],
  );
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (found.has(node)) continue;
    found.add(node);
    open.push(...(before[node] ?? []));
  }
  return found;
}

/** How many holds it takes at least to come to each node. */
export function fewestHolds({ nodes, arcs }: Graph): readonly number[] {
  const fewest = nodes.map(() => Number.POSITIVE_INFINITY);
  fewest[0] = 0;
  // Those with as many holds before those with one more.
  let open = [0];
  for (let holds = 0; open.length > 0; holds++) {
    const next: number[] = [];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if ((fewest[node] ?? 0) < holds) continue;
      for (const { to, hold } of arcs[node] ?? []) {
        if ((fewest[to] ?? 0) <= holds + Number(hold)) continue;
        fewest[to] = holds + Number(hold);
        (hold ? next : open).push(to);
      }
    }
    open = next;
  }
  return fewest;
}

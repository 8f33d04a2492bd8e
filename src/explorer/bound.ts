// How many holds can follow each other at most while nobody makes progress? The longest way through a graph
// in which a hold counts one and everything else nothing; a hold on a circle means there is no such number.

export type Arc<Node> = { to: Node; what: string; hold: boolean };

export type Bound<Node> =
  | { kind: 'bounded'; holds: number; nodes: number; from: Node }
  /** A circle with a hold on it: the agent could be held for ever. */
  | { kind: 'endless'; circle: readonly string[] };

export function longestHold<Node>(
  starts: readonly Node[],
  arcsOf: (node: Node) => readonly Arc<Node>[],
  keyOf: (node: Node) => string,
): Bound<Node> {
  const graph = unfold(starts, arcsOf, keyOf);
  const component = componentsOf(graph);
  const circle = holdOnCircle(graph, component);
  if (circle !== null) return { kind: 'endless', circle };
  // Components come out in reverse topological order, so what an arc leads to is already known.
  const most = new Array<number>(graph.arcs.length).fill(0);
  const byComponent = graph.arcs.map((_, node) => node);
  byComponent.sort((a, b) => (component[a] as number) - (component[b] as number));
  const mostIn = new Map<number, number>();
  for (const node of byComponent) {
    const mine = component[node] as number;
    for (const { to, hold } of graph.arcs[node] ?? []) {
      const after = mostIn.get(component[to] as number) ?? 0;
      mostIn.set(mine, Math.max(mostIn.get(mine) ?? 0, after + Number(hold)));
    }
  }
  for (const node of byComponent) most[node] = mostIn.get(component[node] as number) ?? 0;
  const worst = most.reduce((best, holds, node) => (holds > (most[best] ?? 0) ? node : best), 0);
  return { kind: 'bounded', holds: most[worst] ?? 0, nodes: most.length, from: graph.nodes[worst] as Node };
}

type Graph<Node> = { nodes: Node[]; arcs: { to: number; what: string; hold: boolean }[][] };

function unfold<Node>(
  starts: readonly Node[],
  arcsOf: (node: Node) => readonly Arc<Node>[],
  keyOf: (node: Node) => string,
): Graph<Node> {
  const numbers = new Map<string, number>();
  const graph: Graph<Node> = { nodes: [], arcs: [] };
  const numberOf = (node: Node): number => {
    const key = keyOf(node);
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, graph.nodes.length);
    return graph.nodes.push(node) - 1;
  };
  for (const start of starts) numberOf(start);
  for (let at = 0; at < graph.nodes.length; at++)
    graph.arcs.push(arcsOf(graph.nodes[at] as Node).map((arc) => ({ ...arc, to: numberOf(arc.to) })));
  return graph;
}

/** Tarjan's strongly connected components, without recursion. */
function componentsOf<Node>({ arcs }: Graph<Node>): number[] {
  const order = new Array<number>(arcs.length).fill(-1);
  const low = new Array<number>(arcs.length).fill(0);
  const component = new Array<number>(arcs.length).fill(-1);
  const open: number[] = [];
  let count = 0;
  let components = 0;
  for (let root = 0; root < arcs.length; root++) {
    if (order[root] !== -1) continue;
    const work = [{ node: root, next: 0 }];
    order[root] = low[root] = count++;
    open.push(root);
    while (work.length > 0) {
      const frame = work[work.length - 1] as { node: number; next: number };
      const arc = arcs[frame.node]?.[frame.next++];
      if (arc === undefined) {
        work.pop();
        const above = work.at(-1)?.node;
        if (above !== undefined) low[above] = Math.min(low[above] as number, low[frame.node] as number);
        if (low[frame.node] !== order[frame.node]) continue;
        for (let member = -1; member !== frame.node; ) {
          member = open.pop() as number;
          component[member] = components;
        }
        components++;
      } else if (order[arc.to] === -1) {
        order[arc.to] = low[arc.to] = count++;
        open.push(arc.to);
        work.push({ node: arc.to, next: 0 });
      } else if (component[arc.to] === -1)
        low[frame.node] = Math.min(low[frame.node] as number, order[arc.to] as number);
    }
  }
  return component;
}

function holdOnCircle<Node>({ arcs }: Graph<Node>, component: readonly number[]): string[] | null {
  for (const [node, leaving] of arcs.entries()) {
    const hold = leaving.find((arc) => arc.hold && component[arc.to] === component[node]);
    if (hold !== undefined) return [hold.what, ...wayBack(arcs, component, hold.to, node)];
  }
  return null;
}

function wayBack(
  arcs: Graph<unknown>['arcs'],
  component: readonly number[],
  from: number,
  to: number,
): string[] {
  const ways = new Map<number, string[]>([[from, []]]);
  for (const [node, way] of ways) {
    if (node === to) return way;
    for (const arc of arcs[node] ?? [])
      if (component[arc.to] === component[to] && !ways.has(arc.to)) ways.set(arc.to, [...way, arc.what]);
  }
  return [];
}

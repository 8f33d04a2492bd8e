// Breadth first through everything that can happen to a run, until no new node turns up. The first broken
// invariant ends it; breadth first makes the way to it the shortest there is.

import { LeftTheSpace, type Space, type Value } from './space.ts';

export type Edge<Node> = {
  /** Who moves: the hook at a stop, the agent or its user by a command, or the clock. Edits by hand are apart. */
  by: 'stop' | 'command' | 'time';
  /** What happens, for the path that is printed. Asked at once or never. */
  what: () => string;
  to: Node;
  answer: 'hold' | 'allow' | null;
  /** What is said, or which command it is: what a diagram writes on the edge. */
  about: string;
  /** How many combinations of facts this edge stands for. */
  combinations: number;
  /** The invariant this edge breaks, and how. */
  broken: Broken | null;
};

export type Broken = { invariant: string; how: string };

export type Model<Node extends Readonly<Record<keyof Node, Value>>> = {
  name: string;
  space: Space<Node>;
  starts: readonly { label: string; node: Node }[];
  /** Fields that a person may set to any of their values; none where a model leaves hand edits out. */
  editable(node: Node): readonly (keyof Node & string)[];
  expand(node: Node, each: (edge: Edge<Node>) => void): void;
};

/** How far to go: for a model that somebody else wrote. */
export type Reach = { states: number; transitions: number };

export type Explored = {
  /** There was more than the reach allows: nothing is proven. */
  cut: boolean;
  states: number;
  transitions: number;
  combinations: number;
  violation: (Broken & { path: readonly string[] }) | null;
};

const EVERYTHING: Reach = { states: Number.POSITIVE_INFINITY, transitions: Number.POSITIVE_INFINITY };
const UNSEEN = -1;
const START = -2;

export function explore<Node extends Readonly<Record<keyof Node, Value>>>(
  model: Model<Node>,
  visit: (from: Node, edge: Edge<Node>) => void = () => {},
  reach: Reach = EVERYTHING,
): Explored {
  const { space } = model;
  // Whoever expects few nodes has not all of them to be laid out.
  const parents = parentsIn(reach === EVERYTHING ? space.size : Number.POSITIVE_INFINITY);
  const queue: number[] = [];
  const see = (index: number, parent: number): void => {
    if (parents.get(index) !== UNSEEN) return;
    parents.set(index, parent);
    queue.push(index);
  };
  for (const start of model.starts) see(space.indexOf(start.node), START);

  const found = { transitions: 0, combinations: 0 };
  let broken: Broken | null = null;
  let last: string | null = null;
  let at = 0;
  const isTooFar = (): boolean => queue.length > reach.states || found.transitions > reach.transitions;
  for (; at < queue.length && broken === null && !isTooFar(); at++) {
    const from = queue[at] as number;
    const node = space.nodeAt(from);
    expandSafely(model, node, (edge, to) => {
      found.transitions++;
      found.combinations += edge.combinations;
      visit(node, edge);
      if (edge.broken !== null && broken === null) [broken, last] = [edge.broken, describe(edge)];
      if (broken === null) see(to, from);
    });
    if (broken !== null) break;
    space.edits(from, model.editable(node), (to) => {
      found.transitions++;
      found.combinations++;
      see(to, from);
    });
  }
  const violation =
    broken === null
      ? null
      : { ...(broken as Broken), path: pathTo(model, parents, queue[at] as number, last) };
  return { cut: broken === null && isTooFar(), states: queue.length, ...found, violation };
}

/** What a failing test prints. */
export function report({ violation }: Explored): string {
  if (violation === null) return 'no invariant is broken';
  const steps = violation.path.map((step, index) => `  ${index + 1}. ${step}`);
  return [`broken: ${violation.invariant} (${violation.how})`, 'the shortest way there:', ...steps].join(
    '\n',
  );
}

function expandSafely<Node extends Readonly<Record<keyof Node, Value>>>(
  { space, expand }: Model<Node>,
  node: Node,
  each: (edge: Edge<Node>, to: number) => void,
): void {
  const here = space.indexOf(node);
  expand(node, (edge) => {
    if (edge.broken !== null) return each(edge, here);
    try {
      each(edge, edge.to === node ? here : space.indexOf(edge.to));
    } catch (error) {
      if (!(error instanceof LeftTheSpace)) throw error;
      each({ ...edge, broken: { invariant: 'a value stays in its domain', how: error.message } }, here);
    }
  });
}

type Parents = { get(index: number): number; set(index: number, parent: number): void };

/** An array where the space is dense; a map where few of its nodes can be reached. */
function parentsIn(size: number): Parents {
  if (size > 2_000_000) {
    const map = new Map<number, number>();
    return { get: (index) => map.get(index) ?? UNSEEN, set: (index, parent) => map.set(index, parent) };
  }
  const array = new Int32Array(size).fill(UNSEEN);
  return {
    get: (index) => array[index] ?? UNSEEN,
    set: (index, parent) => {
      array[index] = parent;
    },
  };
}

function pathTo<Node extends Readonly<Record<keyof Node, Value>>>(
  model: Model<Node>,
  parents: Parents,
  end: number,
  last: string | null,
): string[] {
  const indices = [end];
  for (let parent = parents.get(end); parent >= 0; parent = parents.get(parent)) indices.unshift(parent);
  const [first] = indices;
  const start = model.starts.find(({ node }) => model.space.indexOf(node) === first);
  const steps = indices.slice(1).map((to, position) => edgeBetween(model, indices[position] as number, to));
  return [`start: ${start?.label ?? 'unknown'}`, ...steps, ...(last === null ? [] : [last])];
}

/** Not kept while exploring: found again for the few edges of a path. */
function edgeBetween<Node extends Readonly<Record<keyof Node, Value>>>(
  model: Model<Node>,
  from: number,
  to: number,
): string {
  let found: string | null = null;
  const node = model.space.nodeAt(from);
  expandSafely(model, node, (edge, target) => {
    if (target === to && found === null) found = describe(edge);
  });
  model.space.edits(from, model.editable(node), (target, name, value) => {
    if (target === to && found === null) found = `by hand: ${name} → ${JSON.stringify(value)}`;
  });
  return found ?? 'an edge that is not there twice: the model is not deterministic';
}

function describe<Node>({ by, what, answer }: Edge<Node>): string {
  return `${by}: ${what()}${answer === null ? '' : ` → ${answer}`}`;
}

// Goes through a flow before it ever holds anybody: can each state be reached, does each lead to an end, is each line
// taken by some stop, and how many holds can there be at most.

import type { Places } from '../language/compile.ts';
import { inOrder, NOWHERE, type Problem } from '../language/problems.ts';
import type { Definition } from '../types.ts';
import { type Bounds, boundsOf } from './bounds.ts';
import { deadLines } from './dead-lines.ts';
import { endingNodes, fewestHolds, type Graph, graphOf, isEnd, stateOf, wayTo } from './graph.ts';
import { type FlowModel, modelOf, RELEASED } from './model.ts';

export type Checked =
  | { kind: 'proven'; bounds: Bounds; nodes: number }
  | { kind: 'refused'; problems: readonly Problem[] };

/** `unmoved`: how many holds the guard allows in a row while nothing moves at all. */
export function check(definition: Definition, places: Places, unmoved: number): Checked {
  const model = modelOf(definition);
  const graph = model === null ? null : graphOf(model);
  if (model === null || graph === null)
    return refused([
      {
        place: NOWHERE,
        what: 'there are too many combinations to go through; use fewer or smaller `visits` and `holds`, or fewer checks in a state',
      },
    ]);
  const unreachable = unreachableStates(definition, places, graph);
  const trapped = endless(definition, places, model, graph);
  const dead = deadLines(definition, places, model, graph);
  const far = tooFar(definition, places, model, graph);
  const problems = [...unreachable, ...trapped, ...dead, ...far];
  if (problems.length > 0) return refused(problems);
  return { kind: 'proven', bounds: boundsOf(definition, graph, unmoved), nodes: graph.nodes.length };
}

function refused(problems: readonly Problem[]): Checked {
  return { kind: 'refused', problems: inOrder(problems) };
}

function unreachableStates({ states }: Definition, places: Places, { nodes }: Graph): Problem[] {
  const reached = new Set(nodes.map(stateOf));
  return Object.keys(states)
    .filter((name) => !reached.has(name))
    .map((name) => {
      const from = Object.entries(states).flatMap(([other, state]) =>
        state.kind !== 'end' && leadsTo(state, name) ? other : [],
      );
      const why =
        from.length === 0
          ? 'no line leads to it'
          : `no line that leads to it is ever taken (from ${from.join(', ')})`;
      return {
        place: places.states.get(name) ?? NOWHERE,
        what: `the state "${name}" cannot be reached: ${why}`,
      };
    });
}

function leadsTo(state: Exclude<Definition['states'][string], { kind: 'end' }>, name: string): boolean {
  const isOtherwise = state.kind === 'work' && state.otherwise === name;
  return isOtherwise || state.leave.some(({ to }) => to === name);
}

/** One for each state: its first node, breadth first, from which no end can be reached. */
function endless(definition: Definition, places: Places, model: FlowModel, graph: Graph): Problem[] {
  if (!Object.keys(definition.states).some((name) => isEnd(definition, name)))
    return [
      { place: places.states.get(definition.start) ?? NOWHERE, what: 'no state of this flow is an `end`' },
    ];
  const ending = endingNodes(definition, graph);
  const found = new Map<string, Problem>();
  graph.nodes.forEach((node, index) => {
    const name = stateOf(node);
    if (ending.has(index) || name === RELEASED || found.has(name)) return;
    found.set(name, {
      place: places.states.get(name) ?? NOWHERE,
      what: `from the state "${name}" no end can be reached`,
      way: wayTo(model, node, `from here on no line leads to an end`),
    });
  });
  return [...found.values()];
}

function tooFar(definition: Definition, places: Places, model: FlowModel, graph: Graph): Problem[] {
  const fewest = fewestHolds(graph);
  const least = new Map<string, { holds: number; node: number }>();
  graph.nodes.forEach((node, index) => {
    const holds = fewest[index] ?? 0;
    const known = least.get(stateOf(node));
    if (known === undefined || holds < known.holds) least.set(stateOf(node), { holds, node: index });
  });
  return [...least].flatMap(([name, { holds, node }]) => {
    const at = graph.nodes[node];
    if (holds <= definition.holds || name === RELEASED || at === undefined) return [];
    return {
      place: places.states.get(name) ?? NOWHERE,
      what: `the state "${name}" cannot be reached within the ${definition.holds === 1 ? 'one hold' : `${definition.holds} holds`} of a run: it takes ${holds}`,
      way: wayTo(model, at, `here, after ${holds} holds at least`),
    };
  });
}

// Lines that no stop ever takes, and why: an earlier one always is, or the line's own parts never hold together.

import type { Places } from '../language/compile.ts';
import { NOWHERE, type Place, type Problem } from '../language/problems.ts';
import type { Change, Definition, Line } from '../types.ts';
import { type Graph, stateOf, wayTo } from './graph.ts';
import type { FlowModel, Node } from './model.ts';

export function deadLines(definition: Definition, places: Places, model: FlowModel, graph: Graph): Problem[] {
  const taken = new Set<string>();
  const first = new Map<string, Node>();
  graph.nodes.forEach((node, index) => {
    const name = stateOf(node);
    if (!first.has(name)) first.set(name, node);
    for (const { by } of graph.arcs[index] ?? []) taken.add(`${name} ${by}`);
  });
  return [...first].flatMap(([name, node]) => {
    const state = definition.states[name];
    if (state === undefined || state.kind === 'end') return [];
    const ofLine = (index: number): Place => places.lines.get(name)?.[index] ?? NOWHERE;
    const dead = state.leave.flatMap((line, index): Problem[] => {
      if (taken.has(`${name} ${index}`)) return [];
      const { what, last } = whyDead(name, line, index, ofLine, model, graph);
      return [{ place: ofLine(index), what, way: wayTo(model, node, last) }];
    });
    if (state.kind !== 'work' || state.otherwise === null || taken.has(`${name} otherwise`)) return dead;
    const last = `in ${name} a line of \`leave\` is taken at every stop`;
    return [
      ...dead,
      {
        place: places.otherwise.get(name) ?? NOWHERE,
        what: `\`otherwise\` of "${name}" can never be taken: the visit never lasts ${state.holds} holds`,
        way: wayTo(model, node, last),
      },
    ];
  });
}

type Why = { what: string; last: string };

function whyDead(
  name: string,
  { when, to }: Line,
  index: number,
  ofLine: (index: number) => Place,
  model: FlowModel,
  { nodes }: Graph,
): Why {
  const instead = new Set<Change['by']>();
  for (const node of nodes)
    if (stateOf(node) === name)
      model.stopsWith(node, when, (holds, { by }) => {
        if (holds) instead.add(by);
      });
  const never = `this line of "${name}" (to ${to}) can never be taken`;
  const earlier = [...instead].filter((by): by is number => typeof by === 'number' && by < index);
  if (earlier.length === 0) {
    const least = Math.max(0, ...when.map((each) => (each.kind === 'visits' ? each.least : 0)));
    const why = least > 1 ? `or "${name}" is never entered ${least} times` : '';
    return {
      what: `${never}: its parts never hold together${why === '' ? '' : `, ${why}`}`,
      last: `in ${name} there are no facts with which this line holds`,
    };
  }
  const lines = namesOf(earlier.sort((a, b) => a - b).map(ofLine), ofLine(index));
  const which = lines.length === 1 ? lines[0] : `${lines.slice(0, -1).join(', ')} or ${lines.at(-1)}`;
  return {
    what: `${never}: whenever it holds, ${which} is taken before it`,
    last: `in ${name}, whenever this line holds: ${which} is taken`,
  };
}

/** By the line alone, unless another of these places, or the dead one, stands in the same line. */
function namesOf(places: readonly Place[], dead: Place): string[] {
  const all = [...places, dead];
  return places.map(({ line, column }) =>
    all.filter((each) => each.line === line).length === 1 ? `line ${line}` : `line ${line} column ${column}`,
  );
}

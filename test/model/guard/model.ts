// The guard as the explorer walks it, apart from any workflow: at every stop somebody wants to hold, or lets go and
// writes a state of its own, and anything may have moved since the last one.

import {
  dependsOnTools,
  type GuardLimits,
  type Movement,
  settle,
  type weigh,
} from '../../../src/engine/guard/guard.ts';
import { LazyFacts } from '../../../src/explorer/choices.ts';
import type { Broken, Edge, Model } from '../../../src/explorer/explorer.ts';
import { checker } from '../../../src/explorer/invariant.ts';
import { Space } from '../../../src/explorer/space.ts';
import { NO_GUARD_MEMORY } from '../../../src/store/records.ts';
import { invariants, type Settled, settledInvariants } from './invariants.ts';

export type Weigh = typeof weigh;
export type Settle = typeof settle;

/** The guard's memory, and beside it what really happened since something moved. */
export type Node = {
  held: boolean;
  noProgress: number;
  noTools: number;
  toolsUnknown: number;
  released: boolean;
  /** Holds since the state or an artifact moved. */
  holds: number;
  /** Of these, the last in a row without even a tool call. */
  silent: number;
  /** Holds since the last proof of a tool call where the transcript could not tell. */
  unsure: number;
  told: boolean;
  /** Turns of waiting for which the rows stood still. */
  waits: number;
};

/** The engine counts them, and after so many says no longer that the agent waited; two stand for all. */
const MOST_WAITS = 2;

/** Where tool calls alone are not bounded, a count above this stands for every greater one. */
const MOST = 14;

const upTo = (most: number): number[] => Array.from({ length: most + 1 }, (_, index) => index);

export function guardModel(
  weighing: Weigh,
  limits: GuardLimits,
  checked = invariants(limits, dependsOnTools),
  settling: Settle = settle,
): Model<Node> {
  const lazy = new LazyFacts<Node, Movement>({
    state: () => [false, true],
    artifacts: () => [false, true],
    // Before the first hold there is nothing to compare with: the engine always says `no`.
    tools: ({ held }) => (held ? ['yes', 'no', 'unknown'] : ['no']),
    waited: ({ held, waits }) => (held && waits < MOST_WAITS ? [false, true] : [false]),
  });
  const check = checker(checked);
  const checkSettled = checker(settledInvariants);
  const most = limits.tools === null ? MOST : limits.tools + 1;
  const space = new Space<Node>({
    held: [false, true],
    noProgress: upTo(most),
    noTools: upTo(limits.unmoved + 1),
    toolsUnknown: upTo(limits.unknown + 1),
    released: [false, true],
    holds: upTo(most),
    silent: upTo(limits.unmoved + 1),
    unsure: upTo(limits.unknown + 1),
    told: [false, true],
    waits: upTo(MOST_WAITS),
  });
  return {
    name: 'guard',
    space,
    starts: [{ label: 'the first stop of a session', node: START }],
    editable: () => [],
    expand(from, each) {
      for (const edge of allowed(from, settling, checkSettled)) each(edge);
      lazy.each(from, (movement) => {
        const weighed = weighing({ ...NO_GUARD_MEMORY, ...memoryOf(from) }, { ...movement }, limits);
        const to = happened(from, movement, weighed, most);
        each({
          by: 'stop',
          what: () => JSON.stringify(lazy.read()),
          to,
          answer: weighed.kind === 'hold' ? 'hold' : 'allow',
          about: aboutOf(movement, weighed),
          combinations: lazy.combinations(),
          broken: check({ from, movement, weighed, to }),
        } satisfies Edge<Node>);
      });
    },
  };
}

/** A stop that is allowed, and whose own commit makes the state ours: afterwards nobody can tell who moved it. */
function allowed(from: Node, settling: Settle, check: (context: Settled) => Broken | null): Edge<Node>[] {
  // Before the first hold there is nothing of ours that another could have moved.
  return (from.held ? [false, true] : [false]).map((moved) => {
    const { held, noProgress, noTools, toolsUnknown, released } = settling(
      { ...NO_GUARD_MEMORY, ...memoryOf(from) },
      moved,
    );
    const memory = { held, noProgress, noTools, toolsUnknown, released };
    const to: Node = moved
      ? { ...from, ...memory, holds: 0, silent: 0, unsure: 0, told: false }
      : { ...from, ...memory };
    return {
      by: 'stop',
      what: () => `an allow that commits, state ${moved ? '' : 'not '}moved`,
      to,
      answer: 'allow',
      about: 'allowed by the workflow',
      combinations: 1,
      broken: check({ from, moved, to }),
    };
  });
}

const START: Node = {
  held: false,
  noProgress: 0,
  noTools: 0,
  toolsUnknown: 0,
  released: false,
  holds: 0,
  silent: 0,
  unsure: 0,
  told: false,
  waits: 0,
};

export function memoryOf({ held, noProgress, noTools, toolsUnknown, released }: Node) {
  return { held, noProgress, noTools, toolsUnknown, released };
}

function aboutOf({ state, artifacts, waited }: Movement, weighed: ReturnType<Weigh>): string {
  if (state || artifacts) return 'something moved';
  if (waited && weighed.kind === 'hold') return 'the agent waited';
  if (weighed.kind === 'hold') return 'nothing moved, within the limits';
  return weighed.first ? 'a limit is reached, a notice is shown' : 'silent';
}

function happened(from: Node, movement: Movement, weighed: ReturnType<Weigh>, most: number): Node {
  const { held, noProgress, noTools, toolsUnknown, released } = weighed.memory;
  const memory = { held, noProgress: Math.min(noProgress, most), noTools, toolsUnknown, released };
  const { waits } = from;
  if (movement.state || movement.artifacts)
    return { ...memory, holds: 0, silent: 0, unsure: 0, told: false, waits };
  if (weighed.kind === 'release') return { ...from, ...memory, told: from.told || weighed.first };
  if (movement.waited) return { ...from, ...memory, waits: waits + 1 };
  const first = !from.held;
  const { tools } = movement;
  return {
    ...memory,
    holds: Math.min(from.holds + 1, most),
    silent: first || tools === 'no' ? from.silent + 1 : 0,
    unsure: first || tools === 'unknown' ? from.unsure + 1 : tools === 'yes' ? 0 : from.unsure,
    told: from.told,
    waits,
  };
}

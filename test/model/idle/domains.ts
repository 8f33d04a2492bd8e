// What idle's explorer goes through: stacks of up to two frames with every value of every field of a frame,
// every event and age of the state, every signal of the top frame's mode.

import type { ProofFacts } from '../../../src/engine/step.ts';
import type { Domains } from '../../../src/explorer/choices.ts';
import { Space } from '../../../src/explorer/space.ts';
import { modes } from '../../../src/workflows/idle/modes.ts';
import type { Facts, Frame, Loop, State } from '../../../src/workflows/idle/types.ts';
import { PROOFS, UNTILS } from '../proofs.ts';

export type Given = Facts & ProofFacts;

export const NOW = 1_800_000_000_000;

/** `edge` is two hours to the millisecond, `future` a clock that runs ahead. */
export const AGES = {
  missing: null,
  stale: NOW - 7_200_001,
  edge: NOW - 7_200_000,
  fresh: NOW,
  future: NOW + 60_000,
} as const;
export type Age = keyof typeof AGES;

/** The frame on top, and the one below it while there are two. */
export type Node = {
  kind: State['kind'];
  event: Loop['event'];
  age: Age;
  depth: 0 | 1 | 2;
  mode: Frame['mode'];
  iter: Frame['iter'];
  max: Frame['max'];
  carryOn: boolean;
  belowMode: Frame['mode'];
  belowIter: Frame['iter'];
  belowMax: Frame['max'];
  belowCarryOn: boolean;
};

/** Limits 0 and 2; iterations from 0 to one above. Below the top every known mode is a `loop`: they step alike. */
export const space = new Space<Node>({
  kind: ['loop', 'nothing', 'lost', 'unreadable'],
  event: ['STATE', 'DONE', 'ABORT'],
  age: ['missing', 'stale', 'edge', 'fresh', 'future'],
  depth: [0, 1, 2],
  mode: ['loop', 'issue', 'grind', 'unknown'],
  iter: [0, 1, 2, 3, 'corrupt'],
  max: [0, 2, 'corrupt'],
  carryOn: [false, true],
  belowMode: ['loop', 'unknown'],
  belowIter: [0, 1, 2, 3, 'corrupt'],
  belowMax: [0, 2, 'corrupt'],
  belowCarryOn: [false, true],
});

const TOP = ['mode', 'iter', 'max', 'carryOn'] as const;
const BELOW = ['belowMode', 'belowIter', 'belowMax', 'belowCarryOn'] as const;
export const NO_TOP = { mode: 'loop', iter: 0, max: 2, carryOn: false } as const;
export const NO_BELOW = { belowMode: 'loop', belowIter: 0, belowMax: 2, belowCarryOn: false } as const;

/** What is not there cannot be edited; frames come and go by commands. */
export function editable({ kind, depth }: Node): readonly (keyof Node & string)[] {
  if (kind !== 'loop') return [];
  return ['event', 'age', ...(depth > 0 ? TOP : []), ...(depth > 1 ? BELOW : [])];
}

/** A loop that is not nested, and what a later command makes of it. */
export const editableAlone = ({ kind, depth }: Node): readonly (keyof Node & string)[] =>
  kind === 'loop' && depth === 1 ? TOP : [];

export const domains: Domains<Node, Given> = {
  now: () => [NOW],
  // A minute at a limit is more than enough to make the stale one fresh.
  limited: () => [null, 0, 60_000],
  signal: (node) => [...signalsOf(node), 'none', 'unread'],
  nearMiss: () => ['none', 'place', 'code', 'spelling'],
  seen: () => [null, '', 'a line'],
  untilCheck: () => [null, 'test'],
  proof: () => PROOFS,
  until: () => UNTILS,
};

function signalsOf({ kind, depth, mode }: Node): readonly Facts['signal'][] {
  return kind !== 'loop' || depth === 0 || mode === 'unknown' ? [] : Object.values(modes[mode].signals);
}

export const EMPTY: Node = {
  kind: 'loop',
  event: 'STATE',
  age: 'fresh',
  depth: 0,
  ...NO_TOP,
  ...NO_BELOW,
};

/** No loop, and every state that cannot be one. A loop is begun by its command. */
export const starts = [
  { label: 'no loop', node: { ...EMPTY, kind: 'nothing' as const } },
  { label: 'a log too long to find the state in', node: { ...EMPTY, kind: 'lost' as const } },
  { label: 'a state that cannot be read', node: { ...EMPTY, kind: 'unreadable' as const } },
];

export function framesOf(node: Node): Frame[] {
  const below = {
    mode: node.belowMode,
    iter: node.belowIter,
    max: node.belowMax,
    carryOn: node.belowCarryOn,
  };
  const top = { mode: node.mode, iter: node.iter, max: node.max, carryOn: node.carryOn };
  if (node.depth === 0) return [];
  return node.depth === 1 ? [top] : [below, top];
}

export function stateOf(node: Node): State {
  if (node.kind !== 'loop') return { kind: node.kind };
  return { kind: 'loop', event: node.event, updatedAt: AGES[node.age], stack: framesOf(node) };
}

/** The node of a loop with these frames. */
export function loopWith(event: Loop['event'], age: Age, frames: readonly Frame[]): Node {
  const [first, second] = frames;
  if (first === undefined) return { ...EMPTY, event, age };
  if (second === undefined) return { ...EMPTY, event, age, depth: 1, ...first };
  const { mode, iter, max, carryOn } = first;
  const below = {
    belowMode: mode === 'unknown' ? mode : ('loop' as const),
    belowIter: iter,
    belowMax: max,
    belowCarryOn: carryOn,
  };
  return { kind: 'loop', event, age, depth: 2, ...second, ...below };
}

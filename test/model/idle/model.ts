// idle as the explorer walks it: a stop with every signal, the commands, the clock, edits by hand.

import type { Step } from '../../../src/engine/step.ts';
import { LazyFacts } from '../../../src/explorer/choices.ts';
import type { Broken, Edge, Model } from '../../../src/explorer/explorer.ts';
import { checker } from '../../../src/explorer/invariant.ts';
import type { modes } from '../../../src/workflows/idle/modes.ts';
import { changeStack, type RawFrame, readFrame } from '../../../src/workflows/idle/state-format.ts';
import type { Change, Frame, State } from '../../../src/workflows/idle/types.ts';
import {
  domains,
  editable,
  framesOf,
  type Given,
  loopWith,
  type Node,
  space,
  starts,
  stateOf,
} from './domains.ts';
import { type Context, invariants } from './invariants.ts';

export type Decide = (state: State, facts: Given) => Step<Change>;

export function idleModel(decide: Decide, checked = invariants, edited = editable): Model<Node> {
  const check = checker(checked);
  const lazy = new LazyFacts<Node, Given>(domains);
  return {
    name: 'idle',
    space,
    starts,
    editable: edited,
    expand(from, each) {
      const state = stateOf(from);
      lazy.each(from, (facts) => each(stop(decide(state, facts), from, facts, lazy, check)));
      for (const edge of commands(from)) each(edge);
    },
  };
}

function stop(
  step: Step<Change>,
  from: Node,
  facts: Given,
  lazy: LazyFacts<Node, Given>,
  check: (context: Context) => Broken | null,
): Edge<Node> {
  const to = after(from, step);
  const broken = check({ from, facts, step, to });
  return {
    by: 'stop',
    what: () => `${JSON.stringify(lazy.read())} ${aboutOf(step)}`,
    to,
    answer: step.kind === 'hold' ? 'hold' : step.kind === 'allow' ? 'allow' : null,
    about: aboutOf(step),
    combinations: lazy.combinations(),
    broken,
  };
}

/** How a step changes a node, by the function that also makes the real message. */
export function after(from: Node, step: Step<Change>): Node {
  const change = step.kind === 'hold' || step.kind === 'allow' ? step.change : null;
  if (change === null) return from;
  return loopWith(change.event, 'fresh', framesAfter(framesOf(from), change));
}

export function framesAfter(frames: readonly Frame[], change: Change): Frame[] {
  return changeStack(frames.map(rawOf), change).map(readFrame);
}

/** A frame as it is written. Corruption is something that is no count. */
export function rawOf({ mode, iter, max, carryOn }: Frame): RawFrame {
  const written = (count: Frame['iter']) => (count === 'corrupt' ? 'x' : count);
  return { mode, iter: written(iter), max: written(max), ...(carryOn ? { carry_on: true } : {}) };
}

export function aboutOf(step: Step<Change>): string {
  if (step.kind === 'hold')
    return step.message.slots.claim === 'refused' ? 'claim refused' : step.message.name;
  if (step.kind !== 'allow') return step.kind;
  return step.notice?.name ?? (step.change === null ? 'nothing said' : 'completed');
}

/** The commands as docs/contracts/idle.md has them, and two hours that pass. */
function commands(from: Node): Edge<Node>[] {
  const edges: Edge<Node>[] = [];
  const add = (what: string, to: Node, by: Edge<Node>['by'] = 'command'): void => {
    edges.push({ by, what: () => what, to, answer: null, about: what, combinations: 1, broken: null });
  };
  const frames = framesOf(from);
  const isRunning = from.kind === 'loop' && from.event === 'STATE' && from.depth > 0;
  const isStale = from.age === 'missing' || from.age === 'stale';
  const under = isRunning && !isStale ? frames : [];
  if (under.length < 2)
    for (const [mode, { max }] of Object.entries(NEW_FRAMES))
      add(`idle ${mode} --max ${max}`, loopWith('STATE', 'fresh', [...under, NEW_FRAMES[mode as Mode]]));
  if (isRunning) add('idle cancel', loopWith('ABORT', 'fresh', []));
  if (isRunning && frames.length > 1)
    add('idle cancel --top', loopWith('STATE', 'fresh', frames.slice(0, -1)));
  if (from.kind === 'loop' && frames.length > 0 && (from.event === 'DONE' || (isRunning && isStale)))
    add('idle resume', loopWith('STATE', 'fresh', frames));
  if (isRunning && !isStale) add('two hours pass', { ...from, age: 'stale' }, 'time');
  return edges;
}

type Mode = keyof typeof modes;

const NEW_FRAMES: Readonly<Record<Mode, Frame>> = {
  loop: { mode: 'loop', iter: 0, max: 2, carryOn: false },
  issue: { mode: 'issue', iter: 0, max: 2, carryOn: false },
  grind: { mode: 'grind', iter: 0, max: 2, carryOn: true },
};

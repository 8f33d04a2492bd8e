// claudex as the explorer walks it: a stop with every combination of facts, the commands, edits by hand.

import type { Step } from '../../../src/engine/step.ts';
import type { Change, Facts, State } from '../../../src/workflows/claudex/decide.ts';
import { LazyFacts } from '../explorer/choices.ts';
import type { Edge, Model } from '../explorer/explorer.ts';
import { checker } from '../explorer/invariant.ts';
import { domains, type Node, space, starts } from './domains.ts';
import { invariants } from './invariants.ts';

const check = checker(invariants);

export type Decide = (state: State, facts: Facts) => Step<Change>;

export function claudexModel(decide: Decide): Model<Node> {
  const lazy = new LazyFacts<Node, Facts>(domains);
  return {
    name: 'claudex',
    space,
    starts,
    editable: () => ['mode', 'phase', 'round', 'maxRounds', 'signal', 'waited'],
    expand(from, each) {
      lazy.each(from, (facts) => each(stop(decide, from, facts, lazy)));
      for (const command of commands(from)) each(command);
    },
  };
}

function stop(decide: Decide, from: Node, facts: Facts, lazy: LazyFacts<Node, Facts>): Edge<Node> {
  const step = decide(stateOf(from), facts);
  const to = after(from, step);
  const broken = check({ from, facts, step, to });
  return {
    by: 'stop',
    what: () => `${JSON.stringify(lazy.read())} ${aboutOf(step)}`,
    to,
    answer: step.kind === 'hold' ? 'hold' : 'allow',
    combinations: lazy.combinations(),
    broken,
  };
}

/** How a step changes a node; `commit.test.ts` compares it with the real commit. */
export function after(from: Node, step: Step<Change>): Node {
  const change = step.kind === 'hold' || step.kind === 'allow' ? step.change : null;
  if (change === null) return from;
  const { round = from.round, signal = from.signal, swap, waited } = change;
  const waits = round === from.round ? from.waited : 'no';
  return { ...from, round, signal, phase: swap?.to ?? from.phase, waited: waited ?? waits };
}

export function stateOf({ mode, phase, round, maxRounds, signal }: Node): State {
  return { mode, phase, round, maxRounds, signal };
}

export function aboutOf(step: Step<Change>): string {
  if (step.kind === 'hold') return step.message.name;
  return step.kind === 'allow' ? (step.notice?.name ?? 'nothing said') : step.kind;
}

/** `done` and `cancel`, as the contract has them. */
function commands(from: Node): Edge<Node>[] {
  const edges: Edge<Node>[] = [];
  const command = (what: string, changed: Partial<Node>): void => {
    const to = { ...from, ...changed };
    edges.push({ by: 'command', what: () => what, to, answer: null, combinations: 1, broken: null });
  };
  if (from.mode === 'plan' && from.phase === 'reviewing') command('claudex done', { signal: 'no-material-findings' });
  if (!['done', 'cancelled', 'errored'].includes(from.phase)) command('claudex cancel', { phase: 'cancelled' });
  return edges;
}

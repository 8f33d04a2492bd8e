// claudex as the explorer walks it: a stop with every combination of facts, the commands, edits by hand.

import type { Step } from '../../../src/engine/step.ts';
import { LazyFacts } from '../../../src/explorer/choices.ts';
import type { Broken, Edge, Model } from '../../../src/explorer/explorer.ts';
import { checker } from '../../../src/explorer/invariant.ts';
import type { Change, Facts, State } from '../../../src/workflows/claudex/types.ts';
import { domains, type Node, space, starts } from './domains.ts';
import { type Context, invariants } from './invariants.ts';

export type Decide = (state: State, facts: Facts) => Step<Change>;

export function claudexModel(decide: Decide, checked = invariants): Model<Node> {
  const check = checker(checked);
  const lazy = new LazyFacts<Node, Facts>(domains);
  return {
    name: 'claudex',
    space,
    starts,
    editable: () => ['mode', 'phase', 'round', 'maxRounds', 'signal', 'waited'],
    expand(from, each) {
      const state = stateOf(from);
      lazy.each(from, (facts) => each(stop(decide(state, facts), from, facts, lazy, check)));
      for (const command of commands(from)) each(command);
    },
  };
}

function stop(
  step: Step<Change>,
  from: Node,
  facts: Facts,
  lazy: LazyFacts<Node, Facts>,
  check: (context: Context) => Broken | null,
): Edge<Node> {
  const to = after(from, step);
  const broken = check({ from, facts, step, to });
  return {
    by: 'stop',
    what: () => `${JSON.stringify(lazy.read())} ${aboutOf(step)}`,
    to,
    answer: step.kind === 'hold' ? 'hold' : 'allow',
    about: aboutOf(step),
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

/** Claudex logs why it allows, also where nobody is told. */
export function aboutOf(step: Step<Change>): string {
  if (step.kind === 'hold') return step.message.name;
  if (step.kind !== 'allow') return step.kind;
  const log = step.change?.log;
  return log?.answer === 'allow' ? log.why : 'nothing said';
}

/** `done` and `cancel`, as docs/contracts/claudex.md has them. */
function commands(from: Node): Edge<Node>[] {
  const edges: Edge<Node>[] = [];
  const command = (what: string, changed: Partial<Node>): void => {
    const to = { ...from, ...changed };
    edges.push({
      by: 'command',
      what: () => what,
      to,
      answer: null,
      about: what,
      combinations: 1,
      broken: null,
    });
  };
  if (from.mode === 'plan' && from.phase === 'reviewing')
    command('claudex done', { signal: 'no-material-findings' });
  if (!['done', 'cancelled', 'errored'].includes(from.phase))
    command('claudex cancel', { phase: 'cancelled' });
  return edges;
}

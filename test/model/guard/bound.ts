// A workflow under the guard while nobody makes progress: neither the state nor an artifact is moved by
// anyone else, and the agent may do whatever it likes beside that. How many holds can it come to?

import { type GuardLimits, type Movement, weigh } from '../../../src/engine/guard/guard.ts';
import type { Step } from '../../../src/engine/step.ts';
import { type Arc, type Bound, longestHold } from '../../../src/explorer/bound.ts';
import { type Domains, LazyFacts } from '../../../src/explorer/choices.ts';
import { type GuardMemory, NO_GUARD_MEMORY } from '../../../src/store/records.ts';
import type { Weigh } from './model.ts';

export type Bounded<Node, State, Facts extends object, Change> = {
  starts: readonly Node[];
  domains: Domains<Node, Facts>;
  stateOf(node: Node): State;
  decide(state: State, facts: Facts): Step<Change>;
  after(node: Node, step: Step<Change>): Node;
  limits: GuardLimits;
  /** What the transcript shows between two stops. */
  tools: readonly Movement['tools'][];
  weigh?: Weigh;
};

type Guarded = { node: number; memory: number };
/** What a stop can come to in a node, whatever the guard then says. */
type Move = { hold: boolean; to: number; what: string };

export function holdsWithoutProgress<Node, State, Facts extends object, Change>(
  bounded: Bounded<Node, State, Facts, Change>,
): Bound<Guarded> {
  const { limits } = bounded;
  const weighing = bounded.weigh ?? weigh;
  const nodes = new Numbered<Node>();
  const memories = new Numbered<GuardMemory>();
  const moves = new Map<number, readonly Move[]>();
  const lazy = new LazyFacts<Node, Facts>(bounded.domains);
  const memory = memories.numberOf(NO_GUARD_MEMORY);
  const starts = bounded.starts.map((node) => ({ node: nodes.numberOf(node), memory }));
  return longestHold(starts, arcsOf, ({ node, memory }) => `${node}/${memory}`);

  function arcsOf(from: Guarded): Arc<Guarded>[] {
    return movesIn(from.node).flatMap(({ hold, to, what }) =>
      hold ? holdUnderGuard(from, to, what) : [{ to: { ...from, node: to }, what, hold }],
    );
  }

  function holdUnderGuard(from: Guarded, to: number, what: string): Arc<Guarded>[] {
    const before = memories.at(from.memory);
    // Before the first hold there is nothing to compare with.
    return (before.held ? bounded.tools : (['no'] as const)).map((tools) => {
      const weighed = weighing(before, { state: false, artifacts: false, tools }, limits);
      const hold = weighed.kind === 'hold';
      const memory = memories.numberOf(uncounted(weighed.memory));
      return { to: { node: hold ? to : from.node, memory }, what: `${what}, tools ${tools}`, hold };
    });
  }

  /** Where tool calls alone are not bounded, their count decides nothing: it would only make the graph endless. */
  function uncounted(memory: GuardMemory): GuardMemory {
    return limits.tools === null ? { ...memory, noProgress: 0 } : memory;
  }

  function movesIn(number: number): readonly Move[] {
    const known = moves.get(number);
    if (known !== undefined) return known;
    const node = nodes.at(number);
    const state = bounded.stateOf(node);
    const found = new Map<string, Move>();
    lazy.each(node, (facts) => {
      const step = bounded.decide(state, facts);
      if (step.kind !== 'hold' && step.kind !== 'allow') return;
      const hold = step.kind === 'hold';
      const to = nodes.numberOf(bounded.after(node, step));
      const key = `${step.kind} ${to}`;
      if (!found.has(key)) found.set(key, { hold, to, what: `${JSON.stringify(node)} ${step.kind}` });
    });
    const list = [...found.values()];
    moves.set(number, list);
    return list;
  }
}

/** Gives each different value a number. */
class Numbered<Value> {
  readonly #values: Value[] = [];
  readonly #numbers = new Map<string, number>();

  numberOf(value: Value): number {
    const key = JSON.stringify(value);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.#values.length);
    return this.#values.push(value) - 1;
  }

  at(number: number): Value {
    return this.#values[number] as Value;
  }
}

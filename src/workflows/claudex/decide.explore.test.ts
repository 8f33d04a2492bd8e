// Every state and every fact there can be, one after the other; and every way through a loop.

import { describe, expect, it } from 'vitest';
import type { Step } from '../../engine/step.ts';
import { type Change, decide, type Facts, type State } from './decide.ts';

describe('every state and fact', () => {
  it('is answered, holds only live loops, and changes the state only by the table', {
    tags: ['C3.1', 'C3.9'],
    timeout: 60_000,
  }, () => {
    const wrong: string[] = [];
    let decisions = 0;
    for (const now of allStates())
      for (const seen of allFacts(now.round)) {
        decisions++;
        const problem = whatIsWrong(now, decide(now, seen));
        if (problem !== null) wrong.push(`${problem}: ${JSON.stringify({ now, seen })}`);
      }
    expect(wrong.slice(0, 3)).toEqual([]);
    expect(decisions).toBeGreaterThan(500_000);
  });

  it('ends every loop: from a draft on, each hold moves it forward, and a bounded number of holds remain', {
    tags: ['C3.9'],
  }, () => {
    for (const maxRounds of [1, 2, 3, 5]) {
      const reached = explore({ mode: 'plan', phase: 'drafting', round: 1, maxRounds, signal: 'none' });
      expect(reached.stuck).toEqual([]);
      // A round's hold and its hold to wait, then the summary.
      expect(reached.mostHolds).toBe(2 * maxRounds + 1);
    }
    const review = explore({ mode: 'review', phase: 'reviewing', round: 1, maxRounds: 3, signal: 'none' });
    expect(review.stuck).toEqual([]);
    expect(review.mostHolds).toBe(1);
  });
});

function changeOf(step: Step<Change>): Change | null {
  return step.kind === 'hold' || step.kind === 'allow' ? step.change : null;
}

function* allStates(): Generator<State> {
  const phases = ['drafting', 'reviewing', 'summarizing', 'done', 'cancelled', 'errored', 'unknown'] as const;
  for (const mode of ['plan', 'review', 'unknown'] as const)
    for (const phase of phases)
      for (const round of [1, 2, 3, 4])
        for (const maxRounds of [1, 2, 3])
          for (const signal of ['none', 'no-material-findings', 'max-reached'] as const)
            yield { mode, phase, round, maxRounds, signal };
}

function* allFacts(round: number): Generator<Facts> {
  for (const id of ['valid', 'malformed'] as const)
    for (const cwd of ['inside', 'elsewhere'] as const)
      for (const plan of ['missing', 'empty', 'unchanged', 'drafted', 'unread'] as const)
        for (const runner of ['idle', 'running', 'in-background'] as const)
          for (const waited of ['no', 'held', 'told'] as const)
            for (const lastReviewed of new Set([0, round - 1, round]))
              for (const reviewFiles of ['written', 'missing', 'unread'] as const)
                for (const unwarned of [[], ['CLAUDEX_STATE_DIR']])
                  yield { id, cwd, plan, runner, waited, lastReviewed, reviewFiles, unwarned };
}

const MOVES = [
  'plan drafting reviewing',
  'plan reviewing summarizing',
  'plan summarizing done',
  'review reviewing done',
];

function whatIsWrong(now: State, step: Step<Change>): string | null {
  if (step.kind !== 'hold' && step.kind !== 'allow') return 'no answer';
  const { change } = step;
  if (change === null) return 'nothing for the log';
  const held = step.kind === 'hold';
  const live = now.phase === 'drafting' || now.phase === 'reviewing';
  if (held && !live) return 'holds a loop that is not live';
  if (change.swap && change.swap.from !== now.phase) return 'swaps from another phase';
  if (change.swap && !MOVES.includes(`${now.mode} ${change.swap.from} ${change.swap.to}`))
    return 'a new move';
  if (change.round !== undefined && change.round !== now.round + 1) return 'skips a round';
  if (change.round !== undefined && change.round > now.maxRounds) return 'goes past the last round';
  if (change.runner && !held) return 'writes a runner that nobody is told to run';
  if (change.cleanUp && change.runner) return 'writes and removes the runner';
  return null;
}

/** All states an agent can reach, whatever it and its runner do; and the most holds on any way without `draft`. */
function explore(start: State): { mostHolds: number; stuck: State[] } {
  const most = new Map<string, number>();
  const stuck: State[] = [];
  type Node = { now: State; waited: Facts['waited'] };

  function holdsFrom(node: Node): number {
    const key = JSON.stringify(node);
    const known = most.get(key);
    if (known !== undefined) return known;
    most.set(key, Number.POSITIVE_INFINITY); // A way back to here would be a loop without end.
    let best = 0;
    let canEnd = false;
    for (const seen of reachableFacts(node)) {
      const signals =
        node.now.phase === 'reviewing' ? (['none', 'no-material-findings'] as const) : (['none'] as const);
      for (const signal of signals) {
        const now = { ...node.now, signal };
        const step = decide(now, seen);
        if (step.kind === 'allow' && now.phase === 'done') canEnd = true;
        const next = apply({ ...node, now }, step);
        const isHold = step.kind === 'hold' && step.message.name !== 'draft';
        if (next === null) continue;
        canEnd = true;
        best = Math.max(best, (isHold ? 1 : 0) + holdsFrom(next));
      }
    }
    if (!canEnd) stuck.push(node.now);
    most.set(key, best);
    return best;
  }

  return { mostHolds: holdsFrom({ now: start, waited: 'no' }), stuck };
}

function* reachableFacts({ now, waited }: { now: State; waited: Facts['waited'] }): Generator<Facts> {
  for (const seen of allFacts(now.round))
    if (seen.id === 'valid' && seen.cwd === 'inside' && seen.waited === waited && seen.unwarned.length === 0)
      yield seen;
}

/** Null: the state stays as it is. */
function apply(node: { now: State; waited: Facts['waited'] }, step: Step<Change>) {
  const change = changeOf(step);
  if (change === null) return null;
  const now: State = {
    ...node.now,
    signal: change.signal ?? 'none',
    phase: change.swap?.to ?? node.now.phase,
    round: change.round ?? node.now.round,
  };
  const waited = now.round === node.now.round ? (change.waited ?? node.waited) : 'no';
  const moved = now.phase !== node.now.phase || now.round !== node.now.round || waited !== node.waited;
  return moved ? { now, waited } : null;
}

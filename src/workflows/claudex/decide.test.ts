import { describe, expect, it } from 'vitest';
import type { Step } from '../../engine/step.ts';
import { type Change, decide, type Facts, type State } from './decide.ts';

const state = (over: Partial<State> = {}): State => ({
  mode: 'plan',
  phase: 'reviewing',
  round: 1,
  maxRounds: 3,
  signal: 'none',
  ...over,
});

const facts = (over: Partial<Facts> = {}): Facts => ({
  id: 'valid',
  cwd: 'inside',
  plan: 'unread',
  runner: 'idle',
  waited: 'no',
  lastReviewed: 1,
  reviewFiles: 'unread',
  unwarned: [],
  ...over,
});

describe('plan mode, row by row', () => {
  it.each(['missing', 'empty', 'unchanged'] as const)(
    'drafting, PLAN.md %s: hold and ask for the draft',
    (plan) => {
      const step = decide(state({ phase: 'drafting' }), facts({ plan }));
      expect(step).toMatchObject({ kind: 'hold', message: { name: 'draft', slots: { plan } } });
      expect(changeOf(step)).not.toHaveProperty('swap');
    },
  );

  it('drafting, PLAN.md there: swap to reviewing, write the runner of round 1, hold', () => {
    const step = decide(state({ phase: 'drafting' }), facts({ plan: 'drafted', lastReviewed: 0 }));
    expect(step).toMatchObject({ kind: 'hold', message: { name: 'round', slots: { round: 1, max: 3 } } });
    expect(changeOf(step)).toMatchObject({
      swap: { from: 'drafting', to: 'reviewing' },
      runner: { round: 1, owedFrom: 1 },
    });
  });

  it('reviewing with no-material-findings: swap to summarizing, hold with the summary', () => {
    const step = decide(state({ signal: 'no-material-findings' }), facts({ runner: 'running' }));
    expect(step).toMatchObject({ kind: 'hold', message: { name: 'complete' } });
    expect(changeOf(step)?.swap).toEqual({ from: 'reviewing', to: 'summarizing' });
  });

  it('reviewing, the runner among the background tasks: allow quietly, spend nothing', () => {
    const step = decide(state(), facts({ runner: 'in-background' }));
    expect(step).toMatchObject({ kind: 'allow', quiet: true, notice: null });
    expect(Object.keys(changeOf(step) ?? {})).toEqual(['log']);
  });

  it('reviewing, the runner running otherwise: hold once with wait', () => {
    const step = decide(state(), facts({ runner: 'running' }));
    expect(step).toMatchObject({ kind: 'hold', message: { name: 'wait', slots: { round: 1 } } });
    expect(changeOf(step)).toMatchObject({ waited: 'held' });
    expect(changeOf(step)).not.toHaveProperty('round');
  });

  it('reviewing, the runner still running after that: allow, with a notice the first time', () => {
    const first = decide(state(), facts({ runner: 'running', waited: 'held' }));
    expect(first).toMatchObject({
      kind: 'allow',
      notice: { name: 'still-running' },
      change: { waited: 'told' },
    });
    const second = decide(state(), facts({ runner: 'running', waited: 'told' }));
    expect(second).toMatchObject({ kind: 'allow', notice: null });
    expect(second).not.toHaveProperty('over');
  });

  it('reviewing past max_rounds: signal max-reached, swap to summarizing, hold', () => {
    const step = decide(state({ round: 3 }), facts({ lastReviewed: 3 }));
    expect(step).toMatchObject({ kind: 'hold', message: { name: 'stopped' } });
    expect(changeOf(step)).toMatchObject({
      signal: 'max-reached',
      swap: { from: 'reviewing', to: 'summarizing' },
    });
    expect(changeOf(step)).not.toHaveProperty('round');
  });

  it('reviewing otherwise: the next round, its runner, hold', () => {
    const step = decide(state({ round: 1 }), facts({ lastReviewed: 1 }));
    expect(step).toMatchObject({ kind: 'hold', message: { name: 'round', slots: { round: 2, max: 3 } } });
    expect(changeOf(step)).toMatchObject({ round: 2, runner: { round: 2, owedFrom: 2 } });
  });

  it('carries the questions of rounds that nobody reviewed', () => {
    const step = decide(state({ round: 2 }), facts({ lastReviewed: 0 }));
    expect(changeOf(step)?.runner).toEqual({ round: 3, owedFrom: 1 });
  });

  it('summarizing: swap to done, clean up, allow; the session may forget it', () => {
    const step = decide(state({ phase: 'summarizing' }), facts());
    expect(step).toMatchObject({ kind: 'allow', over: true });
    expect(changeOf(step)).toMatchObject({ swap: { from: 'summarizing', to: 'done' }, cleanUp: true });
  });

  it('done: clean up leftovers, allow', () => {
    const step = decide(state({ phase: 'done' }), facts());
    expect(step).toMatchObject({ kind: 'allow', over: true, change: { cleanUp: true } });
  });

  it.each(['cancelled', 'errored'] as const)('%s: allow', (phase) => {
    expect(decide(state({ phase }), facts())).toMatchObject({ kind: 'allow', over: true, notice: null });
  });

  it('an unknown phase: allow, and say so in the log', () => {
    const step = decide(state({ phase: 'unknown' }), facts());
    expect(step).toMatchObject({ kind: 'allow', change: { log: { why: 'unknown-phase' } } });
    expect(step).not.toHaveProperty('over');
  });
});

describe('review mode, row by row', () => {
  it('reviewing: write the runner, swap to done, hold', () => {
    const step = decide(state({ mode: 'review' }), facts({ reviewFiles: 'missing' }));
    expect(step).toMatchObject({ kind: 'hold', message: { name: 'review' } });
    expect(changeOf(step)).toMatchObject({
      swap: { from: 'reviewing', to: 'done' },
      runner: { round: 1, owedFrom: 1 },
    });
  });

  it('done, files there: clean up, allow', () => {
    const step = decide(state({ mode: 'review', phase: 'done' }), facts({ reviewFiles: 'written' }));
    expect(step).toMatchObject({ kind: 'allow', over: true, notice: null, change: { cleanUp: true } });
  });

  it('done, files missing: say so, clean up, allow', () => {
    const step = decide(state({ mode: 'review', phase: 'done' }), facts({ reviewFiles: 'missing' }));
    expect(step).toMatchObject({
      kind: 'allow',
      over: true,
      notice: { name: 'review-missing' },
      change: { cleanUp: true },
    });
  });

  it('done, the runner still running: allow without cleaning up', () => {
    const step = decide(
      state({ mode: 'review', phase: 'done' }),
      facts({ runner: 'running', reviewFiles: 'missing' }),
    );
    expect(step).toMatchObject({ kind: 'allow', notice: { name: 'review-running' } });
    expect(changeOf(step)).not.toHaveProperty('cleanUp');
    const again = decide(
      state({ mode: 'review', phase: 'done' }),
      facts({ runner: 'running', waited: 'told' }),
    );
    expect(again).toMatchObject({ kind: 'allow', notice: null });
  });

  it('done, the runner in the background: allow quietly without cleaning up', () => {
    const step = decide(state({ mode: 'review', phase: 'done' }), facts({ runner: 'in-background' }));
    expect(step).toMatchObject({ kind: 'allow', quiet: true });
    expect(changeOf(step)).not.toHaveProperty('cleanUp');
  });

  it.each(['drafting', 'summarizing', 'unknown'] as const)('%s, which it does not know: allow', (phase) => {
    expect(decide(state({ mode: 'review', phase }), facts())).toMatchObject({ kind: 'allow' });
  });
});

describe('before any mode', () => {
  it('a malformed id: the file is set aside, allow', () => {
    const step = decide(state(), facts({ id: 'malformed' }));
    expect(step).toMatchObject({ kind: 'allow', over: true, change: { setAside: true } });
  });

  it('a folder outside of repo_root: allow, with a log line and nothing else', () => {
    const step = decide(state(), facts({ cwd: 'elsewhere' }));
    expect(step).toMatchObject({ kind: 'allow', notice: null, change: { log: { why: 'elsewhere' } } });
  });

  it('an unknown mode: allow', () => {
    expect(decide(state({ mode: 'unknown' }), facts())).toMatchObject({ kind: 'allow' });
  });

  it('garbage in a variable is told at a stop with no other notice, and remembered', () => {
    const step = decide(state(), facts({ unwarned: ['CLAUDEX_STALE_MINUTES'] }));
    expect(step).toMatchObject({
      kind: 'hold',
      notice: { name: 'variables', slots: { names: 'CLAUDEX_STALE_MINUTES' } },
      change: { warned: ['CLAUDEX_STALE_MINUTES'] },
    });
    const quiet = decide(state(), facts({ runner: 'in-background', unwarned: ['CLAUDEX_STALE_MINUTES'] }));
    expect(quiet).toMatchObject({ notice: null });
  });
});

describe('every state and fact', () => {
  it('is answered, holds only live loops, and changes the state only by the table', () => {
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
  }, 60_000);

  it('ends every loop: from a draft on, each hold moves it forward, and a bounded number of holds remain', () => {
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
        if (step.kind === 'allow' && step.over) canEnd = true;
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

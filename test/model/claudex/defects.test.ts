// Each of these is claudex with one defect planted. The explorer has to name the invariant it breaks.

import { describe, expect, it } from 'vitest';
import type { Step } from '../../../src/engine/step.ts';
import { only } from '../../../src/explorer/invariant.ts';
import { decide } from '../../../src/workflows/claudex/decide.ts';
import type { Change, Facts, State } from '../../../src/workflows/claudex/types.ts';
import { foundBy, walkNotices } from '../defect.ts';
import { claudexWalk, walkClaudex } from '../walker/claudex.ts';
import { invariants } from './invariants.ts';
import { claudexModel, type Decide } from './model.ts';

type Answer = Extract<Step<Change>, { kind: 'hold' | 'allow' }>;

/** What comes in is changed before the real decision sees it. */
const seeing =
  (change: (state: State, facts: Facts) => { state?: Partial<State>; facts?: Partial<Facts> }): Decide =>
  (state, facts) => {
    const seen = change(state, facts);
    const given = seen.facts === undefined ? facts : overlay(facts, seen.facts);
    return decide({ ...state, ...seen.state }, given);
  };

/** What goes out is changed after the real decision was made. */
const answering =
  (change: (step: Answer, state: State, facts: Facts) => Step<Change>): Decide =>
  (state, facts) => {
    const step = decide(state, facts);
    return step.kind === 'hold' || step.kind === 'allow' ? change(step, state, facts) : step;
  };

/** Facts are chosen as they are read, so a copy would read them all. */
function overlay(facts: Facts, changed: Partial<Facts>): Facts {
  return new Proxy(facts, {
    get: (target, name) => Reflect.get(Object.hasOwn(changed, name) ? changed : target, name),
  });
}

const withChange = (step: Answer, change: Partial<Change>): Step<Change> =>
  step.change === null ? step : { ...step, change: { ...step.change, ...change } };

/** As if that part of the change had been forgotten. */
function without(step: Answer, name: Exclude<keyof Change, 'log'>): Step<Change> {
  if (step.change === null) return step;
  const { [name]: _, ...rest } = step.change;
  return { ...step, change: rest };
}

const HOLD: Step<Change> = {
  kind: 'hold',
  change: null,
  message: { name: 'draft', slots: {} },
  notice: null,
};

const defects: Readonly<Record<string, [Decide, string]>> = {
  'a stop is not logged': [
    answering((step, { phase }) => (phase === 'errored' ? { ...step, change: null } : step)),
    'every stop is answered at once, and has its line in the log',
  ],
  'a hold is logged as an allowed stop': [
    answering((step) =>
      step.kind === 'hold' ? withChange(step, { log: { answer: 'allow', why: 'finished' } }) : step,
    ),
    'every stop is answered at once, and has its line in the log',
  ],
  'a review that is over gets a summary, too': [
    answering((step, { mode }) =>
      mode === 'review' && step.change?.swap !== undefined
        ? withChange(step, { swap: { from: 'reviewing', to: 'summarizing' } })
        : step,
    ),
    'a loop goes only the way of its mode',
  ],
  'a runner is written that nobody is told to run': [
    answering((step, { phase, round }) =>
      phase === 'summarizing' ? withChange(step, { runner: { round, owedFrom: 1 } }) : step,
    ),
    'a runner is written for an agent that is told to run it, and not removed at once',
  ],
  'a runner is removed as soon as it is written': [
    answering((step) => (step.change?.runner === undefined ? step : withChange(step, { cleanUp: true }))),
    'a runner is written for an agent that is told to run it, and not removed at once',
  ],
  'a finished loop holds': [
    answering((step, { phase }) => (phase === 'done' ? HOLD : step)),
    'a hold needs a live run',
  ],
  'a loop of another folder holds': [seeing(() => ({ facts: { cwd: 'inside' } })), 'a hold needs a live run'],
  'a cancelled loop goes on': [
    answering((step, { phase }) =>
      phase === 'cancelled' ? withChange(step, { swap: { from: 'cancelled', to: 'reviewing' } }) : step,
    ),
    'a finished loop stays finished',
  ],
  'a summary leads back to reviewing': [
    answering((step, { phase }) =>
      phase === 'summarizing' ? withChange(step, { swap: { from: 'summarizing', to: 'reviewing' } }) : step,
    ),
    'a phase only goes forward',
  ],
  'a swap expects the wrong phase': [
    answering((step) =>
      step.change?.swap === undefined
        ? step
        : withChange(step, { swap: { ...step.change.swap, from: 'done' } }),
    ),
    'every swap starts from the phase the loop is in',
  ],
  'one round too many is reviewed': [
    seeing(({ maxRounds }) => ({ state: { maxRounds: maxRounds + 1 } })),
    'the round never goes above its limit',
  ],
  'a round is skipped': [
    answering((step, { round, maxRounds }) =>
      step.change?.round === undefined || round + 2 > maxRounds
        ? step
        : withChange(step, { round: round + 2, runner: { round: round + 2, owedFrom: 1 } }),
    ),
    'the round goes up one by one',
  ],
  'the rounds start over': [
    answering((step, { round }) =>
      step.change?.signal === 'max-reached' && round > 1
        ? { ...step, change: { log: step.change.log, round: round - 1 } }
        : step,
    ),
    'what the hook changes brings the end nearer',
  ],
  'a round does not count': [
    answering((step) => without(step, 'round')),
    'a hold that changes nothing is one to draft or, once a round, to wait',
  ],
  'the agent is told to wait again and again': [
    seeing(() => ({ facts: { waited: 'no' } })),
    'a hold that changes nothing is one to draft or, once a round, to wait',
  ],
  'a round is spent while its review runs': [
    seeing((_, facts) => ({ facts: facts.runner === 'running' ? { runner: 'idle' } : {} })),
    'no round is spent while its review runs',
  ],
  'an old PLAN.md is taken for the new draft': [
    seeing((_, facts) => ({ facts: facts.plan === 'unchanged' ? { plan: 'drafted' } : {} })),
    'the draft is reviewed only when there is one',
  ],
  'a loop is declared complete although nobody said so': [
    seeing(({ phase }) => ({ state: phase === 'reviewing' ? { signal: 'no-material-findings' } : {} })),
    'only the agent says that nothing material was found',
  ],
  'the limit is taken for a good end': [
    answering((step) =>
      step.change?.signal === undefined ? step : withChange(step, { signal: 'no-material-findings' }),
    ),
    'only the agent says that nothing material was found',
  ],
  'a loop is stopped a round early': [
    seeing(({ phase, round, maxRounds }) => ({
      state: phase === 'reviewing' && maxRounds > round ? { maxRounds: maxRounds - 1 } : {},
    })),
    'a loop is stopped only at its limit, and says so',
  ],
  'no summary is given': [
    answering((step) =>
      step.change?.swap?.to === 'summarizing'
        ? withChange(step, { swap: { from: 'reviewing', to: 'done' } })
        : step,
    ),
    'a summary follows every plan loop that ran to its end',
  ],
  'the questions of a round nobody reviewed are forgotten': [
    answering((step) =>
      step.change?.runner === undefined
        ? step
        : withChange(step, { runner: { ...step.change.runner, owedFrom: step.change.runner.round } }),
    ),
    "the questions of rounds nobody reviewed go into the next round's prompt",
  ],
  "the last round's runner is written again": [
    answering((step) =>
      step.change?.round === undefined || step.change.runner === undefined
        ? step
        : withChange(step, { runner: { ...step.change.runner, round: step.change.round - 1 } }),
    ),
    "a runner is of the round the agent is told about, and the loop's",
  ],
  'every running review silences the stop': [
    seeing((_, facts) => ({ facts: facts.runner === 'running' ? { runner: 'in-background' } : {} })),
    'a quiet allow is for a runner in the background alone',
  ],
  'a review without its files counts as there': [
    seeing(() => ({ facts: { reviewFiles: 'written' } })),
    'a review counts as there only when its files are',
  ],
  'the runner of a running review is removed': [
    seeing(({ mode }) => ({ facts: mode === 'review' ? { runner: 'idle' } : {} })),
    'nothing is cleaned up under a running review',
  ],
  'a loop is forgotten because its stop came from elsewhere': [
    answering((step, _, { cwd }) =>
      step.kind === 'allow' && cwd === 'elsewhere' ? { ...step, over: 'completed' as const } : step,
    ),
    'what is said to be over never holds again',
  ],
  'a state file that is no loop’s is set aside without an outcome': [
    answering((step) => {
      if (step.kind !== 'allow') return step;
      const { over: _, ...rest } = step;
      return rest;
    }),
    'a step that ends a run says how it ended',
  ],
};

describe('a planted defect of claudex', () => {
  it.each(Object.entries(defects))('is found by the explorer: %s', (_, [defective, invariant]) => {
    expect(foundBy(claudexModel(defective, only(invariants, invariant)))).toBe(invariant);
  });

  it('is there for every invariant, so that each is known to be able to fail', () => {
    expect(new Set(Object.values(defects).map(([, invariant]) => invariant))).toEqual(
      new Set(Object.keys(invariants)),
    );
  });

  it('is found by the walker: a state file under a wrong name stays where it is', () => {
    const defective = answering((step) => without(step, 'setAside'));
    expect(walkNotices(claudexWalk, (walk) => walkClaudex(defective, walk))).toBe(true);
  });

  it('is found by the walker: the leftovers of a finished loop are never removed', () => {
    const defective = answering((step) => without(step, 'cleanUp'));
    expect(walkNotices(claudexWalk, (walk) => walkClaudex(defective, walk))).toBe(true);
  });
});

// What happens at a stop, row by row of the tables in docs/contracts/claudex.md. Pure: everything it depends on
// comes in, and what it wants done goes out as data.

import type { Message, Step } from '../../engine/step.ts';
import type { Change, Facts, State, Why } from './types.ts';

export function decide(state: State, facts: Facts): Step<Change> {
  return warn(decideUnwarned(state, facts), facts.unwarned);
}

function decideUnwarned(state: State, facts: Facts): Answer {
  // Nothing will be held again: the session may forget it. A finished loop is kept until the next one starts, so that
  // the log goes on saying why a stop was allowed.
  if (facts.id === 'malformed') return { ...allow('malformed-id', { setAside: true }), over: 'cancelled' };
  if (facts.cwd === 'elsewhere') return allow('elsewhere');
  switch (state.mode) {
    case 'plan':
      return planMode(state, facts);
    case 'review':
      return reviewMode(state, facts);
    case 'unknown':
      return allow('unknown-mode');
  }
}

function planMode(state: State, facts: Facts): Answer {
  const { round, maxRounds } = state;
  switch (state.phase) {
    case 'drafting':
      if (facts.plan !== 'drafted') return hold({ name: 'draft', slots: { plan: facts.plan } });
      return hold(
        { name: 'round', slots: { round, max: maxRounds } },
        { swap: { from: 'drafting', to: 'reviewing' }, runner: { round, owedFrom: round } },
      );
    case 'reviewing':
      return reviewing(state, facts);
    case 'summarizing':
      return allow('summary-given', { swap: { from: 'summarizing', to: 'done' }, cleanUp: true });
    case 'done':
      return allow('finished', { cleanUp: true });
    case 'cancelled':
    case 'errored':
      return allow(state.phase);
    case 'unknown':
      return allow('unknown-phase');
  }
}

function reviewing({ round, maxRounds, signal }: State, facts: Facts): Answer {
  const summarize = { from: 'reviewing', to: 'summarizing' } as const;
  if (signal === 'no-material-findings')
    return hold({ name: 'complete', slots: { round, max: maxRounds } }, { swap: summarize });
  if (facts.runner !== 'idle') return whileRunning(round, facts);
  if (round + 1 > maxRounds)
    return hold(
      { name: 'stopped', slots: { round, max: maxRounds } },
      { swap: summarize, signal: 'max-reached' },
    );
  return hold(
    { name: 'round', slots: { round: round + 1, max: maxRounds } },
    { round: round + 1, runner: { round: round + 1, owedFrom: facts.lastReviewed + 1 } },
  );
}

/** No round is spent while one is being reviewed. A client that runs it in the background wakes the agent itself. */
function whileRunning(round: number, facts: Facts): Answer {
  if (facts.runner === 'in-background') return { ...allow('runner-in-background'), quiet: true };
  if (facts.waited === 'no') return hold({ name: 'wait', slots: { round } }, { waited: 'held' });
  if (facts.waited === 'notified') return allow('runner-running');
  return allow('runner-running', { waited: 'notified' }, { name: 'still-running', slots: { round } });
}

function reviewMode(state: State, facts: Facts): Answer {
  switch (state.phase) {
    case 'reviewing':
      return hold(
        { name: 'review', slots: {} },
        { swap: { from: 'reviewing', to: 'done' }, runner: { round: state.round, owedFrom: state.round } },
      );
    case 'done':
      return reviewEnded(facts);
    case 'cancelled':
    case 'errored':
      return allow(state.phase);
    case 'drafting':
    case 'summarizing':
    case 'unknown':
      return allow('unknown-phase');
  }
}

function reviewEnded(facts: Facts): Answer {
  if (facts.runner === 'in-background') return { ...allow('runner-in-background'), quiet: true };
  if (facts.runner === 'running') {
    if (facts.waited === 'notified') return allow('runner-running');
    return allow('runner-running', { waited: 'notified' }, { name: 'review-running', slots: {} });
  }
  switch (facts.reviewFiles) {
    case 'written':
      return allow('review-finished', { cleanUp: true });
    case 'missing':
      return allow('review-missing', { cleanUp: true }, { name: 'review-missing', slots: {} });
    case 'unread':
      return allow('finished', { cleanUp: true });
  }
}

type Answer = Extract<Step<Change>, { kind: 'hold' | 'allow' }>;
type Rest = Omit<Change, 'log'>;

function hold(message: Message, change: Rest = {}): Answer {
  return { kind: 'hold', message, notice: null, change: { log: { answer: 'hold', message }, ...change } };
}

function allow(why: Why, change: Rest = {}, notice: Message | null = null): Answer & { kind: 'allow' } {
  return { kind: 'allow', notice, change: { log: { answer: 'allow', why }, ...change } };
}

/** Garbage in a variable is reported once per loop, at a stop that has no other notice to give. */
function warn(step: Answer, names: readonly string[]): Answer {
  const isQuiet = step.kind === 'allow' && step.quiet === true;
  if (names.length === 0 || step.notice !== null || step.change === null || isQuiet) return step;
  const notice = { name: 'variables', slots: { names: names.join(' ') } };
  return { ...step, notice, change: { ...step.change, warned: names } };
}

// What must hold at every stop of a claudex loop, whoever brought it into its state.

import type { Step } from '../../../src/engine/step.ts';
import { type Invariants, unless } from '../../../src/explorer/invariant.ts';
import type { Change, Facts } from '../../../src/workflows/claudex/types.ts';
import type { Node } from './domains.ts';

export type Context = { from: Node; facts: Facts; step: Step<Change>; to: Node };

const ORDER: readonly Node['phase'][] = ['drafting', 'reviewing', 'summarizing', 'done'];
const TERMINAL: readonly Node['phase'][] = ['done', 'cancelled', 'errored', 'unknown'];

/** Every change of phase there is. */
const MOVES = [
  'plan: drafting to reviewing',
  'plan: reviewing to summarizing',
  'plan: summarizing to done',
  'review: reviewing to done',
];

export const invariants: Invariants<Context> = {
  'every stop is answered at once, and has its line in the log': ({ step }) => {
    if (step.kind !== 'hold' && step.kind !== 'allow') return `answered with ${step.kind}`;
    return unless(step.change?.log.answer === step.kind, 'nothing for the log, or the wrong thing');
  },
  'a loop goes only the way of its mode': ({ from, to }) => {
    const move = `${from.mode}: ${from.phase} to ${to.phase}`;
    return unless(from.phase === to.phase || MOVES.includes(move), move);
  },
  'a runner is written for an agent that is told to run it, and not removed at once': ({ step }) => {
    const change = changeOf(step);
    if (change?.runner === undefined) return null;
    return unless(step.kind === 'hold' && change.cleanUp === undefined, `written with ${step.kind}`);
  },
  'a hold needs a live run': ({ from, facts, step }) => {
    if (step.kind !== 'hold') return null;
    const live =
      from.mode === 'plan' ? ['drafting', 'reviewing'] : from.mode === 'review' ? ['reviewing'] : [];
    if (!live.includes(from.phase)) return `held in mode ${from.mode}, phase ${from.phase}`;
    return unless(
      facts.id === 'valid' && facts.cwd === 'inside',
      'held for a file or folder that is not ours',
    );
  },
  'a finished loop stays finished': ({ from, to }) =>
    unless(!TERMINAL.includes(from.phase) || sameState(from, to), `${from.phase} became ${to.phase}`),
  'a phase only goes forward': ({ from, to }) =>
    unless(from.phase === to.phase || rank(to) > rank(from), `${from.phase} became ${to.phase}`),
  'every swap starts from the phase the loop is in': ({ from, step }) =>
    unless(changeOf(step)?.swap === undefined || changeOf(step)?.swap?.from === from.phase, 'stale swap'),
  'the round never goes above its limit': ({ from, to }) =>
    unless(to.round === from.round || to.round <= to.maxRounds, `round ${to.round} of ${to.maxRounds}`),
  'the round goes up one by one': ({ from, to }) =>
    unless(to.round === from.round || to.round === from.round + 1, `from ${from.round} to ${to.round}`),
  'what the hook changes brings the end nearer': ({ from, to }) =>
    unless(sameState(from, to) || measure(to) < measure(from), `${measure(from)} to ${measure(to)}`),
  'a hold that changes nothing is one to draft or, once a round, to wait': ({ from, step, to }) => {
    if (step.kind !== 'hold' || !sameState(from, to)) return null;
    if (step.message.name === 'wait')
      return unless(from.waited === 'no' && to.waited === 'held', 'told twice');
    return unless(step.message.name === 'draft', `held by ${step.message.name}`);
  },
  'no round is spent while its review runs': ({ from, facts, to }) => {
    if (from.mode !== 'plan' || from.phase !== 'reviewing' || from.signal === 'no-material-findings')
      return null;
    return unless(facts.runner === 'idle' || sameState(from, to), `while it was ${facts.runner}`);
  },
  'the draft is reviewed only when there is one': ({ from, facts, to }) => {
    if (from.phase !== 'drafting' || to.phase === 'drafting') return null;
    return unless(facts.plan === 'drafted', `PLAN.md was ${facts.plan}`);
  },
  'only the agent says that nothing material was found': ({ from, step, to }) => {
    if (to.signal === 'no-material-findings' && from.signal !== to.signal) return 'the hook set the signal';
    if (step.kind !== 'hold' || step.message.name !== 'complete') return null;
    return unless(from.signal === 'no-material-findings', 'declared complete without the signal');
  },
  'a loop is stopped only at its limit, and says so': ({ from, step, to }) => {
    const stopped = step.kind === 'hold' && step.message.name === 'stopped';
    if (
      stopped !== (to.signal === 'max-reached' && to.phase === 'summarizing' && from.phase === 'reviewing')
    ) {
      if (from.signal !== 'max-reached' || stopped) return 'the signal and the message differ';
    }
    return unless(!stopped || from.round >= from.maxRounds, `stopped in round ${from.round}`);
  },
  'a summary follows every plan loop that ran to its end': ({ from, to }) =>
    unless(
      from.mode !== 'plan' || from.phase === to.phase || to.phase !== 'done' || from.phase === 'summarizing',
      `${from.phase} became done`,
    ),
  "the questions of rounds nobody reviewed go into the next round's prompt": ({ from, facts, step }) => {
    const runner = changeOf(step)?.runner;
    if (runner === undefined || from.mode !== 'plan' || from.phase !== 'reviewing') return null;
    const { lastReviewed } = facts;
    return unless(
      runner.owedFrom === lastReviewed + 1,
      `asked from ${runner.owedFrom}, owed from ${lastReviewed + 1}`,
    );
  },
  "a runner is of the round the agent is told about, and the loop's": ({ step, to }) => {
    const runner = changeOf(step)?.runner;
    if (runner === undefined || step.kind !== 'hold') return null;
    const said = step.message.slots.round ?? runner.round;
    return unless(runner.round === said && runner.round === to.round, `runner ${runner.round}, said ${said}`);
  },
  'a quiet allow is for a runner in the background alone': ({ from, facts, step, to }) => {
    if (step.kind !== 'allow' || step.quiet !== true) return null;
    return unless(facts.runner === 'in-background' && sameState(from, to), `the runner was ${facts.runner}`);
  },
  'a review counts as there only when its files are': ({ from, facts, step }) => {
    if (step.kind !== 'allow' || from.mode !== 'review' || from.phase !== 'done') return null;
    if (changeOf(step)?.cleanUp !== true) return null;
    const said = changeOf(step)?.log;
    const finished = said?.answer === 'allow' && said.why === 'review-finished';
    return unless(finished === (facts.reviewFiles === 'written'), `the files were ${facts.reviewFiles}`);
  },
  'nothing is cleaned up under a running review': ({ from, facts, step }) =>
    unless(
      from.mode !== 'review' || changeOf(step)?.cleanUp !== true || facts.runner === 'idle',
      `the runner was ${facts.runner}`,
    ),
  'a step that ends a run says how it ended': ({ facts, step }) => {
    const over = step.kind === 'allow' ? step.over : undefined;
    return unless(over === (facts.id === 'malformed' ? 'cancelled' : undefined), `${over}`);
  },
  'what is said to be over never holds again': ({ facts, step, to }) => {
    if (step.kind !== 'allow' || step.over === undefined || facts.id === 'malformed') return null;
    return unless(TERMINAL.includes(to.phase) && to.phase !== 'unknown', `over in ${to.phase}`);
  },
};

/** Phases to go, then rounds to go: the hook never makes it greater. */
function measure({ phase, round, maxRounds }: Node): number {
  return (ORDER.length - ORDER.indexOf(phase)) * 100 + Math.max(0, maxRounds - round);
}

function rank({ phase }: Node): number {
  return ORDER.indexOf(phase);
}

function sameState(from: Node, to: Node): boolean {
  return from.phase === to.phase && from.round === to.round && from.signal === to.signal;
}

function changeOf(step: Step<Change>): Change | null {
  return step.kind === 'hold' || step.kind === 'allow' ? step.change : null;
}

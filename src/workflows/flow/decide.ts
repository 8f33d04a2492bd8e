// What a stop means for a flow. Pure: the run, the part of its definition that matters here and all facts come in as
// values. The lines are looked at in order, in each the cheap parts first; what is not known yet is asked for, and decide
// is called again. The checker goes through this very function, so what it proves is what runs.

import type { AskedFacts, EngineFacts, Message, Outcome, ReviewRequest, Step } from '../../engine/step.ts';
import { pairOf, reviewerOf } from '../../reviewers/pair.ts';
import { CLAUDE } from '../../reviewers/programs.ts';
import { reviewFile } from './names.ts';
import { fileKey, reviewIn } from './stand.ts';
import {
  type At,
  type Change,
  type Condition,
  type Facts,
  NO_SIGNAL,
  type State,
  type Target,
  UNREAD,
} from './types.ts';

export const MOST_FAILURES = 3;

export type Known = Facts & EngineFacts & AskedFacts;

type FlowStep = Step<Change>;

export function decide(state: State, facts: Known): FlowStep {
  switch (state.kind) {
    case 'unreadable':
      return { kind: 'allow', change: null, notice: { name: 'unreadable', slots: { what: state.what } } };
    case 'ended':
      return { kind: 'allow', change: null, notice: null, over: state.outcome };
    case 'at':
      return decideAt(state, facts);
  }
}

function decideAt(state: At, facts: Known): FlowStep {
  if (facts.pinned === 'none') return { kind: 'look', at: 'pin' };
  if (facts.pinned === 'differs') return end(state, facts, 'released', { name: 'differs', slots: {} });
  if (state.pause && facts.waitsForPerson) return { kind: 'allow', change: null, notice: null };
  for (const [by, { when, target }] of state.lines.entries()) {
    const held = holds(when, state, facts);
    if (typeof held !== 'boolean') return held;
    if (held) return take(target, by, state, facts);
  }
  if (state.pause) return pauseOn(state, facts);
  if (state.limit !== null && state.stay >= state.limit.holds)
    return take(state.limit.otherwise, 'otherwise', state, facts);
  return holdIn(state.at, state.visits, state, facts, { to: null, by: null, marks: {} });
}

/** Do all of them hold? A step, where that cannot be said yet, or never will be. */
function holds(when: readonly Condition[], state: At, facts: Known): boolean | FlowStep {
  for (const condition of when) {
    const held = holdsNow(condition, state, facts);
    if (held !== true) return held;
  }
  return true;
}

function holdsNow(condition: Condition, state: At, facts: Known): boolean | FlowStep {
  switch (condition.kind) {
    case 'visits':
      return state.visits >= condition.least;
    case 'signal':
      return facts.signal === UNREAD ? { kind: 'look', at: 'signal' } : facts.signal === condition.name;
    case 'file':
      if (facts.files === null) return { kind: 'look', at: 'files' };
      return facts.files[fileKey(condition)] === true;
    case 'check':
      return checkHolds(condition, state, facts);
    case 'review':
      return reviewHolds(condition, state, facts);
  }
}

function checkHolds(
  { name, is }: Extract<Condition, { kind: 'check' }>,
  state: At,
  facts: Known,
): boolean | FlowStep {
  const check = facts.checks !== undefined && Object.hasOwn(facts.checks, name) ? facts.checks[name] : null;
  if (!check) return { kind: 'prove', check: name };
  switch (check.end) {
    case 'passed':
      return is === 'passed';
    case 'failed':
    case 'timed-out':
      return is === 'failed';
    case 'cannot-run':
    case 'untrusted':
      if (check.why === 'no-time') return withoutTime(name, state);
      // Nobody knows any more which way it goes.
      return end(state, facts, 'released', { name: 'check-lost', slots: { check: name, end: check.end } });
  }
}

/** The stop was too short for it: it said nothing, and at the next one it may have its time. */
function withoutTime(check: string, { pause }: At): FlowStep {
  const notice = { name: 'no-time', slots: { check } };
  return { kind: 'allow', change: null, notice, ...(pause ? { awaits: 'person' } : {}) };
}

function reviewHolds(
  { name, is }: Extract<Condition, { kind: 'review' }>,
  state: At,
  facts: Known,
): boolean | FlowStep {
  switch (facts.verdict) {
    case 'none':
    case 'failed':
      return withoutVerdict(name, state, facts);
    case 'clean':
    case 'findings':
    case null:
      break;
  }
  if (facts.content === null) return { kind: 'look', at: 'content' };
  // An earlier stop may have left the verdict: it is good for what the reviewer saw.
  if (facts.verdict !== null && facts.reviewContent === facts.content) return facts.verdict === is;
  // The same content again would only cost the same again.
  if (facts.reviewed?.content === facts.content) return facts.reviewed.verdict === is;
  if (facts.failedReviews >= MOST_FAILURES) return withoutVerdict(name, state, facts);
  return { kind: 'review', review: { ...requestOf(name, facts), content: facts.content } };
}

/** By turns, the first of the user's pair first. A verdict that is passed over was one, too: its file stays. */
function requestOf(name: string, facts: Known): ReviewRequest {
  const { run, verdict, reviewNumber = 0 } = facts;
  const isPassedOver = verdict === 'clean' || verdict === 'findings';
  const reviews = Math.max(facts.reviews, isPassedOver ? reviewNumber : 0);
  const number = reviews + 1;
  const [first, second] = pairOf(facts);
  const named = reviews % 2 === 0 ? first : second;
  const { program: reviewer, model } = reviewerOf(named, facts) ?? { program: CLAUDE, model: named };
  const request = { reviewer, kind: name, number, file: reviewFile(run, name, number), model };
  return model === named ? request : { ...request, named };
}

function withoutVerdict(review: string, state: At, facts: Known): FlowStep {
  const failures = Math.min(MOST_FAILURES, facts.failedReviews + (facts.verdict === null ? 0 : 1));
  const { kind: cause, code } = facts.noVerdict ?? { kind: 'no-verdict', code: null };
  const { reviewer } = requestOf(review, facts);
  const slots = { review, failures, cause, reviewer, ...(code === null ? {} : { code }) };
  if (failures < MOST_FAILURES)
    return { kind: 'allow', change: null, notice: { name: 'review-failed', slots } };
  return end(state, facts, 'released', { name: 'review-given-up', slots });
}

function take(target: Target, by: Change['by'], state: At, facts: Known): FlowStep {
  const { to } = target;
  switch (target.is) {
    case 'completed':
      // The project's other checks say what that is worth; they hold nobody here.
      if (facts.proof === null) return { kind: 'prove', final: true };
      return end(state, facts, 'completed', { name: 'completed', slots: { state: to } }, { to, by });
    case 'let-go':
      return end(state, facts, 'stuck', { name: 'let-go', slots: { state: to } }, { to, by });
    case 'pause':
    case 'work':
      break;
  }
  if (target.is === 'work' && state.held >= state.most) return atLimit(state, facts);
  if (target.watches && facts.marks?.of !== to) return { kind: 'look', at: `marks ${to}` };
  const marks = facts.marks?.of === to ? facts.marks.marks : {};
  if (target.is === 'work') return holdIn(to, target.visits + 1, state, facts, { to, by, marks });
  return {
    kind: 'allow',
    change: { ...changeOf(state, facts), to, by, marks },
    notice: { name: 'paused', slots: { state: to, visits: target.visits + 1 } },
    awaits: 'person',
  };
}

/** A person's turn is over, and none of the lines holds: it is theirs again. A signal was heard, and counts no more. */
function pauseOn(state: At, facts: Known): FlowStep {
  const change = changeOf(state, facts);
  const isHeard = facts.signal !== NO_SIGNAL && facts.signal !== UNREAD;
  const isNews = isHeard || change.reviewed !== null;
  return { kind: 'allow', change: isNews ? change : null, notice: null, awaits: 'person' };
}

function holdIn(
  name: string,
  visits: number,
  state: At,
  facts: Known,
  entered: Pick<Change, 'to' | 'by' | 'marks'>,
): FlowStep {
  if (state.held >= state.most) return atLimit(state, facts);
  const change = changeOf(state, facts);
  const found = change.reviewed?.verdict === 'findings' ? change.reviewed : null;
  const slots = {
    ...{ state: name, visits, hold: state.held + 1, most: state.most },
    ...(found === null ? {} : { review: found.name, number: found.number }),
  };
  const missed = entered.to === null && facts.nearMiss !== 'none' ? { nearMiss: facts.nearMiss } : {};
  return {
    kind: 'hold',
    change: { ...change, ...entered, held: true },
    message: { name: 'say', slots: { ...slots, ...missed } },
    notice: null,
  };
}

function atLimit(state: At, facts: Known): FlowStep {
  return end(state, facts, 'limit', { name: 'limit', slots: { state: state.at, most: state.most } });
}

function end(
  state: At,
  facts: Known,
  over: Outcome,
  notice: Message,
  entered: Pick<Change, 'to' | 'by'> = { to: null, by: null },
): FlowStep {
  return { kind: 'allow', change: { ...changeOf(state, facts), ...entered, ended: over }, notice, over };
}

/** Nothing changes but what a review said: one of this stop, or one that an earlier stop left. */
function changeOf({ lines }: At, facts: Known): Change {
  const name = reviewIn(lines.flatMap(({ when }) => when));
  const reviewed = name === null ? null : reviewedNow(name, facts);
  return { to: null, by: null, held: false, ended: null, marks: {}, reviewed, seen: facts.seen };
}

function reviewedNow(name: string, facts: Known): Change['reviewed'] {
  const { verdict, reviewContent: content, reviewNumber, reviews } = facts;
  if ((verdict !== 'clean' && verdict !== 'findings') || content === undefined) return null;
  return { name, content, verdict, number: reviewNumber ?? reviews + 1 };
}

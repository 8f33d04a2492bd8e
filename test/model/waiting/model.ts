// What a run waits for as the explorer walks it, apart from any workflow: stops with any step, work that runs or not,
// questions, limits, and the clock in ticks of ten minutes, which is how long a reviewer's limit lasts that nobody knows. Beside the record stands what really happened.

import { beginWait, waitsAfter, withWait } from '../../../src/engine/waiting/on-record.ts';
import type { WaitAnswer, waitAt } from '../../../src/engine/waiting/wait.ts';
import { LazyFacts } from '../../../src/explorer/choices.ts';
import type { Edge, Model } from '../../../src/explorer/explorer.ts';
import { checker } from '../../../src/explorer/invariant.ts';
import { Space } from '../../../src/explorer/space.ts';
import { NO_WAITS, newSidecar, type Sidecar, type Waiting } from '../../../src/store/records.ts';
import { invariants } from './invariants.ts';

export type WaitAt = typeof waitAt;

/** All times in ticks from now: into the past where they have passed. */
export type Node = {
  for: 'nothing' | 'work' | 'person' | 'session' | 'reviewer';
  since: number;
  until: number | 'unknown';
  shown: boolean;
  /** Counted as waited since the state moved. */
  waited: number;
  /** How long ago the state really moved. */
  moved: number;
  /** How long ago work was first seen to run, with no other wait and no stop without work since; null: never. */
  running: number | null;
  /** How long ago the agent really asked, or the limit really began; null: neither. */
  began: number | null;
};

export type Facts = {
  step: 'hold' | 'review' | 'prove';
  works: boolean;
  answered: boolean;
  /** The step, where it is taken, moves the state. */
  moves: boolean;
  /** The client would not honour one more hold. */
  capped: boolean;
  /** A review, where it is run, meets the reviewer's limit. */
  limited: 'no' | 'known' | 'unknown';
};

export type Context = { from: Node; facts: Facts; answer: WaitAnswer; to: Node };

const TICK = 600_000;
/** More ticks than any wait here has: a longer time is like this one. */
const MOST = 5;
export const LENGTH = { work: 2, person: 3, limit: 2 };
const NOW = 1_000_000 * TICK;

const upTo = (most: number): number[] => Array.from({ length: most + 1 }, (_, index) => index);

const START: Node = {
  ...{ for: 'nothing', since: 0, until: 'unknown', shown: false },
  ...{ waited: 0, moved: 0, running: null, began: null },
};

export function waitingModel(waitAt: WaitAt, checked = invariants): Model<Node> {
  const lazy = new LazyFacts<Node, Facts>({
    step: () => ['hold', 'review', 'prove'],
    works: () => [false, true],
    answered: ({ shown }) => (shown ? [false, true] : [false]),
    moves: () => [false, true],
    capped: () => [false, true],
    limited: () => ['no', 'known', 'unknown'],
  });
  const check = checker(checked);
  return {
    name: 'waiting',
    space: new Space<Node>({
      for: ['nothing', 'work', 'person', 'session', 'reviewer'],
      since: upTo(MOST),
      until: [...upTo(MOST).map((ago) => -ago), 1, 2, 3, 'unknown'],
      shown: [false, true],
      waited: upTo(MOST),
      moved: upTo(MOST),
      running: [null, ...upTo(MOST)],
      began: [null, ...upTo(MOST)],
    }),
    starts: [{ label: 'a run that never waited', node: START }],
    editable: () => [],
    expand(from, each) {
      for (const { what, to } of without(from))
        each({
          by: 'command',
          what: () => what,
          to,
          answer: null,
          about: what,
          combinations: 1,
          broken: null,
        });
      if (from.moved < MOST && from.since < MOST) each(tick(from));
      lazy.each(from, (facts) => {
        const { answer, to } = stop(from, facts, waitAt);
        each({
          by: 'stop',
          what: () => JSON.stringify(lazy.read()),
          to,
          answer: answer.kind === 'waits' || facts.step !== 'hold' || facts.capped ? 'allow' : 'hold',
          about: answer.kind,
          combinations: lazy.combinations(),
          broken: check({ from, facts, answer, to }),
        });
      });
    },
  };
}

function stop(from: Node, facts: Facts, waitAt: WaitAt): { answer: WaitAnswer; to: Node } {
  const { step, works } = facts;
  const sidecar = sidecarOf(from);
  const answer = waitAt({
    ...{ now: NOW, step, work: works ? 'a subagent' : null, limits: { work: LENGTH.work * TICK } },
    waiting: sidecar.waiting ?? null,
    answered: from.shown ? (facts.answered ? 'yes' : 'no') : null,
  });
  const waitsForOther = answer.kind === 'waits' && answer.waiting.for !== 'work';
  const seen = { ...from, running: works && !waitsForOther ? (from.running ?? 0) : null };
  const after = withWait(sidecar, answer, NOW);
  if (answer.kind === 'waits') {
    const waiting = answer.news ? { ...answer.waiting, shown: { marker: null, turn: null } } : answer.waiting;
    return { answer, to: nodeOf({ ...after, waiting }, seen) };
  }
  const { step: taken, moves, limited } = facts;
  if (taken === 'review' && limited !== 'no') {
    const limit = { ...LIMIT, until: limited === 'known' ? NOW + LENGTH.limit * TICK : null };
    const sidecar = beginWait(after, { ...limit, reviewer: 'codex' }, NOW);
    return { answer, to: nodeOf(sidecar, { ...seen, running: null, began: 0 }) };
  }
  const held = taken === 'hold';
  if (held && facts.capped) {
    const waiting = { ...ASKED, shown: { marker: null, turn: null } };
    return { answer, to: nodeOf({ ...after, waiting }, { ...seen, running: null, began: 0 }) };
  }
  const waits = waitsAfter(after.waits, { moves, held, movement: null, answered: null });
  return { answer, to: nodeOf({ ...after, waits }, moves ? { ...seen, moved: 0 } : seen) };
}

const LIMIT: Waiting = { for: 'limit', since: NOW, until: null, what: 'a limit' };
const ASKED: Waiting = { ...LIMIT, for: 'person', until: NOW + LENGTH.person * TICK, shown: null };

/** What happens between two stops. */
function without(from: Node): { what: string; to: Node }[] {
  const isAsking = from.for === 'person' && Number(from.until) > 0;
  const begun = (what: string, waiting: Waiting): { what: string; to: Node } => {
    const sidecar = beginWait(sidecarOf(from), waiting, NOW);
    return { what, to: nodeOf(sidecar, { ...from, running: null, began: 0 }) };
  };
  const limit: Waiting = { ...LIMIT, until: NOW + LENGTH.limit * TICK };
  return [begun('the agent asks', ASKED), ...(isAsking ? [] : [begun('the session meets its limit', limit)])];
}

function tick(from: Node): Edge<Node> {
  const older = (ago: number): number => Math.min(ago + 1, MOST);
  const until = typeof from.until === 'number' ? Math.max(from.until - 1, -MOST) : from.until;
  const to: Node = {
    ...from,
    ...(from.for === 'nothing' ? {} : { since: older(from.since), until }),
    moved: older(from.moved),
    running: from.running === null ? null : older(from.running),
    began: from.began === null ? null : older(from.began),
  };
  return {
    by: 'time',
    what: () => 'ten minutes',
    to,
    answer: null,
    about: 'ten minutes',
    combinations: 1,
    broken: null,
  };
}

function sidecarOf(node: Node): Sidecar {
  const waits = { ...NO_WAITS, waited: node.waited * TICK };
  if (node.for === 'nothing') return { ...newSidecar('a:b'), waits };
  const isLimit = node.for === 'session' || node.for === 'reviewer';
  const waiting: Waiting = {
    for: isLimit ? 'limit' : (node.for as 'work' | 'person'),
    since: NOW - node.since * TICK,
    until: node.until === 'unknown' ? null : NOW + node.until * TICK,
    what: 'it',
    ...(node.for === 'person' && { shown: node.shown ? { marker: null, turn: null } : null }),
    ...(node.for === 'reviewer' && { reviewer: 'codex' }),
  };
  return { ...newSidecar('a:b'), waits, waiting };
}

function nodeOf({ waiting, waits }: Sidecar, real: Node): Node {
  const { moved, running, began } = real;
  const waited = (waits?.waited ?? 0) / TICK;
  const ghosts = { waited, moved, running, began };
  if (waiting === undefined) return { ...START, ...ghosts, began: null };
  const isLimit = waiting.reviewer === undefined ? 'session' : 'reviewer';
  return {
    ...ghosts,
    for: waiting.for === 'limit' ? isLimit : waiting.for,
    since: (NOW - waiting.since) / TICK,
    until: waiting.until === null ? 'unknown' : (waiting.until - NOW) / TICK,
    shown: (waiting.shown ?? null) !== null,
    began: waiting.for === 'work' ? null : began,
  };
}

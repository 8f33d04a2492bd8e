// A model as a busy day would leave it: runs of all workflows, in every state. Always the same, so that pictures of it are.

import type { ProjectView, RunView, StopView, ViewModel } from '../../src/view/model.ts';
import { checkout } from './seed-checkout.ts';
import { check, empty, event, HOUR, MINUTE, NOW, round, SECOND, SESSION, stop, WHY } from './seed-parts.ts';

export { NOW } from './seed-parts.ts';

export function seedModel(): ViewModel {
  return {
    at: NOW,
    projects: [
      project('shop', [checkout(), tests()]),
      project('site', [docs(), release(), plan()]),
      project('api', [cache(), migration(), stuck()]),
    ],
  };
}

function project(name: string, runs: readonly RunView[]): ProjectView {
  const id = `p-${name}`;
  return {
    id,
    root: `/home/ada/code/${name}`,
    name,
    runs: runs.map((run) => ({ ...run, id: `${id}/${run.name}` })),
    leftOut: 0,
    troubles: [],
    readBackTo: null,
  };
}

/** idle, with a question for a person. */
function tests(): RunView {
  const start = NOW - 52 * MINUTE;
  const stops = Array.from({ length: 7 }, (_, index) =>
    stop(
      index,
      start + (index + 1) * 6 * MINUTE,
      index === 6 ? 'waits' : 'held',
      'active',
      WHY[index === 6 ? 'waits' : 'held'](index),
    ),
  );
  return {
    ...empty('idle', 'loop-1794900000-4711'),
    status: 'needs-you',
    needs:
      'It asks: "Which of the two tests is right, rounding up or to even?" Answer in its session (claude-code 0b5d6c1e).',
    live: true,
    stage: 'iteration 6 of 10',
    state: 'active',
    progress: { unit: 'iteration', at: 6, of: 10 },
    asked: 'Make the failing tests pass',
    holder: { client: 'claude-code', session: SESSION, since: start, driven: false },
    startedAt: start,
    movedAt: NOW - 9 * MINUTE,
    waiting: {
      for: 'person',
      since: NOW - 9 * MINUTE,
      until: NOW + 24 * HOUR,
      what: 'Which of the two tests is right, rounding up or to even?',
      reviewer: null,
      text: 'It waits for an answer to its question.',
    },
    counts: {
      stops: 7,
      held: 6,
      allowed: 1,
      letGo: 0,
      failed: 0,
      reviews: 0,
      checks: 3,
      receipts: 0,
      usd: 0,
      tokens: 0,
    },
    stops: stops.reverse(),
    events: [event(0, start, 'start', 'started with /idle:loop')],
    checks: [check('test', [9, 9, 10], [1, 1, 1], start)],
    proof: { checks: ['test'], untrusted: [], off: false, refusals: 2, text: 'Proven by test.' },
  };
}

/** A flow whose check fails. */
function docs(): RunView {
  const start = NOW - 74 * MINUTE;
  const states = ['red', 'green', 'red', 'green', 'green'];
  const stops = states.map((state, index) =>
    stop(
      index,
      start + (index + 1) * 12 * MINUTE,
      'held',
      state,
      'The check test failed, so the flow stays in its state and the agent is to go on.',
    ),
  );
  return {
    ...empty('flow', 'tdd-20261117-130600'),
    status: 'running',
    live: true,
    stage: 'tdd, in green for the second time',
    state: 'green',
    progress: { unit: 'hold', at: 5, of: 100 },
    asked: 'Search that finds words with accents',
    holder: { client: 'codex', session: '7e1c9a52-0000', since: start, driven: false },
    startedAt: start,
    movedAt: NOW - 3 * MINUTE,
    counts: {
      stops: 5,
      held: 5,
      allowed: 0,
      letGo: 0,
      failed: 0,
      reviews: 0,
      checks: 5,
      receipts: 0,
      usd: 0,
      tokens: 0,
    },
    stops: stops.reverse(),
    events: [event(0, start, 'start', 'started with /flow:start tdd')],
    checks: [check('test', [14, 15, 15, 16, 16], [1, 0, 1, 1, 1], start)],
    proof: { checks: ['test'], untrusted: [], off: false, refusals: 0, text: 'Proven by test.' },
  };
}

function release(): RunView {
  const start = NOW - 26 * HOUR;
  const rounds = [
    round(1, '', 'codex', [2, 4, 3], start + HOUR),
    round(2, '', 'codex', [1, 2, 1], start + 2 * HOUR),
    round(3, '', 'codex', [0, 0, 0], start + 3 * HOUR),
  ];
  return {
    ...empty('claudex', '20261116-release'),
    status: 'ended',
    live: false,
    stage: 'done after 3 rounds',
    state: 'done',
    asked: 'A plan for releasing without downtime',
    holder: { client: 'claude-code', session: SESSION, since: start, driven: false },
    startedAt: start,
    movedAt: start + 3.2 * HOUR,
    end: { kind: 'done', at: start + 3.2 * HOUR, why: [], by: null, checks: [] },
    counts: {
      stops: 6,
      held: 5,
      allowed: 1,
      letGo: 0,
      failed: 0,
      reviews: 3,
      checks: 0,
      receipts: 0,
      usd: 1.12,
      tokens: 240_000,
    },
    stops: [
      stop(5, start + 3.2 * HOUR, 'allowed', 'summarizing', 'The summary was given, so the plan is done.'),
      ...[4, 3, 2, 1, 0].map((index) =>
        stop(
          index,
          start + (index + 1) * 0.5 * HOUR,
          'held',
          index === 0 ? 'drafting' : 'reviewing',
          WHY.held(index),
        ),
      ),
    ],
    rounds,
    detail: { mode: 'plan' },
  };
}

function cache(): RunView {
  const start = NOW - 5 * HOUR;
  return {
    ...empty('idle', 'loop-1794880000-99'),
    status: 'ended',
    live: false,
    stage: 'done after 4 iterations',
    state: 'done',
    asked: 'Cache the price list',
    holder: { client: 'codex', session: '99aa', since: start, driven: false },
    startedAt: start,
    movedAt: NOW - 4 * HOUR,
    end: { kind: 'proven', at: NOW - 4 * HOUR, why: [], by: null, checks: ['test'] },
    counts: {
      stops: 5,
      held: 4,
      allowed: 1,
      letGo: 0,
      failed: 0,
      reviews: 0,
      checks: 2,
      receipts: 0,
      usd: 0,
      tokens: 0,
    },
    stops: [4, 3, 2, 1, 0].map((index) =>
      stop(
        index,
        start + (index + 1) * 12 * MINUTE,
        index === 4 ? 'allowed' : 'held',
        'active',
        WHY[index === 4 ? 'allowed' : 'held'](index),
      ),
    ),
    checks: [check('test', [21, 22], [1, 0], start)],
    proof: { checks: ['test'], untrusted: [], off: false, refusals: 0, text: 'Proven by test.' },
  };
}

function migration(): RunView {
  const start = NOW - 9 * HOUR;
  const stops: StopView[] = [
    stop(
      1,
      NOW - 6 * HOUR,
      'waits',
      'complete-task',
      'The usage limit was reached, so the stop was allowed and nothing was counted.',
    ),
    stop(0, start + HOUR, 'held', 'complete-task', WHY.held(0)),
  ];
  return {
    ...empty('taskie', 'migration'),
    status: 'waiting',
    live: true,
    stage: 'complete-task, task 3 of 5',
    state: 'complete-task',
    progress: { unit: 'review', at: 0, of: 8 },
    asked: 'Move orders to the new schema',
    holder: { client: 'claude-code', session: SESSION, since: start, driven: true },
    startedAt: start,
    movedAt: NOW - 6 * HOUR,
    waiting: {
      for: 'limit',
      since: NOW - 6 * HOUR,
      until: NOW + HOUR,
      what: 'usage limit until 15:20',
      reviewer: null,
      text: 'It waits until 15:20 for the usage limit.',
    },
    counts: {
      stops: 2,
      held: 1,
      allowed: 1,
      letGo: 0,
      failed: 0,
      reviews: 4,
      checks: 0,
      receipts: 0,
      usd: 0.9,
      tokens: 120_000,
    },
    stops,
    rounds: [
      round(1, 'plan-review', 'opus', [0, 2, 0], start + 20 * MINUTE),
      round(2, 'plan-review', 'sonnet', [0, 0, 0], start + 30 * MINUTE),
    ],
  };
}

/** claudex, between two rounds. */
function plan(): RunView {
  const start = NOW - 41 * MINUTE;
  return {
    ...release(),
    ...empty('claudex', '20261117-login'),
    status: 'running',
    live: true,
    stage: 'reviewing, round 3 of 5',
    state: 'reviewing',
    progress: { unit: 'round', at: 3, of: 5 },
    asked: 'A plan for signing in with a passkey',
    holder: { client: 'codex', session: '5ad0', since: start, driven: false },
    startedAt: start,
    movedAt: NOW - 40 * SECOND,
    counts: {
      stops: 3,
      held: 3,
      allowed: 0,
      letGo: 0,
      failed: 0,
      reviews: 2,
      checks: 0,
      receipts: 0,
      usd: 0.8,
      tokens: 150_000,
    },
    stops: [2, 1, 0].map((index) =>
      stop(
        index,
        start + (index + 1) * 12 * MINUTE,
        'held',
        index === 0 ? 'drafting' : 'reviewing',
        WHY.held(index),
      ),
    ),
    rounds: [
      round(1, '', 'codex', [1, 5, 2], start + 15 * MINUTE),
      round(2, '', 'codex', [0, 2, 1], start + 28 * MINUTE),
    ],
    detail: { mode: 'plan' },
  };
}

/** idle, let go by the guard. */
function stuck(): RunView {
  const start = NOW - 7 * HOUR;
  return {
    ...empty('idle', 'loop-1794874000-512'),
    status: 'ended',
    live: false,
    end: { kind: 'released', at: NOW - 5 * HOUR, why: ['no progress'], by: null, checks: [] },
    stage: 'iteration 9 of 30',
    state: 'active',
    progress: { unit: 'iteration', at: 9, of: 30 },
    asked: 'Find out why the nightly import is slow',
    holder: { client: 'claude-code', session: '31c7', since: start, driven: false },
    startedAt: start,
    movedAt: NOW - 5 * HOUR,
    counts: {
      stops: 10,
      held: 9,
      allowed: 0,
      letGo: 1,
      failed: 0,
      reviews: 0,
      checks: 0,
      receipts: 0,
      usd: 0,
      tokens: 0,
    },
    stops: Array.from({ length: 10 }, (_, index) => {
      const kind = index === 9 ? 'let-go' : 'held';
      return stop(index, start + (index + 1) * 12 * MINUTE, kind, 'active', WHY[kind](index));
    }).reverse(),
  };
}

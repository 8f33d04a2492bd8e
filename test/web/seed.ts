// A model as a busy day would leave it: runs of all workflows, in every rank. Always the same, so that pictures of it are.

import type {
  FindingView,
  ProjectView,
  RoundView,
  RunView,
  StopKind,
  StopView,
  ViewModel,
} from '../../src/view/model.ts';

/** 14:20 UTC on a Tuesday. */
export const NOW = Date.UTC(2026, 10, 17, 14, 20, 0);

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const SESSION = '0b5d6c1e-4c2f-4a8e-9d57-1f0a6b2c3d4e';

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

/** taskie, in the review of its code: rounds, a docket, a budget, a review that runs. */
function checkout(): RunView {
  const start = NOW - 3 * HOUR - 10 * MINUTE;
  const rounds = [
    round(1, 'plan-review', 'codex', [1, 2, 1], start + 14 * MINUTE),
    round(2, 'plan-review', 'opus', [0, 1, 1], start + 27 * MINUTE),
    round(3, 'plan-review', 'codex', [0, 0, 0], start + 36 * MINUTE),
    round(4, 'plan-review', 'opus', [0, 0, 0], start + 44 * MINUTE),
    round(1, 'code-review, task 1', 'codex', [2, 3, 1], start + 80 * MINUTE),
    round(2, 'code-review, task 1', 'opus', [1, 1, 2], start + 102 * MINUTE),
    round(3, 'code-review, task 1', 'codex', [0, 1, 0], start + 121 * MINUTE),
    round(4, 'code-review, task 1', 'opus', [0, 0, 0], start + 133 * MINUTE),
    round(5, 'code-review, task 1', 'codex', [0, 0, 0], start + 141 * MINUTE),
    round(1, 'code-review, task 2', 'opus', [1, 2, 0], start + 172 * MINUTE),
    {
      ...round(2, 'code-review, task 2', 'codex', [0, 0, 0], start + 188 * MINUTE),
      verdict: 'running' as const,
      at: null,
      milliseconds: null,
      usd: null,
    },
  ];
  const states = [
    'plan-review',
    'post-plan-review',
    'plan-review',
    'create-tasks',
    'tasks-review',
    'complete-task',
    'code-review',
    'post-code-review',
    'code-review',
  ];
  const stops = Array.from({ length: 34 }, (_, index) => {
    const at = start + 8 * MINUTE + index * 5.4 * MINUTE + (index % 3) * 40 * SECOND;
    const state = states[Math.floor((index / 34) * states.length)] ?? 'code-review';
    const kind: StopKind = index % 9 === 4 ? 'allowed' : index === 20 ? 'waits' : 'held';
    return stop(index, at, kind, state, WHY[kind](index));
  });
  return {
    ...empty('taskie', 'checkout'),
    rank: 'running',
    live: true,
    stage: 'code-review, task 2 of 4',
    state: 'code-review',
    progress: { unit: 'review', at: 2, of: 8 },
    asked: 'Checkout with saved cards, and receipts by mail',
    holder: { client: 'claude-code', session: SESSION, since: start, driven: true },
    startedAt: start,
    movedAt: NOW - 95 * SECOND,
    work: [
      {
        attempt: 'a1',
        kind: 'review',
        name: 'codex/gpt-5, code-review 2',
        since: NOW - 95 * SECOND,
        deadline: NOW + 505 * SECOND,
        alive: true,
        tail: 'reading src/checkout/cards.ts\nreading src/checkout/cards.test.ts\nrunning npm test -- cards',
      },
    ],
    counts: {
      stops: 34,
      held: 29,
      allowed: 4,
      letGo: 0,
      failed: 0,
      reviews: 10,
      checks: 12,
      usd: 4.37,
      tokens: 812_000,
    },
    stops: stops.reverse(),
    events: [
      event(0, start, 'start', 'started with /taskie:new-plan'),
      ...rounds
        .slice(0, 10)
        .map((each, index) =>
          event(
            index + 1,
            each.at ?? 0,
            'review',
            `${each.about}, round ${each.number} by ${each.reviewer}: ${each.verdict}`,
          ),
        ),
    ].reverse(),
    rounds,
    findings: {
      file: '.taskie/plans/checkout/docket.json',
      ...{ found: 9, fixed: 5, rejected: 2, open: 2, contested: 1 },
      list: FINDINGS,
    },
    checks: [
      check('test', [41, 43, 44, 12, 46, 47, 45, 49, 51], [0, 0, 0, 1, 0, 0, 1, 0, 0], start),
      check('lint', [6, 6, 7, 6, 7, 7, 6, 7, 7], [0, 0, 0, 0, 0, 0, 0, 0, 0], start),
    ],
    proof: {
      checks: ['test', 'lint'],
      untrusted: [],
      off: false,
      refusals: 0,
      text: 'Proven by test and lint.',
    },
    budget: {
      stage: 'open',
      limits: { tokens: 4_000_000, timeMs: 6 * HOUR, reviews: 20, usd: null },
      spent: {
        tokens: 2_310_000,
        timeMs: 3 * HOUR + 10 * MINUTE,
        reviews: 10,
        usd: 4.37,
        cacheRead: 18_400_000,
      },
      left: { tokens: 1_690_000, timeMs: 2 * HOUR + 50 * MINUTE, reviews: 10, usd: null },
      iterations: 29,
      burn: Array.from({ length: 24 }, (_, index) => ({
        at: start + (index + 1) * 7.9 * MINUTE,
        tokens: Math.round(2_310_000 * ((index + 1) / 24) ** 1.15),
        timeMs: (index + 1) * 7.9 * MINUTE,
        reviews: Math.floor((index + 1) / 2.4),
        usd: 0,
      })),
      text: 'Budget: 2.3M of 4M tokens, 3.2 of 6 hours, 10 of 20 reviews. About 80k tokens per iteration. At this pace about 21 more iterations.',
    },
    forecast: { more: 6, unit: 'review', milliseconds: 70 * MINUTE, text: 'at this pace about 1 h 10 min' },
    files: [
      '.taskie/plans/checkout/plan.md',
      '.taskie/plans/checkout/code-review-1.md',
      '.taskie/plans/checkout/docket.json',
      '.holdfast/checks/test.log',
    ],
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
    rank: 'needs-you',
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
    counts: { stops: 7, held: 6, allowed: 1, letGo: 0, failed: 0, reviews: 0, checks: 3, usd: 0, tokens: 0 },
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
    stop(index, start + (index + 1) * 12 * MINUTE, 'held', state, WHY.held(index)),
  );
  return {
    ...empty('flow', 'tdd-20261117-130600'),
    rank: 'failing',
    live: true,
    stage: 'tdd, in green for the second time',
    state: 'green',
    progress: { unit: 'hold', at: 5, of: 100 },
    asked: 'Search that finds words with accents',
    holder: { client: 'codex', session: '7e1c9a52-0000', since: start, driven: false },
    startedAt: start,
    movedAt: NOW - 3 * MINUTE,
    counts: { stops: 5, held: 5, allowed: 0, letGo: 0, failed: 0, reviews: 0, checks: 5, usd: 0, tokens: 0 },
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
    rank: 'done',
    live: false,
    stage: 'done after 3 rounds',
    state: 'done',
    asked: 'A plan for releasing without downtime',
    holder: { client: 'claude-code', session: SESSION, since: start, driven: false },
    startedAt: start,
    movedAt: start + 3.2 * HOUR,
    end: { outcome: 'completed', at: start + 3.2 * HOUR, worth: null, why: [] },
    counts: {
      stops: 6,
      held: 5,
      allowed: 1,
      letGo: 0,
      failed: 0,
      reviews: 3,
      checks: 0,
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
    rank: 'done',
    live: false,
    stage: 'done after 4 iterations',
    state: 'done',
    asked: 'Cache the price list',
    holder: { client: 'codex', session: '99aa', since: start, driven: false },
    startedAt: start,
    movedAt: NOW - 4 * HOUR,
    end: { outcome: 'completed', at: NOW - 4 * HOUR, worth: 'proven', why: [] },
    counts: { stops: 5, held: 4, allowed: 1, letGo: 0, failed: 0, reviews: 0, checks: 2, usd: 0, tokens: 0 },
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
    rank: 'waiting',
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
    rank: 'running',
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
    rank: 'failing',
    live: true,
    stage: 'iteration 9 of 30',
    state: 'active',
    progress: { unit: 'iteration', at: 9, of: 30 },
    asked: 'Find out why the nightly import is slow',
    holder: { client: 'claude-code', session: '31c7', since: start, driven: false },
    startedAt: start,
    movedAt: NOW - 5 * HOUR,
    counts: { stops: 10, held: 9, allowed: 0, letGo: 1, failed: 0, reviews: 0, checks: 0, usd: 0, tokens: 0 },
    stops: Array.from({ length: 10 }, (_, index) => {
      const kind = index === 9 ? 'let-go' : 'held';
      return stop(index, start + (index + 1) * 12 * MINUTE, kind, 'active', WHY[kind](index));
    }).reverse(),
  };
}

const WHY: Readonly<Record<StopKind, (index: number) => string>> = {
  held: (index) =>
    index % 2 === 0
      ? `No completion signal was in the agent's last message, so iteration ${index + 1} began.`
      : 'The review listed findings, so the agent is to answer each of them before the next round.',
  allowed: () => 'The review was clean, so the agent may stop; the next phase begins with its next turn.',
  waits: () =>
    'The agent asked a question with `holdfast ask`, so the stop was allowed and nothing was counted.',
  'let-go': () => 'Nothing moved over three holds in a row, so the run was let go.',
  failed: () => 'Holdfast hit an error, so this stop was allowed.',
};

const FINDINGS: readonly FindingView[] = [
  finding(
    'F1',
    'high',
    1,
    'src/checkout/cards.ts',
    88,
    'A card that was deleted can still be charged: the lookup ignores `deleted_at`.',
    'fixed',
    'The lookup filters deleted cards; a test charges one and expects a refusal.',
  ),
  finding(
    'F2',
    'high',
    1,
    'src/checkout/receipt.ts',
    31,
    'The receipt is mailed before the payment is confirmed.',
    'fixed',
    'Mailing moved behind the confirmation.',
  ),
  finding(
    'F3',
    'medium',
    1,
    'src/checkout/cards.ts',
    140,
    'Two requests at once save the same card twice.',
    'fixed',
    'A unique index, and the second request gets the first card.',
  ),
  finding(
    'F4',
    'medium',
    1,
    'src/mail/template.ts',
    12,
    'Names with an apostrophe break the subject line.',
    'fixed',
    'Escaped, with a test.',
  ),
  finding(
    'F5',
    'low',
    1,
    'src/checkout/form.tsx',
    57,
    'The expiry field accepts month 13.',
    'rejected',
    'The payment provider validates it and says so in the form.',
  ),
  {
    ...finding(
      'F6',
      'low',
      2,
      'src/checkout/form.tsx',
      57,
      'Month 13 is sent to the provider on each key press.',
      'rejected',
      'It is sent on leaving the field.',
    ),
    earlier: ['F5'],
    contested: true,
  },
  finding(
    'F7',
    'medium',
    2,
    'src/checkout/cards.ts',
    203,
    'A timeout of the provider is shown as a refusal.',
    'fixed',
    'Timeouts have a message of their own.',
  ),
  finding(
    'F8',
    'high',
    3,
    'src/orders/total.ts',
    44,
    'Totals are added as floating point numbers.',
    'open',
    null,
  ),
  finding(
    'F9',
    'medium',
    3,
    'src/orders/total.test.ts',
    null,
    'No test covers an order in two currencies.',
    'open',
    null,
  ),
];

function finding(
  ...[id, severity, round, file, line, claim, status, answer]: [
    string,
    FindingView['severity'],
    number,
    string,
    number | null,
    string,
    FindingView['status'],
    string | null,
  ]
): FindingView {
  return {
    id,
    severity,
    round,
    by: round % 2 === 1 ? 'codex' : 'opus',
    review: `code-review-${round}.md`,
    file,
    line,
    claim,
    evidence: null,
    status,
    answer,
    contested: false,
    earlier: [],
  };
}

function round(
  number: number,
  about: string,
  reviewer: string,
  [high, medium, low]: readonly [number, number, number],
  at: number,
): RoundView {
  return {
    number,
    about,
    reviewer,
    model: reviewer === 'codex' ? 'gpt-5' : '',
    verdict: high + medium + low === 0 ? 'clean' : 'findings',
    found: { high, medium, low },
    at,
    milliseconds: (180 + number * 31) * SECOND,
    usd: 0.31 + number * 0.04,
    tokens: 60_000 + number * 4000,
    file:
      about === ''
        ? `.claude/claudex/round-${number}.md`
        : `.taskie/plans/checkout/${about.split(',')[0]}-${number}.md`,
    position: { segment: 1, offset: 100_000 + (at % 90_000) },
  };
}

function stop(index: number, at: number, kind: StopKind, state: string, why: string): StopView {
  return {
    position: { segment: 1, offset: index * 400 },
    at,
    kind,
    step: kind,
    why,
    state,
    client: 'claude-code',
    session: SESSION,
    milliseconds: 48 + (index % 7),
  };
}

function event(index: number, at: number, name: 'start' | 'review', text: string): RunView['events'][number] {
  return { position: { segment: 1, offset: 50_000 + index * 200 }, at, event: name, text };
}

function check(
  name: string,
  seconds: readonly number[],
  codes: readonly number[],
  start: number,
): RunView['checks'][number] {
  return {
    name,
    log: `.holdfast/checks/${name}.log`,
    results: seconds.map((each, index) => ({
      at: start + (index + 2) * 18 * MINUTE,
      end: codes[index] === 0 ? 'passed' : 'failed',
      code: codes[index] ?? 0,
      milliseconds: each * SECOND,
      receipt: false,
      flaky: false,
      position: { segment: 1, offset: 70_000 + index * 100 + name.length },
    })),
  };
}

function empty(workflow: string, run: string): RunView {
  return {
    id: '',
    name: `${workflow}:${run}`,
    workflow,
    run,
    rank: 'running',
    needs: null,
    live: false,
    stage: '',
    state: null,
    progress: null,
    asked: null,
    holder: null,
    startedAt: null,
    movedAt: null,
    end: null,
    waiting: null,
    work: [],
    counts: { stops: 0, held: 0, allowed: 0, letGo: 0, failed: 0, reviews: 0, checks: 0, usd: 0, tokens: 0 },
    stops: [],
    events: [],
    rounds: [],
    findings: null,
    checks: [],
    proof: null,
    budget: null,
    forecast: null,
    files: [],
    trouble: null,
    detail: {},
  };
}

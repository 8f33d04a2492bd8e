// The seeded run with everything in it: rounds, a docket, a budget, checks, and a review that runs.

import type { FindingView, RunView, StopKind } from '../../src/view/model.ts';
import {
  check,
  empty,
  event,
  finding,
  HOUR,
  MINUTE,
  NOW,
  round,
  SECOND,
  SESSION,
  stop,
  WHY,
} from './seed-parts.ts';

/** taskie, in the review of its code: rounds, a docket, a budget, a review that runs. */
export function checkout(): RunView {
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
    status: 'running',
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
      receipts: 0,
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

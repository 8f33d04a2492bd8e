// What taskie's explorer goes through: every value of every field of state.json, and of every fact.

import type { ReviewOutcome } from '../../../src/engine/step.ts';
import type { Facts, KnownState, State } from '../../../src/workflows/taskie/model.ts';
import { PHASES, REVIEWS, type Review, reviewAnsweredBy } from '../../../src/workflows/taskie/phases.ts';
import type { Domains } from '../explorer/choices.ts';
import { type Fields, Space } from '../explorer/space.ts';

export type Given = Facts & ReviewOutcome;

/** state.json, and what really happened: how many reviews in a row were clean, and of what. */
export type Node = Omit<KnownState, 'kind' | 'unsound'> & {
  kind: State['kind'];
  /** Is a field missing or garbage, so that its default stands in? */
  unsound: boolean;
  streak: number;
  streakOf: Review | 'none' | 'untold';
};

const LIMIT = 2;
export const MOST_CLEAN = 2;

const values = {
  kind: ['known', 'absent', 'broken'],
  currentTask: [null, '1'],
  phase: [null, 'other', ...PHASES],
  model: ['opus', 'sonnet', 'haiku'],
  tdd: [false, true],
} as const satisfies Partial<Fields<Node>>;

/** Runs as the commands make them, with their true history. */
export const trackedSpace = new Space<Node>({
  ...values,
  maxReviews: [0, 1, LIMIT, LIMIT + 1],
  iteration: [null, 0, 1, LIMIT, LIMIT + 1],
  next: [null, ...PHASES],
  clean: [0, 1, MOST_CLEAN],
  unsound: [false],
  streak: [0, 1, 2],
  streakOf: ['none', ...REVIEWS],
});

/** States as a person may leave them; what really happened is then nobody's guess. */
export const editedSpace = new Space<Node>({
  ...values,
  kind: ['known', 'absent', 'broken'],
  maxReviews: [0, LIMIT],
  iteration: [null, 0, 1, LIMIT, LIMIT + 1],
  phase: [null, 'other', 'new-plan', ...answerPhases()],
  next: [null, 'other', 'create-tasks', 'complete-task', 'complete-task-tdd', 'complete', ...answerPhases()],
  clean: [0, 1, MOST_CLEAN],
  unsound: [false],
  streak: [0],
  streakOf: ['untold'],
});

function answerPhases() {
  return REVIEWS.flatMap((review) => [review, `post-${review}` as const]);
}

const SOME_TASKS = { ids: ['1'], leftOut: 0, plain: false };

export const domains: Domains<Node, Given> = {
  plan: () => ['demo'],
  handFired: () => [false, true],
  violations: () => [[], ['Missing required file: plan.md']],
  folder: () => ['seal'],
  planWritten: () => [true, false],
  taskWritten: () => [true, false],
  review: ({ next }) =>
    reviewAnsweredBy(next) === null
      ? [null]
      : [null, { number: 1, answered: false }, { number: 1, answered: true }, { number: 4, answered: false }],
  nextNumber: ({ next, iteration }) => (isDue(next) ? [(iteration ?? 0) + 1, (iteration ?? 0) + 4] : [null]),
  tasks: () => [
    null,
    { ...SOME_TASKS, ids: [] },
    SOME_TASKS,
    { ...SOME_TASKS, leftOut: 1 },
    { ...SOME_TASKS, plain: true },
  ],
  pending: () => [
    null,
    { others: true, current: true },
    { others: true, current: false },
    { others: false, current: true },
    { others: false, current: false },
  ],
  verdict: () => [null, 'clean', 'findings', 'none', 'failed'],
  reviewNumber: ({ iteration }) => [(iteration ?? 0) + 1, (iteration ?? 0) + 4],
  failedReviews: () => [0, 1, 2, 3, 4],
};

const isDue = (next: Node['next']): boolean =>
  REVIEWS.some((review) => review === next || `post-${review}` === next);

export const NEW_PLAN: Node = {
  kind: 'known',
  maxReviews: LIMIT,
  currentTask: null,
  phase: 'new-plan',
  iteration: 0,
  next: 'plan-review',
  model: 'opus',
  clean: 0,
  tdd: false,
  unsound: false,
  streak: 0,
  streakOf: 'none',
};

export const trackedStarts = [0, 1, LIMIT, LIMIT + 1].map((maxReviews) => ({
  label: `record new-plan, max_reviews ${maxReviews}`,
  node: { ...NEW_PLAN, maxReviews },
}));

export const editedStarts = (['known', 'absent', 'broken'] as const).map((kind) => ({
  label: kind === 'known' ? 'record new-plan' : `state.json ${kind}`,
  node: { ...NEW_PLAN, kind, streakOf: 'untold' as const },
}));

export function stateOf(node: Node): State {
  const { kind, streak, streakOf, unsound, ...fields } = node;
  return kind === 'known' ? { kind, ...fields, unsound: unsound ? ['phase'] : [] } : { kind };
}

// What taskie's explorer goes through: every value of every field of state.json, and of every fact.

import type { EngineFacts } from '../../../src/engine/step.ts';
import type { Domains } from '../../../src/explorer/choices.ts';
import { type Fields, Space } from '../../../src/explorer/space.ts';
import { PHASES, REVIEWS, type Review, reviewAnsweredBy } from '../../../src/workflows/taskie/phases.ts';
import type { Facts, KnownState, State } from '../../../src/workflows/taskie/types.ts';
import { PROOFS, UNTILS } from '../proofs.ts';

/** How a folder is spelled says nothing about what is done. */
export type Given = Omit<Facts, 'spelled'> & EngineFacts;

/** What is reviewed: a code review of one task says nothing about another. */
export type Reviewed = Exclude<Review, 'code-review'> | `code-review ${string}`;

/** state.json, and what really happened: how many reviews in a row were clean, and of what. */
export type Node = Omit<KnownState, 'kind' | 'unsound'> & {
  kind: State['kind'];
  /** Is a field missing or garbage, so that its default stands in? */
  unsound: boolean;
  streak: number;
  streakOf: Reviewed | 'none' | 'untold';
};

const LIMIT = 2;
export const MOST_CLEAN = 2;

export const TASKS = ['1', '2'];

const values = {
  kind: ['known', 'absent', 'broken'],
  phase: [null, 'other', ...PHASES],
  // The last is another program's default: a repository may name it, the user may choose it.
  model: ['opus', 'sonnet', 'haiku', 'codex/'],
  tdd: [false, true],
} as const satisfies Partial<Fields<Node>>;

/** Runs as the commands make them, with their true history. */
export const trackedSpace = new Space<Node>({
  ...values,
  currentTask: [null, ...TASKS],
  maxReviews: [0, 1, LIMIT, LIMIT + 1],
  iteration: [null, 0, 1, LIMIT, LIMIT + 1],
  next: [null, ...PHASES],
  clean: [0, 1, MOST_CLEAN],
  unsound: [false],
  streak: [0, 1, 2],
  streakOf: [
    'none',
    'plan-review',
    'tasks-review',
    'all-code-review',
    ...TASKS.map((task) => `code-review ${task}` as const),
  ],
});

/** States as a person may leave them; what really happened is then nobody's guess. */
export const editedSpace = new Space<Node>({
  ...values,
  model: ['opus', 'sonnet', 'haiku'],
  currentTask: [null, '1'],
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
const TABLES = [
  null,
  { ...SOME_TASKS, ids: [] },
  SOME_TASKS,
  { ...SOME_TASKS, leftOut: 1 },
  { ...SOME_TASKS, plain: true },
];
const PENDING = [
  null,
  { others: true, current: true },
  { others: true, current: false },
  { others: false, current: true },
  { others: false, current: false },
];
/** One that is not answered, one that is, and one whose number was passed over to. */
const STANDING = [
  null,
  { number: 1, answered: false },
  { number: 1, answered: true },
  { number: 4, answered: false },
];
/** Nobody chose, the user chose, and nobody chose where Claude Code is not installed. */
const WHO_REVIEWS = [
  null,
  { pair: ['opus', 'codex/'] as const, standIn: null },
  { pair: ['opus', 'sonnet'] as const, standIn: 'codex' },
];
const VERDICTS = [null, 'clean', 'findings', 'none', 'failed'] as const;
const EITHER = [false, true];
const VIOLATIONS = [[], ['Missing required file: plan.md']];
const FAILURES = [0, 1, 2, 3, 4];
const NAME = ['demo'];
const NOTHING = [null];

/** The next number, or one that is further on because names were taken. */
const NUMBERS = [0, 1, 2, 3].map((reviews) => [reviews + 1, reviews + 4]);
const numbersAfter = (iteration: number | null): readonly number[] => NUMBERS[iteration ?? 0] ?? [];

export const domains: Domains<Node, Given> = {
  plan: () => NAME,
  handFired: () => EITHER,
  violations: () => VIOLATIONS,
  folder: () => NAME,
  planWritten: () => EITHER,
  taskWritten: () => EITHER,
  review: ({ next }) => (reviewAnsweredBy(next) === null ? NOTHING : STANDING),
  nextNumber: ({ next, iteration }) => (isDue(next) ? numbersAfter(iteration) : NOTHING),
  tasks: () => TABLES,
  pending: () => PENDING,
  // Who reviews does not depend on what is reviewed: one kind of review goes through all of it.
  reviewers: ({ next }) => (next?.endsWith('plan-review') ? WHO_REVIEWS : NOTHING),
  // Only of a review that was asked for.
  verdict: ({ iteration, maxReviews }) =>
    maxReviews === 0 || (iteration ?? 0) < maxReviews ? VERDICTS : NOTHING,
  reviewNumber: ({ iteration }) => numbersAfter(iteration),
  // The one the state names, or another: then a person changed it while the review ran.
  reviewModel: ({ model }) => REVIEWED_BY[model] ?? [],
  // What it listed: nothing, so that its word alone counts; all of it low; and up to each graver one. As with who
  // reviews, one kind of review goes through all of it, the others through some.
  listed: ({ next }) => (next?.endsWith('plan-review') ? LISTED : SOME_LISTED),
  // Off; each one, from the first round and from the second on.
  floor: ({ next }) => (next?.endsWith('plan-review') ? FLOORS : SOME_FLOORS),
  failedReviews: () => FAILURES,
  noVerdict: () => NO_VERDICTS,
  proof: () => PROOFS,
  until: () => UNTILS,
};

/** A person may lower the limit while a review runs; how far below the review it then is makes no difference. */
export const editedDomains: Domains<Node, Given> = {
  ...domains,
  // Who reviews follows from the name alone, whoever wrote it: the runs with their true history go through that.
  reviewers: () => NOTHING,
  verdict: ({ iteration, maxReviews }) =>
    maxReviews === 0 || (iteration ?? 0) <= maxReviews ? VERDICTS : NOTHING,
  listed: ({ next }) => (next?.endsWith('plan-review') ? SOME_LISTED : NOTHING),
  floor: ({ next }) => (next?.endsWith('plan-review') ? SOME_FLOORS : NOTHING),
};

const LISTED = [
  null,
  { high: 0, medium: 0, low: 2 },
  { high: 0, medium: 1, low: 1 },
  { high: 1, medium: 0, low: 0 },
];
const SOME_LISTED = LISTED.slice(0, 2);
const FLOORS = [
  null,
  { severity: 'medium', from: 1 },
  { severity: 'high', from: 1 },
  { severity: 'high', from: 2 },
] as const;
const SOME_FLOORS = FLOORS.slice(0, 2);
/** Which other one makes no difference: each is one, for some model of the state. */
const REVIEWED_BY: Readonly<Record<string, readonly string[]>> = {
  opus: ['opus', 'haiku'],
  sonnet: ['sonnet', 'codex/'],
  haiku: ['haiku', 'sonnet'],
  'codex/': ['codex/', 'opus'],
};
const NO_VERDICTS = [
  { kind: 'missing', code: null },
  { kind: 'exit-code', code: 1 },
] as const;

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

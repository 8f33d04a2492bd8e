// The words of a plan's life (pure): its phases, its four reviews, and the file names that go with them.

export const REVIEWS = ['plan-review', 'tasks-review', 'code-review', 'all-code-review'] as const;
export type Review = (typeof REVIEWS)[number];
export type PostReview = `post-${Review}`;

export const TASK_ACTIONS = [
  'next-task',
  'next-task-tdd',
  'complete-task',
  'complete-task-tdd',
  'continue-task',
] as const;
export type TaskAction = (typeof TASK_ACTIONS)[number];

export type Phase = 'new-plan' | 'create-tasks' | TaskAction | Review | PostReview | 'complete';

export const PHASES: readonly Phase[] = [
  'new-plan',
  'plan-review',
  'post-plan-review',
  'create-tasks',
  'tasks-review',
  'post-tasks-review',
  ...TASK_ACTIONS,
  'code-review',
  'post-code-review',
  'all-code-review',
  'post-all-code-review',
  'complete',
];

export function asPhase(text: string): Phase | null {
  return PHASES.find((phase) => phase === text) ?? null;
}

export function asReview(phase: string | null): Review | null {
  return REVIEWS.find((review) => review === phase) ?? null;
}

export function asTaskAction(phase: string | null): TaskAction | null {
  return TASK_ACTIONS.find((action) => action === phase) ?? null;
}

export const postOf = (review: Review): PostReview => `post-${review}`;

/** The review a post-review answers; null for every other phase. */
export function reviewAnsweredBy(phase: string | null): Review | null {
  return REVIEWS.find((review) => postOf(review) === phase) ?? null;
}

/** What a person calls it: `code review of task 3`. */
export function reviewTitle(review: Review, task: string | null): string {
  switch (review) {
    case 'plan-review':
      return 'plan review';
    case 'tasks-review':
      return 'tasks review';
    case 'code-review':
      return `code review of task ${task ?? '?'}`;
    case 'all-code-review':
      return 'all-code review';
  }
}

/** The stage a plan is in follows from its phase. */
export function stageOf(phase: Phase): string {
  switch (phase) {
    case 'new-plan':
      return 'Planning';
    case 'plan-review':
    case 'post-plan-review':
      return 'Plan review';
    case 'create-tasks':
      return 'Task creation';
    case 'tasks-review':
    case 'post-tasks-review':
      return 'Task review';
    case 'next-task':
    case 'next-task-tdd':
    case 'complete-task':
    case 'complete-task-tdd':
    case 'continue-task':
    case 'code-review':
    case 'post-code-review':
      return 'Implementation';
    case 'all-code-review':
    case 'post-all-code-review':
      return 'Final review';
    case 'complete':
      return 'Complete';
  }
}

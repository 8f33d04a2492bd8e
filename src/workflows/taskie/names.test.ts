import { describe, expect, it } from 'vitest';
import {
  byReview,
  byTaskId,
  isPlainPlan,
  isPlanId,
  isTaskId,
  logFile,
  logNumberOf,
  type NamedReview,
  nextFreeNumber,
  planOption,
  postReviewFile,
  readReviewName,
  reviewFile,
  reviewNumberOf,
} from './names.ts';

describe('ids', () => {
  it.each([
    'a',
    'my-plan',
    'Plan_2',
    '1',
    'a b',
    'a.b',
    'é',
    ' ',
    '-'.repeat(101),
    '計画',
    'می‌خواهم',
    '👩‍👩‍👧',
  ])('takes %s as a plan id', (id) => {
    expect(isPlanId(id)).toBe(true);
  });

  it.each([
    '',
    '.',
    '..',
    '.a',
    'a/b',
    'a\n',
    'a\t',
    '\u0000',
    'a\u0085',
    '\u061c',
    'a\u200f',
    'a\u202eb',
    '\u2066',
    'a\ud800',
  ])('takes no plan id %j', (id) => {
    expect(isPlanId(id)).toBe(false);
  });

  it('are digits for tasks, compared as numbers of any length', () => {
    expect(['1', '10', '007'].every(isTaskId)).toBe(true);
    expect(['', 'a', '1.1', '../1', '1\n'].some(isTaskId)).toBe(false);
    const sorted = ['10', '9', '100000000000000000001', '100000000000000000000', '1'].sort(byTaskId);
    expect(sorted).toEqual(['1', '9', '10', '100000000000000000000', '100000000000000000001']);
  });
});

describe('review numbers', () => {
  it('belong to one kind and one task: 1 is not 10', () => {
    expect(reviewNumberOf('task-1-review-3.md', 'code-review', '1')).toBe(3);
    expect(reviewNumberOf('task-10-review-3.md', 'code-review', '1')).toBeNull();
    expect(reviewNumberOf('task-1-post-review-3.md', 'code-review', '1')).toBeNull();
    expect(reviewNumberOf('plan-review-03.md', 'plan-review', null)).toBeNull();
  });

  it('pass over names that are taken, also by a post-review alone or in capitals', () => {
    expect(nextFreeNumber([], 'plan-review', null, 3)).toBe(3);
    expect(nextFreeNumber(['plan-review-1.md', 'plan-review-3.md'], 'plan-review', null, 1)).toBe(2);
    const files = ['plan-review-1.md', 'plan-post-review-2.md', 'PLAN-REVIEW-3.MD'];
    expect(nextFreeNumber(files, 'plan-review', null, 1)).toBe(4);
  });
});

describe('the names of reviews', () => {
  it.each([
    ['plan-review', null, 'plan'],
    ['tasks-review', null, 'tasks'],
    ['code-review', '12', 'task-12'],
    ['code-review', null, 'task-'],
    ['all-code-review', null, 'all-code'],
  ] as const)('of a %s of task %s begin with %s', (review, task, stem) => {
    expect(reviewFile(review, task, 3)).toBe(`${stem}-review-3.md`);
    expect(postReviewFile(review, task, 3)).toBe(`${stem}-post-review-3.md`);
    expect(reviewNumberOf(`${stem}-review-3.md`, review, task)).toBe(3);
  });

  it.each<[string, NamedReview]>([
    [
      'plan-review-1.md',
      { review: 'plan-review-1.md', isAnswer: false, kind: 'plan-review', task: null, number: 1 },
    ],
    [
      'tasks-post-review-20.md',
      { review: 'tasks-review-20.md', isAnswer: true, kind: 'tasks-review', task: null, number: 20 },
    ],
    [
      'all-code-review-3.md',
      { review: 'all-code-review-3.md', isAnswer: false, kind: 'all-code-review', task: null, number: 3 },
    ],
    [
      'task-07-post-review-123456789.md',
      {
        ...{ review: 'task-07-review-123456789.md', isAnswer: true, kind: 'code-review', task: '07' },
        number: 123456789,
      },
    ],
  ])('%s is read', (file, named) => {
    expect(readReviewName(file)).toEqual(named);
  });

  it.each([
    'plan.md',
    'design-review-1.md',
    'task-x-review-1.md',
    `task-${'1'.repeat(51)}-review-1.md`,
    'plan-review-0.md',
    'plan-review-1234567890.md',
    'plan-review-1.txt',
    'plan-review-1.md.md',
    'my-plan-review-1.md',
    'planreview-1.md',
    'plan-review-.md',
    'plan-review-1xmd',
  ])('%s is none', (file) => {
    expect(readReviewName(file)).toBeNull();
    expect(reviewNumberOf(file, 'plan-review', null)).toBeNull();
  });

  it('are in the order in which a plan goes through them', () => {
    const files = [
      'plan-review-2.md',
      'plan-review-10.md',
      'tasks-review-1.md',
      'task-2-review-9.md',
      'task-10-review-1.md',
      'task-10-post-review-2.md',
      'all-code-review-1.md',
    ];
    const sorted = files
      .toReversed()
      .flatMap((file) => ({ file, named: readReviewName(file) }))
      .sort((left, right) => (left.named && right.named ? byReview(left.named, right.named) : 0));
    expect(sorted.map(({ file }) => file)).toEqual(files);
  });
});

it.each([
  ['.review-1.log', 1],
  ['.review-123456789.log', 123456789],
  ['.review-0.log', null],
  ['.review-1234567890.log', null],
  ['review-1.log', null],
  ['x.review-1.log', null],
  ['.review-1.log.gz', null],
  ['.review-1xlog', null],
])('the log %s has the number %s', (file, number) => {
  expect(logNumberOf(file)).toBe(number);
  if (number !== null) expect(logFile(number)).toBe(file);
});

it('task ids are equal whatever zeros stand before them', () => {
  expect([byTaskId('007', '7'), byTaskId('2', '1'), byTaskId('1', '2')]).toEqual([0, 1, -1]);
  expect([isTaskId('1'.repeat(50)), isTaskId('1'.repeat(51))]).toEqual([true, false]);
  expect([isPlainPlan('x'.repeat(100)), isPlainPlan('x'.repeat(101))]).toEqual([true, false]);
});

it('a plan is named in a command so that no id is read as an option', () => {
  expect(['my-plan', '-odd', '-x y', "it's", 'a\u00adb'].map(planOption)).toEqual([
    ...['--plan my-plan', '--plan=-odd', "--plan='-x y'", "--plan 'it'\\''s'"],
    // A soft hyphen is not seen, and never printed.
    '--plan "$(printf \'a\\302\\255b\')"',
  ]);
});

import { describe, expect, it } from 'vitest';
import { artifacts } from './observe.ts';
import { findViolations } from './validation.ts';

const TABLE = '| Id | Status |\n| --- | --- |\n| 1 | pending |\n';
const check = (files: readonly string[], tasks: string | null = null, nested = false) =>
  findViolations({ files: tasks === null ? files : [...files, 'tasks.md'], nested, tasks });

describe('the structure of a plan folder', () => {
  it('is sound with every kind of file in it', () => {
    const files = [
      'plan.md',
      'design.md',
      'task-1.md',
      'task-1-review-1.md',
      'task-1-post-review-1.md',
      ...['plan', 'design', 'tasks', 'all-code'].flatMap((base) => [
        `${base}-review-12.md`,
        `${base}-post-review-12.md`,
      ]),
    ];
    expect(check(files, TABLE)).toEqual([]);
  });

  it('rule 1: needs plan.md', () => {
    expect(check([])).toEqual(['Missing required file: plan.md']);
  });

  it.each([
    'notes.md',
    'Plan.md',
    'task-.md',
    'task-a b.md',
    'plan-review-.md',
    'plan-review-x.md',
    'plan-1.md',
    'code-review-1.md',
    'my-task-1.md',
    'task-1.md.md',
    'my-plan.md',
    'my-plan-review-1.md',
  ])('rule 2: takes no file called %s', (file) => {
    expect(check(['plan.md', file], TABLE)).toEqual([`Invalid filename: ${file}`]);
  });

  it('rule 6 is not about a file whose name only ends like a task’s', () => {
    expect(check(['plan.md', 'my-task-1.md'])).toEqual(['Invalid filename: my-task-1.md']);
    expect(check(['plan.md', 'task-1.md.md'])).toEqual(['Invalid filename: task-1.md.md']);
  });

  it('rule 3: takes no markdown in folders below', () => {
    expect(check(['plan.md'], null, true)).toEqual(['Files found in nested directories']);
  });

  it('rule 4: a review needs what it reviews', () => {
    expect(check(['plan.md', 'design-review-1.md', 'tasks-review-12.md'])).toEqual([
      'design-review-1.md requires design.md',
      'tasks-review-12.md requires tasks.md',
    ]);
    expect(check(['plan.md', 'all-code-review-1.md'])).toEqual([]);
  });

  it.each([
    ['plan-post-review-1.md', 'plan-review-1.md'],
    ['all-code-post-review-2.md', 'all-code-review-2.md'],
    ['task-10-post-review-3.md', 'task-10-review-3.md'],
  ])('rule 5: %s requires %s', (file, needed) => {
    expect(check(['plan.md', file], TABLE)).toEqual([`${file} requires ${needed}`]);
  });

  it('rule 6: task files need tasks.md', () => {
    expect(check(['plan.md', 'task-1.md'])).toEqual(['Task files exist but tasks.md is missing']);
  });

  it('rule 7: tasks.md is a table and nothing else', () => {
    expect(check(['plan.md'], `# Tasks\n${TABLE}`)).toEqual(['tasks.md contains non-table content']);
    expect(check(['plan.md'], '')).toEqual(['tasks.md has no table rows']);
    expect(check(['plan.md'], ' \n\r\n')).toEqual(['tasks.md has no table rows']);
    expect(check(['plan.md'], 'prose')).toEqual([
      'tasks.md contains non-table content',
      'tasks.md has no table rows',
    ]);
  });

  it.each(['| 2 | pending', '|', '2 | pending |', '| 2 | pending | x'])(
    'rule 7: a row begins and ends with a pipe, unlike %s',
    (row) => {
      expect(check(['plan.md'], `${TABLE}${row}  \r\n`)).toEqual(['tasks.md contains non-table content']);
    },
  );

  it('rule 7 looks line by line: a blank line, CRLF, indentation, trailing spaces and a bad delimiter row are fine', () => {
    const text = '\uFEFF  | Id | Status |  \r\n| --- |\r\n\r\n| 1 | pending |\t\r\n \t\r\n';
    expect(check(['plan.md'], text)).toEqual([]);
  });

  it('lists every violation at once', { tags: ['T-hook-6.b'] }, () => {
    expect(check(['x.md', 'design-review-1.md', 'plan-post-review-1.md'], 'prose', true)).toHaveLength(7);
  });
});

it('what the agent makes in a plan folder: answers to reviews and task files', () => {
  const made = ['plan-post-review-1.md', 'task-12.md', 'task-1-post-review-10.md'];
  const others = ['plan.md', 'tasks.md', 'plan-review-1.md', 'task-1-review-1.md', 'task-.md', 'state.json'];
  const folder = { name: 'plan', path: '/plan', files: [...others, ...made], nested: false };
  expect(artifacts({ folder, stateText: null })).toEqual(made.map((file) => `/plan/${file}`));
});

// The one instruction for each thing there can be to do, word for word.

import { describe, expect, it } from 'vitest';
import { projectIn } from '../../../../test/support/bare-project.ts';
import { readState } from '../state-format.ts';
import { instruct } from './instructions.ts';
import type { Todo } from './todo.ts';
import type { PlanOnDisk } from './which-plan.ts';

const project = projectIn('/work/project', { cli: 'hf' });
const onDisk = (fields: object | null = { current_task: '2', max_reviews: 5 }, plan = 'p'): PlanOnDisk => {
  const stateText = fields === null ? null : JSON.stringify(fields);
  const folder = { name: plan, path: `/plans/my ${plan}`, files: [], nested: false };
  return { plan, folder, stateText, state: readState(stateText) };
};
const STATED = { phase: 'resting', next: 'dancing' };
const said = (todo: Todo, found = onDisk(), unmarked: string | null = null): string =>
  instruct(todo, found, project, STATED, unmarked);

const LAST_STEP =
  'Find the last finished step: read `git log` for this project and the files of the plan folder (plan.md, tasks.md, the statuses in the task files, the reviews). Then write it down: ';
const REBUILT =
  '`hf taskie record new-plan --plan p` and, right after it, `hf taskie record ACTION --plan p` for that last finished step (create-tasks; or complete-task or complete-task-tdd with --task ID; nothing more if only the plan is written). Then run `hf taskie next --plan p` and follow it.';

describe('an instruction', () => {
  it.each<[Todo, string]>([
    [
      { kind: 'post-review', action: 'post-code-review', review: 'code-review', number: 3 },
      'do post-code-review (skill taskie:post-code-review) on the review /plans/my p/task-2-review-3.md. Write /plans/my p/task-2-post-review-3.md; if it is there already and answers every finding, only what follows is left: run `hf taskie record post-code-review --plan p`, then stop.',
    ],
    [
      { kind: 'review-lost', action: 'post-plan-review', review: 'plan-review' },
      'state.json waits for post-plan-review, but /plans/my p holds no such review. Tell the user, and ask whether to put the review back, to have a new one ("next_phase": "plan-review" in state.json) or to leave the loop ("next_phase": null).',
    ],
    [
      { kind: 'stop', review: 'code-review' },
      'everything is ready for the code review of task 2. Stop now, without doing anything else: the hook then starts the review.',
    ],
    [
      { kind: 'stop-at-limit', review: 'code-review' },
      'the code review of task 2 is next, but all 5 reviews that max_reviews allows have run. Tell the user, who decides: raise "max_reviews" or set "next_phase" in /plans/my p/state.json. Then stop.',
    ],
    [
      { kind: 'continue-task', task: '7' },
      'go on with task 7 (skill taskie:continue-task): finish what is open in /plans/my p/task-7.md.',
    ],
    [
      { kind: 'implement', action: 'complete-task-tdd', task: '7' },
      'do task 7 with complete-task-tdd (skill taskie:complete-task-tdd); it is described in /plans/my p/task-7.md. When its work is done, run `hf taskie record complete-task-tdd --task 7 --plan p` and stop.',
    ],
    [
      { kind: 'task-unknown', next: 'code-review' },
      'code-review is next, but state.json names no current task whose file exists. Ask the user which task it is, then run `hf taskie record complete-task --task ID --plan p` once its work is done.',
    ],
    [
      { kind: 'nothing-pending', next: 'complete-task' },
      'complete-task is next, but no further task is pending in tasks.md. Ask the user: either have all code reviewed ("next_phase": "all-code-review" and "phase_iteration": 0 in /plans/my p/state.json, then stop), or finish the plan (`hf taskie record complete --plan p`).',
    ],
    [
      { kind: 'ask' },
      'nothing follows by itself here (phase resting, task 2, next dancing). Show the user this, and ask whether to run an action again, go to another phase, or do something else.',
    ],
    [
      { kind: 'rebuild', broken: true },
      `/plans/my p/state.json is not a JSON object. ${LAST_STEP}\`mv '/plans/my p/state.json' '/plans/my p/state.json.broken'\`, then ${REBUILT}`,
    ],
    [{ kind: 'rebuild', broken: false }, `/plans/my p/state.json does not exist. ${LAST_STEP}${REBUILT}`],
    [
      { kind: 'finish-plan' },
      'plan.md is missing or unfinished. Go on with the skill taskie:new-plan from what /plans/my p already holds; state.json is there already, so record nothing. When plan.md is whole, stop.',
    ],
    [
      { kind: 'create-tasks' },
      'write the tasks (skill taskie:create-tasks): tasks.md and one task file per row in /plans/my p, then run `hf taskie record create-tasks --plan p` and stop.',
    ],
    [
      { kind: 'complete' },
      'no review is outstanding any more. Run `hf taskie record complete --plan p`, then tell the user that all tasks of the plan are done.',
    ],
    [{ kind: 'done' }, 'it is complete. Tell the user that all of its tasks are done.'],
  ])('for %j', (todo, text) => {
    expect(said(todo)).toBe(`Plan 'p': ${text}`);
  });

  it('knows no task and no limit where the state does not', () => {
    expect(said({ kind: 'ask' }, onDisk({}))).toContain('(phase resting, task none, next dancing)');
    expect(said({ kind: 'stop', review: 'code-review' }, onDisk(null))).toContain('code review of task ?');
    expect(said({ kind: 'stop-at-limit', review: 'plan-review' }, onDisk(null))).toContain(
      'but all 0 reviews',
    );
  });

  it('names an id that begins like an option so that it is none', () => {
    expect(said({ kind: 'complete' }, onDisk({}, '-p'))).toContain('`hf taskie record complete --plan=-p`');
  });

  it('says first which row is to be set to done, and why', () => {
    const todo: Todo = { kind: 'done' };
    const plain = said(todo);
    expect(said(todo, onDisk(), '4')).toBe(
      `${plain} But first set the row of task 4 in tasks.md to done: its review has passed.`,
    );
    expect(said(todo, onDisk({ max_reviews: 0 }), '4')).toBe(
      `${plain} But first set the row of task 4 in tasks.md to done: it was completed, and reviews are off.`,
    );
    expect(said(todo, onDisk(null), '4')).toBe(
      `${plain} But first set the row of task 4 in tasks.md to done: its review has passed.`,
    );
  });
});

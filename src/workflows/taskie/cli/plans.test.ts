// A plan as a status line, views, the driver and commands show it, from files and without a process.

import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { FULL_STATE, TASKS, taskText } from '../../../../test/fixtures/taskie/plan.ts';
import { emptyFolder, projectIn } from '../../../../test/support/bare-project.ts';
import { called } from '../../../../test/support/call.ts';
import type { Project } from '../../../engine/project.ts';
import type { Command } from '../../../engine/workflow-cli.ts';
import { bind } from '../../../store/sidecars.ts';
import { listPlans, openPlan } from '../files.ts';
import { liveRuns } from '../short.ts';
import { stands } from './driven.ts';
import { next } from './next.ts';
import { record } from './record.ts';
import { shown, stateOf } from './shown.ts';
import { status } from './status.ts';
import { validate } from './validate.ts';
import { planMeant, readPlan } from './which-plan.ts';

let root: string;
let project: Project;
beforeEach(() => {
  root = emptyFolder();
  project = projectIn(root, { env: { CLAUDE_CODE_SESSION_ID: 'session-1' } });
});

const at = (name: string, plan = 'my-plan'): string => path.join(root, '.taskie/plans', plan, name);
const put = (name: string, text: string, plan = 'my-plan'): void => {
  fs.mkdirSync(path.dirname(at(name, plan)), { recursive: true });
  fs.writeFileSync(at(name, plan), text);
};
const setState = (fields: object, plan = 'my-plan'): void =>
  put('state.json', JSON.stringify({ ...FULL_STATE, ...fields }), plan);
const sound = (fields: object = {}): void => {
  put('plan.md', '# Plan\n\n## Overview\n\nSmall.\n');
  put('tasks.md', TASKS);
  put('task-1.md', taskText('1'));
  put('task-2.md', taskText('2'));
  setState(fields);
};
const none = 'there is no .taskie/plans here or above. Begin with /taskie:new-plan.';

describe('the plans in a status line', () => {
  it.each([
    [{}, 'plan-review'],
    [{ phase: 'plan-review', phase_iteration: 2, next_phase: 'post-plan-review' }, 'plan-review 2/8'],
    [
      { phase: 'post-code-review', phase_iteration: 1, next_phase: 'code-review', current_task: '3' },
      'task 3, post-code-review 1/8',
    ],
    [{ phase: 'code-review', phase_iteration: null, next_phase: 'complete-task' }, 'complete-task'],
    [
      { phase: 'complete-task', phase_iteration: 0, next_phase: 'code-review', current_task: '1' },
      'task 1, code-review',
    ],
  ])('stand where %j says', (fields, stand) => {
    setState(fields);
    expect(liveRuns(project)).toEqual([{ run: 'my-plan', stands: stand }]);
  });

  it('are only those with something next', () => {
    setState({ next_phase: null });
    put('state.json', '[]', 'broken');
    put('plan.md', 'x', 'stateless');
    expect(liveRuns(project)).toEqual([]);
  });

  it('are the five that changed last', () => {
    for (const [index, plan] of ['a', 'b', 'c', 'd', 'e', 'f'].entries()) {
      setState({}, plan);
      fs.utimesSync(at('state.json', plan), 100 + index, 100 + index);
    }
    expect(liveRuns(project).map(({ run }) => run)).toEqual(['f', 'e', 'd', 'c', 'b']);
  });
});

describe('a plan as views show it', () => {
  const view = () => shown(root, readPlan(project, 'my-plan'));

  it('is what is next, how far its reviews are, and its title', () => {
    put('plan.md', '\n  \n## Move the sessions \nmore\n');
    put('.hidden', 'x');
    setState({ phase: 'plan-review', phase_iteration: 2, next_phase: 'post-plan-review' });
    expect(view()).toEqual({
      state: 'post-plan-review',
      progress: { unit: 'review', at: 2, of: 8 },
      asked: 'Move the sessions',
      startedAt: null,
      files: [at('plan.md'), at('state.json')],
    });
  });

  it('has progress in a review and in its answer alone', () => {
    setState({ phase: 'post-plan-review', phase_iteration: 0, next_phase: 'plan-review' });
    expect(view().progress).toEqual({ unit: 'review', at: 0, of: 8 });
    setState({ phase: 'plan-review', phase_iteration: null });
    expect(view().progress).toBeNull();
    setState({ phase: 'new-plan', phase_iteration: 1 });
    expect(view().progress).toBeNull();
  });

  it('is called by its id where it has no title, and has no state where nobody can read it', () => {
    put('plan.md', '###\n');
    put('state.json', '[]');
    expect(view()).toMatchObject({ state: null, progress: null, asked: 'my-plan' });
    fs.rmSync(at('plan.md'));
    expect(view().asked).toBe('my-plan');
  });

  it.each([
    [{ kind: 'known', next: 'complete' }, 'complete'],
    [{ kind: 'known', next: null }, 'nothing next'],
    [{ kind: 'broken', next: 'complete' }, null],
    [null, null],
  ])('was at a recorded stop, of %j, at %s', (state, words) => {
    expect(stateOf(state)).toBe(words);
  });
});

describe('a plan as the driver sees it', () => {
  const stand = () => stands(project, 'my-plan');

  it('is over once it is complete', () => {
    sound({ phase: 'complete', next_phase: null });
    expect(stand()).toEqual({ kind: 'over', outcome: 'completed' });
  });

  it.each([
    ['plan-review', 'create-tasks', 'plan'],
    ['tasks-review', 'complete-task', 'tasks'],
    ['tasks-review', 'complete-task-tdd', 'tasks'],
    ['code-review', 'complete-task', 'task'],
    ['code-review', 'all-code-review', 'task'],
    ['all-code-review', 'complete', null],
    ['post-plan-review', 'create-tasks', null],
    ['post-tasks-review', 'tasks-review', null],
    ['tasks-review', 'create-tasks', null],
    ['plan-review', 'complete-task', null],
    ['post-code-review', 'code-review', null],
  ])('goes on after %s to %s, and has reached %s', (phase, next_phase, reached) => {
    sound({ phase, next_phase, current_task: '1', phase_iteration: 1 });
    expect(stand()).toEqual({ kind: 'goes-on', reached });
  });

  it('is not beyond a code review that is next', () => {
    sound({ phase: 'code-review', next_phase: 'code-review', current_task: '1', phase_iteration: 1 });
    expect(stand()).toEqual({ kind: 'goes-on', reached: null });
  });

  it.each([
    [{ phase: 'code-review', next_phase: 'post-code-review', current_task: '1' }],
    [{ phase: 'complete-task', next_phase: null, current_task: '1' }],
  ])('is active in %j', (fields) => {
    sound(fields);
    put('task-1-review-1.md', 'x');
    setState({ ...fields, phase_iteration: 1 });
    expect(stand()).toEqual({ kind: 'active' });
  });

  it('is active where its state is to be built again', () => {
    sound();
    fs.rmSync(at('state.json'));
    expect(stand()).toEqual({ kind: 'active' });
  });

  it.each([
    [
      { phase: 'plan-review', next_phase: null },
      /^Plan 'my-plan': nothing follows by itself here \(phase plan-review, task none, next /,
    ],
    [
      { phase: 'new-plan', next_phase: 'plan-review', phase_iteration: 8 },
      /^Plan 'my-plan': the plan review is next, but all 8 reviews that max_reviews allows have run\./,
    ],
    [
      { phase: 'plan-review', next_phase: 'post-plan-review', phase_iteration: 1 },
      /^Plan 'my-plan': state\.json waits for post-plan-review, but .+ holds no such review\./,
    ],
    [
      { phase: 'complete-task', next_phase: 'code-review', current_task: null },
      /^Plan 'my-plan': code-review is next, but state\.json names no current task whose file exists\./,
    ],
  ])('is a person’s in %j', (fields, why) => {
    sound(fields);
    expect(stand()).toEqual({ kind: 'person', why: expect.stringMatching(why) });
  });

  it('is a person’s where no task is left', () => {
    sound({ phase: 'new-plan', next_phase: 'complete-task' });
    put('tasks.md', TASKS.replaceAll('pending', 'done'));
    expect(stand()).toEqual({ kind: 'person', why: expect.stringContaining('no further task is pending') });
  });
});

describe('the plan that a command means', () => {
  it('is the one that is named, else this session’s, else the newest', () => {
    for (const [index, plan] of ['a', 'b', 'c'].entries()) {
      setState({}, plan);
      fs.utimesSync(at('state.json', plan), 100 + index, 100 + index);
    }
    expect(planMeant(project, 'b', 'only')).toBe('b');
    expect(planMeant(project, undefined, 'newest')).toBe('c');
    expect(() => planMeant(project, undefined, 'only')).toThrow(
      'there are several plans: c, b, a. Say which with --plan ID.',
    );
    bind(root, 'taskie:a', ['session-1']);
    expect(planMeant(project, undefined, 'only')).toBe('a');
  });

  it('is the only one there is', () => {
    setState({});
    expect(planMeant(project, undefined, 'only')).toBe('my-plan');
  });

  it.each([
    [
      'x',
      () => {},
      /^there is no plan "x" in .+\/\.taskie\/plans\. There is none yet: write its plan\.md there first\.$/,
    ],
    ['x', () => setState({}), /^there is no plan "x" in .+\/\.taskie\/plans\. There are: my-plan\.$/],
    ['.a b', () => {}, /^--plan: a plan is named like its folder, and this name begins with a dot\.$/],
  ])('is refused as %j', (plan, arrange, words) => {
    arrange();
    expect(() => planMeant(project, plan, 'newest')).toThrow(words);
  });

  it('is none where there is none', () => {
    expect(() => planMeant(project, undefined, 'newest')).toThrow(
      'there is no plan in .taskie/plans here. Begin with /taskie:new-plan.',
    );
    expect(() => readPlan(project, 'x')).toThrow(`there is no plan "x" in ${root}/.taskie/plans.`);
  });

  it.each<[string, Command]>([
    ['next', next],
    ['record', record],
    ['status', status],
    ['validate', validate],
  ])('cannot be told outside of a project: %s', async (_, command) => {
    expect(await called(command, null, { words: command === record ? ['complete'] : [] })).toEqual([
      'NotNow',
      none,
    ]);
  });
});

describe('taskie record', () => {
  it('writes what is done, and says what follows', async () => {
    sound({ phase: 'plan-review', next_phase: 'create-tasks', phase_iteration: 2 });
    const [code, ...lines] = await called(record, project, { words: ['create-tasks'] });
    expect([code, lines.at(-1)]).toEqual([
      '0',
      expect.stringContaining('Stop now: the tasks-review starts when you do.'),
    ]);
    expect(JSON.parse(fs.readFileSync(at('state.json'), 'utf8'))).toEqual({
      ...FULL_STATE,
      phase: 'create-tasks',
      next_phase: 'tasks-review',
    });
  });

  it('in a plain terminal leaves the plan to the next session', async () => {
    sound({ phase: 'plan-review', next_phase: 'create-tasks' });
    expect(await called(record, projectIn(root), { words: ['create-tasks'] })).toContain(
      'No client session runs this command, so the plan goes to the next session that stops here.',
    );
  });

  it('is refused where the action does not fit, and writes nothing', async () => {
    sound({ phase: 'plan-review', next_phase: 'post-plan-review' });
    const before = fs.readFileSync(at('state.json'), 'utf8');
    const [kind, words] = await called(record, project, { words: ['post-plan-review'] });
    expect([kind, words]).toEqual([
      'NotNow',
      expect.stringContaining('there is no plan-review in the plan folder'),
    ]);
    expect(fs.readFileSync(at('state.json'), 'utf8')).toBe(before);
  });

  it.each([
    [
      ['dance'],
      {},
      /^taskie record: there is no action "dance"\. Actions: new-plan, create-tasks, .+, complete\.$/,
    ],
    [['complete-task'], {}, /^taskie record complete-task: say which task with --task ID\.$/],
    [['add-task'], {}, /^taskie record add-task: say which task with --task ID\.$/],
    [['complete'], { task: '1' }, /^taskie record complete takes no --task\.$/],
    [['complete-task'], { task: 'x' }, /^--task: a task id is a number, like 3\.$/],
  ])('is used wrongly as %j %j', async (words, flags, said) => {
    sound();
    expect(await called(record, project, { words, flags })).toEqual([
      'WrongUsage',
      expect.stringMatching(said),
    ]);
  });
});

describe('the files of a plan', () => {
  it('are nested where there is markdown in a folder below, however deep', () => {
    sound();
    expect(openPlan(root, 'my-plan')?.nested).toBe(false);
    put('a/b/notes.txt', 'x');
    put('a/.hidden.md', 'x');
    expect(openPlan(root, 'my-plan')?.nested).toBe(false);
    put('a/b/c/notes.md', 'x');
    expect(openPlan(root, 'my-plan')?.nested).toBe(true);
    expect(openPlan(root, 'my-plan')?.files).toEqual([
      'plan.md',
      'state.json',
      'task-1.md',
      'task-2.md',
      'tasks.md',
    ]);
  });

  it('are none of a plan that is no folder, has no fit name, or leads out', () => {
    fs.mkdirSync(path.join(root, '.taskie/plans'), { recursive: true });
    fs.writeFileSync(path.join(root, '.taskie/plans/file'), 'x');
    fs.symlinkSync(path.dirname(root), path.join(root, '.taskie/plans/out'));
    for (const plan of ['file', 'out', 'a b', 'none'])
      expect([plan, openPlan(root, plan)]).toEqual([plan, null]);
    expect(listPlans(root)).toEqual([]);
  });

  it('tell by their times which plan was changed last, of two at once the later name', () => {
    for (const plan of ['a', 'b', 'c']) put('plan.md', 'x', plan);
    put('notes.txt', 'x', 'c');
    put('notes.txt', 'x', 'without');
    for (const [plan, time] of [
      ['a', 200],
      ['b', 100],
      ['c', 100],
    ] as const)
      fs.utimesSync(at('plan.md', plan), time, time);
    expect(listPlans(root)).toEqual(['a', 'c', 'b']);
  });
});

// The commands of taskie, as an agent or a person runs them: record, next, status, validate, cancel.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FULL_STATE, type PlanProject, planProject, TASKS, taskText } from '../fixtures/taskie/plan.ts';
import { runCli } from '../support/hook.ts';
import { tempProject } from '../support/project.ts';

let project: PlanProject;

beforeEach(() => {
  project = planProject();
});

afterEach(() => project.remove());

const record = (...words: string[]) => project.holdfast(['taskie', 'record', ...words], 's');
const next = () => project.holdfast(['taskie', 'next'], 's');

describe('taskie record', () => {
  it('new-plan writes all eight fields, laid out for people, and says how to leave the loop', {
    tags: ['T-field-review_model', 'T-action-2', 'T-action-2.b'],
  }, async () => {
    const { stdout, exitCode } = await record('new-plan');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('set "next_phase": null or "max_reviews": 0 in');
    expect(project.read('.taskie/plans/my-plan/state.json')).toBe(`${JSON.stringify(FULL_STATE, null, 2)}\n`);
  });

  it('create-tasks keeps max_reviews and tdd and begins the tasks review', {
    tags: ['T-field-current_task', 'T-action-3', 'T-action-3.a'],
  }, async () => {
    project.setState({
      max_reviews: 3,
      tdd: true,
      current_task: '1',
      review_model: 'sonnet',
      phase_iteration: 4,
    });
    await record('create-tasks');
    expect(project.state()).toEqual({
      max_reviews: 3,
      current_task: null,
      phase: 'create-tasks',
      phase_iteration: 0,
      next_phase: 'tasks-review',
      review_model: 'opus',
      consecutive_clean: 0,
      tdd: true,
    });
  });

  it.each([
    ['complete-task', false],
    ['complete-task-tdd', true],
  ])(
    '%s begins the code review of its task, with tdd %s, and keeps max_reviews',
    { tags: ['T-field-phase_iteration', 'T-action-5.a', 'T-action-5.b'] },
    async (action, tdd) => {
      project.setState({ max_reviews: 3, tdd: !tdd, review_model: 'sonnet', consecutive_clean: 2 });
      await record(action, '--task', '2');
      expect(project.state()).toEqual({
        max_reviews: 3,
        current_task: '2',
        phase: action,
        phase_iteration: 0,
        next_phase: 'code-review',
        review_model: 'opus',
        consecutive_clean: 0,
        tdd,
      });
    },
  );

  it.each(['next-task', 'next-task-tdd'])(
    '%s lets nothing follow',
    { tags: ['T-field-phase_iteration', 'T-field-next_phase', 'T-action-4', 'T-action-4.a'] },
    async (action) => {
      project.setState({ tdd: true });
      await record(action, '--task', '1');
      expect(project.state()).toMatchObject({
        phase: action,
        current_task: '1',
        next_phase: null,
        tdd: true,
      });
      expect((await project.stop({ session_id: 's' })).answer?.decision).toBeUndefined();
      expect(project.calls()).toEqual([]);
    },
  );

  it.each(['code-review', null])(
    'continue-task leaves next_phase (%s) as it is',
    { tags: ['T-flow-5', 'T-action-10'] },
    async (following) => {
      project.setState({ phase: 'complete-task', current_task: '1', next_phase: following });
      await record('continue-task');
      expect(project.state()).toMatchObject({ phase: 'continue-task', next_phase: following });
    },
  );

  it('continue-task is refused while an answer is owed, and the loop goes on', async () => {
    project.put('task-1-review-1.md', 'findings');
    const owed = {
      phase: 'code-review',
      current_task: '1',
      next_phase: 'post-code-review',
      phase_iteration: 1,
    };
    project.setState(owed);
    await next();
    const { stderr, exitCode } = await record('continue-task');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('phase code-review, task 1, next post-code-review');
    expect(stderr).toContain('It fits once `record post-code-review` has run');
    expect(project.state()).toMatchObject(owed);
    expect((await project.stop({ session_id: 's' })).answer?.decision).toBe('block');
  });

  it.each(['plan-review', 'tasks-review', 'code-review', 'all-code-review'])(
    '%s by itself lets nothing follow',
    { tags: ['T-action-6', 'T-action-8', 'T-action-9', 'T-action-11'] },
    async (review) => {
      project.setState({ current_task: '1', phase_iteration: 2 });
      await record(review);
      expect(project.state()).toMatchObject({ phase: review, next_phase: null, phase_iteration: null });
    },
  );

  it.each([
    ['plan-review', 'plan-review-1.md'],
    ['tasks-review', 'tasks-review-1.md'],
    ['code-review', 'task-1-review-1.md'],
    ['all-code-review', 'all-code-review-1.md'],
  ])(
    'post-%s goes back to the review in a loop, and nowhere outside one',
    { tags: ['T-action-7', 'T-action-7.a', 'T-action-7.b', 'T-action-8.a', 'T-action-9.a', 'T-action-11'] },
    async (review, file) => {
      project.put(file, 'x');
      project.setState({
        current_task: '1',
        phase: review,
        next_phase: `post-${review}`,
        phase_iteration: 1,
      });
      await record(`post-${review}`);
      expect(project.state()).toMatchObject({
        phase: `post-${review}`,
        next_phase: review,
        phase_iteration: 1,
      });
      project.setState({ current_task: '1', phase: review, next_phase: null, phase_iteration: null });
      await record(`post-${review}`);
      expect(project.state()).toMatchObject({ phase: `post-${review}`, next_phase: null });
    },
  );

  it('add-task makes the new task current when there is none', { tags: ['T-action-12'] }, async () => {
    project.setState({ current_task: null, next_phase: 'complete-task' });
    await record('add-task', '--task', '2');
    expect(project.state()).toMatchObject({
      phase: 'new-plan',
      current_task: '2',
      next_phase: 'complete-task',
    });
    await record('add-task', '--task', '1');
    expect(project.state()).toMatchObject({ current_task: '2' });
  });

  it('complete ends the plan', { tags: ['T-advance-4', 'T-action-1.n', 'T-accept-3.3.3.e'] }, async () => {
    project.setState({ phase: 'all-code-review', next_phase: 'complete', current_task: '2' });
    project.put('tasks.md', TASKS.replaceAll('pending', 'done'));
    await record('complete');
    expect(project.state()).toMatchObject({ phase: 'complete', next_phase: null, current_task: '2' });
  });

  it('refuses what does not fit, says where the plan stands and what would fit, and writes nothing', async () => {
    project.setState({});
    const before = project.read('.taskie/plans/my-plan/state.json');
    const refused = await record('post-plan-review');
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
    expect(refused.stderr).toContain('phase new-plan, task none, next plan-review');
    expect(refused.stderr).toContain('It fits after that review');
    expect(refused.stderr.trim().split('\n')).toHaveLength(1);
    expect((await record('new-plan')).exitCode).toBe(1);
    expect((await record('complete')).exitCode).toBe(1);
    expect((await record('complete-task', '--task', '9')).stderr).toContain('there is no task-9.md');
    expect(project.read('.taskie/plans/my-plan/state.json')).toBe(before);
    expect(project.exists('.holdfast/runs/taskie-my-plan.json')).toBe(false);
  });

  it('leaves a state.json that is not JSON alone', async () => {
    project.put('state.json', '{"phase": ');
    expect(await record('create-tasks')).toMatchObject({ exitCode: 1 });
    expect(project.read('.taskie/plans/my-plan/state.json')).toBe('{"phase": ');
  });

  it.each([
    ['an unknown action', ['finish']],
    ['a missing task', ['complete-task']],
    ['a task that is no number', ['complete-task', '--task', '../1']],
    ['a task where none belongs', ['create-tasks', '--task', '1']],
    ['a plan id that would leave the folder', ['create-tasks', '--plan', '../x']],
    ['an unknown flag', ['create-tasks', '--force']],
  ])('is used wrongly with %s: exit 2, one line', async (_, words) => {
    project.setState({});
    const ran = await record(...words);
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ran.stderr.trim().split('\n')).toHaveLength(1);
  });

  it('does not guess between several plans that are nobody’s', async () => {
    project.write('.taskie/plans/other/plan.md', 'x');
    expect(await record('create-tasks')).toMatchObject({ exitCode: 2 });
    await project.holdfast(['taskie', 'record', 'new-plan', '--plan', 'other'], 's');
    expect(project.exists('.taskie/plans/other/state.json')).toBe(true);
    await record('create-tasks');
    expect(project.read('.taskie/plans/other/state.json')).toContain('"create-tasks"');
  });

  it('works in a Codex session, whose stops are then held too', {
    tags: ['T-clarify-7', 'T-codex-1'],
  }, async () => {
    await project.holdfast(['taskie', 'record', 'new-plan'], null, {
      env: { CODEX_SESSION_ID: 'c', CODEX_THREAD_ID: 'c' },
    });
    const payload = {
      session_id: 'c',
      turn_id: 't',
      hook_event_name: 'Stop',
      model: 'gpt',
      transcript_path: null,
    };
    const { answer } = await project.stop({
      ...payload,
      permission_mode: 'default',
      stop_hook_active: false,
    });
    expect(answer?.decision).toBe('block');
    expect(answer?.reason).toContain('plan-review-1.md');
  });
});

describe('taskie next', () => {
  it.each([
    ['plan-review', 'plan-review-2.md'],
    ['tasks-review', 'tasks-review-2.md'],
    ['code-review', 'task-1-review-2.md'],
    ['all-code-review', 'all-code-review-2.md'],
  ])(
    'with post-%s next: do it on the highest-numbered review',
    { tags: ['T-action-1.a', 'T-action-1.b', 'T-action-1.c', 'T-action-1.d'] },
    async (review, file) => {
      project.put(file.replace('2', '1'), 'x');
      project.put(file, 'x');
      project.setState({
        phase: review,
        next_phase: `post-${review}`,
        current_task: '1',
        phase_iteration: 1,
      });
      const { stdout } = await next();
      expect(stdout).toContain(`do post-${review}`);
      expect(stdout).toContain(`/${file}`);
      expect(stdout).toContain(`taskie record post-${review} --plan my-plan`);
    },
  );

  it.each([
    [
      'a review next after its post-review',
      { phase: 'post-plan-review', next_phase: 'plan-review' },
      'Stop now',
    ],
    ['a code review next, subtasks done', { next_phase: 'code-review', current_task: '1' }, 'Stop now'],
    [
      'an all-code review next, subtasks done',
      { next_phase: 'all-code-review', current_task: '1' },
      'Stop now',
    ],
    ['a plan review next, plan.md whole', { phase: 'new-plan', next_phase: 'plan-review' }, 'Stop now'],
    [
      'a tasks review next, tasks.md with rows',
      { phase: 'create-tasks', next_phase: 'tasks-review' },
      'Stop now',
    ],
    ['create-tasks next', { phase: 'plan-review', next_phase: 'create-tasks' }, 'skill taskie:create-tasks'],
    [
      'complete-task next',
      { phase: 'tasks-review', next_phase: 'complete-task' },
      'do task 1 with complete-task ',
    ],
    [
      'complete-task-tdd next',
      { phase: 'tasks-review', next_phase: 'complete-task-tdd' },
      'with complete-task-tdd ',
    ],
    [
      'complete next',
      { phase: 'all-code-review', next_phase: 'complete' },
      'taskie record complete --plan my-plan',
    ],
    [
      'nothing next, a task under way',
      { phase: 'next-task', next_phase: null, current_task: '2' },
      'with task 2',
    ],
    ['nothing next, complete', { phase: 'complete', next_phase: null }, 'it is complete'],
    [
      'nothing next, anything else',
      { phase: 'code-review', next_phase: null },
      'phase code-review, task none, next none',
    ],
    [
      'a phase nobody knows',
      { phase: 'my-phase', next_phase: 'my-next' },
      'phase my-phase, task none, next my-next',
    ],
  ])(
    'with %s: one instruction',
    {
      tags: [
        'T-action-1.e',
        'T-action-1.f',
        'T-action-1.h',
        'T-action-1.j',
        'T-action-1.l',
        'T-action-1.m',
        'T-action-1.n',
        'T-action-1.o',
        'T-action-1.p',
        'T-action-1.q',
        'T-accept-3.3.3.e',
      ],
    },
    async (_, state, expected) => {
      project.setState(state);
      if (Reflect.get(state, 'next_phase') === 'complete')
        project.put('tasks.md', TASKS.replaceAll('pending', 'done'));
      const { stdout, exitCode } = await next();
      expect(exitCode).toBe(0);
      expect(stdout).toContain(expected);
      expect(stdout.trim().split('\n')).toHaveLength(1);
    },
  );

  it('with a code review next and open subtasks: continue-task', {
    tags: ['T-flow-5', 'T-action-1.g'],
  }, async () => {
    project.put('task-1.md', taskText('1', 'pending'));
    project.setState({ phase: 'complete-task', next_phase: 'code-review', current_task: '1' });
    expect((await next()).stdout).toMatch(/skill taskie:continue-task/);
    project.setState({ phase: 'continue-task', next_phase: 'all-code-review', current_task: '1' });
    expect((await next()).stdout).toMatch(/skill taskie:continue-task/);
  });

  it('with a plan review next and plan.md unfinished: new-plan, going on with what is there', {
    tags: ['T-action-1.h', 'T-action-1.i'],
  }, async () => {
    project.put('plan.md', '# Half a plan\n');
    project.setState({ phase: 'new-plan', next_phase: 'plan-review' });
    expect((await next()).stdout).toMatch(/skill taskie:new-plan from what .* already holds/);
    project.put('plan.md', '# Long\n'.repeat(60));
    expect((await next()).stdout).toMatch(/Stop now/);
  });

  it('with a tasks review next and no task rows: create-tasks', { tags: ['T-action-1.k'] }, async () => {
    project.put('tasks.md', '| Id | Status |\n|---|---|\n');
    project.setState({ phase: 'create-tasks', next_phase: 'tasks-review' });
    expect((await next()).stdout).toMatch(/skill taskie:create-tasks/);
  });

  it('never offers the task that has just passed, and names its row', async () => {
    project.put(
      'tasks.md',
      '| Id | Status |\n|---|---|\n| 10 | pending |\n| 9 | pending |\n| 1 | pending |\n',
    );
    project.setState({ phase: 'code-review', next_phase: 'complete-task', current_task: '1' });
    const { stdout } = await next();
    expect(stdout).toContain('do task 9');
    expect(stdout).toContain('set the row of task 1 in tasks.md to done');
  });

  it('names the row of the task that has just passed on the way to the review of all code', async () => {
    project.put('tasks.md', '| Id | Status |\n|---|---|\n| 1 | pending |\n| 2 | done |\n');
    project.setState({ phase: 'code-review', next_phase: 'all-code-review', current_task: '1' });
    expect((await next()).stdout).toContain(
      'set the row of task 1 in tasks.md to done: its review has passed',
    );
    project.setState({ phase: 'code-review', next_phase: 'complete-task', current_task: '1' });
    expect((await next()).stdout).toMatch(/no further task is pending.* set the row of task 1 in tasks\.md/);
  });

  it('does not say with reviews off that one has passed', async () => {
    project.setState({
      max_reviews: 0,
      phase: 'code-review',
      next_phase: 'complete-task',
      current_task: '1',
    });
    const { stdout } = await next();
    expect(stdout).toContain('set the row of task 1 in tasks.md to done');
    expect(stdout).not.toContain('passed');
    project.setState({ max_reviews: 0, phase: 'all-code-review', next_phase: 'complete', current_task: '1' });
    project.put('tasks.md', TASKS.replace('| 2 | pending', '| 2 | done'));
    expect((await next()).stdout).toMatch(/record complete --plan my-plan(?!.*passed)/);
  });

  it('warns of rows that are no tasks, here and when the plan is completed', async () => {
    project.put('tasks.md', '| Id | Status |\n|---|---|\n| 1 | done |\n| T2 | pending |\n');
    project.setState({ phase: 'code-review', next_phase: 'all-code-review', current_task: '1' });
    const warning = "Warning: 1 row(s) of tasks.md were left out of plan 'my-plan'";
    expect((await next()).stdout).toContain(warning);
    expect((await record('complete')).stderr).toContain('pending in tasks.md: T2');
    project.put('tasks.md', '| Id | Status |\n|---|---|\n| 1 | done |\n| T2 | cancelled |\n');
    expect((await record('complete')).stdout).toContain(warning);
  });

  it('does not complete a plan while a row says pending, and says what to do about each', async () => {
    const rows =
      '| 1 | ✅ Done |\n| 2 | ⏳ Pending |\n| T3 | pending (blocked) |\n| 2.1 | Pending review |\n';
    project.put('tasks.md', `| Id | Status |\n|---|---|\n${rows}| 3 | cancelled |\n`);
    project.setState({ phase: 'all-code-review', next_phase: 'complete', current_task: '1' });
    const before = project.state();
    expect((await next()).stdout).toContain('still say pending, so the plan is not complete: 2, T3, 2.1.');
    const refused = await record('complete');
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
    expect(refused.stderr).toContain('pending in tasks.md: 2, T3, 2.1.');
    expect(project.state()).toEqual(before);
    // The task that was reviewed last counts as well.
    project.put('tasks.md', '| Id | Status |\n|---|---|\n| 1 | pending |\n');
    expect((await next()).stdout).toMatch(
      /record complete .*first set the row of task 1 in tasks\.md to done/,
    );
    expect((await record('complete')).stderr).toContain('pending in tasks.md: 1.');
    project.put('tasks.md', '| Id | Status |\n|---|---|\n| 1 | done |\n');
    expect((await record('complete')).exitCode).toBe(0);
  });

  it('names what it cannot take up, and what no status word says, where nothing else is left', async () => {
    project.put('tasks.md', '| Id | Status |\n|---|---|\n| 1 | wip |\n| T2 | pending |\n| 2 | done |\n');
    project.put('task-2.md', taskText('2', '⏳ pending'));
    project.setState({ phase: 'code-review', next_phase: 'complete-task', current_task: '2' });
    const { stdout } = await next();
    expect(stdout).toMatch(/^Plan 'my-plan': .* so none of them can be taken up: T2\. /);
    expect(stdout).toContain(
      'say neither pending nor done, so their rows are not counted as tasks that are left: "wip" (1).',
    );
    expect(stdout).toContain('subtasks in their files are still pending: 2.');
    const { warnings } = JSON.parse((await project.holdfast(['taskie', 'validate', '--json'])).stdout);
    expect(warnings).toEqual([
      'tasks.md: 1 row(s) left out, because their Id is not a number',
      'tasks.md: these statuses say neither pending nor done: "wip" (1)',
      'done in tasks.md, with subtasks that are still pending: 2',
    ]);
  });

  it('without state.json, or with a broken one: says how to begin it from the history, and that works', {
    tags: ['T-action-1.r', 'T-risk-5'],
  }, async () => {
    const { stdout } = await next();
    expect(stdout).toContain('git log');
    expect(stdout).toContain('taskie record new-plan --plan my-plan');
    expect((await record('new-plan')).exitCode).toBe(0);
    expect((await record('create-tasks')).exitCode).toBe(0);
    project.put('state.json', 'broken');
    const broken = (await next()).stdout;
    expect(broken).toMatch(/`mv \S+state\.json \S+state\.json\.broken`/);
  });

  it('finds the review whose number had to move, through the sidecar', async () => {
    project.put('plan-review-1.md', 'old');
    project.put('plan-review-9.md', 'old');
    project.setState({});
    await next();
    await project.stop({ session_id: 's' });
    expect((await next()).stdout).toContain('/plan-review-2.md');
  });

  it('says at the limit that the user decides', async () => {
    project.setState({ phase: 'post-plan-review', next_phase: 'plan-review', phase_iteration: 8 });
    expect((await next()).stdout).toMatch(/all 8 reviews .* Tell the user/);
  });
});

describe('taskie status and validate', () => {
  it.each([
    ['new-plan', 'Planning'],
    ['plan-review', 'Plan review'],
    ['post-plan-review', 'Plan review'],
    ['create-tasks', 'Task creation'],
    ['tasks-review', 'Task review'],
    ['post-tasks-review', 'Task review'],
    ['next-task', 'Implementation'],
    ['next-task-tdd', 'Implementation'],
    ['complete-task', 'Implementation'],
    ['complete-task-tdd', 'Implementation'],
    ['continue-task', 'Implementation'],
    ['code-review', 'Implementation'],
    ['post-code-review', 'Implementation'],
    ['all-code-review', 'Final review'],
    ['post-all-code-review', 'Final review'],
    ['complete', 'Complete'],
  ])(
    'status derives from phase %s the stage %s',
    {
      tags: [
        'T-field-phase',
        'T-stage-1',
        'T-stage-2',
        'T-stage-3',
        'T-stage-4',
        'T-stage-5',
        'T-stage-6',
        'T-stage-7',
      ],
    },
    async (phase, stage) => {
      project.setState({ phase, next_phase: null });
      const { stdout } = await project.holdfast(['taskie', 'status', '--json'], 's');
      expect(JSON.parse(stdout)).toMatchObject({ plan: 'my-plan', stage, phase });
    },
  );

  it('status shows plan, task, iteration, limit, model, streak and what is next', async () => {
    project.setState({
      phase: 'code-review',
      current_task: '2',
      phase_iteration: 3,
      next_phase: 'post-code-review',
      consecutive_clean: 1,
    });
    const { stdout } = await project.holdfast(['taskie', 'status'], 's');
    for (const [name, value] of [
      ['plan', 'my-plan'],
      ['task', '2'],
      ['iteration', '3'],
      ['max_reviews', '8'],
      ['model', 'opus'],
      ['clean_in_row', '1'],
      ['next', 'post-code-review'],
    ])
      expect(stdout).toMatch(new RegExp(`^${name}: +${value}$`, 'm'));
  });

  it('validate lists every violation and exits 1, or says valid and exits 0; warnings do not count', async () => {
    const sound = await project.holdfast(['taskie', 'validate'], 's');
    expect(sound).toMatchObject({ exitCode: 0, stdout: "Plan 'my-plan' structure validated successfully\n" });
    project.put('state.json', '{}');
    project.put('wrong.md', 'x');
    project.put('nested/deep/x.md', 'x');
    const broken = await project.holdfast(['taskie', 'validate', '--plan', 'my-plan'], 's');
    expect(broken.exitCode).toBe(1);
    expect(broken.stdout).toContain(
      "Plan 'my-plan': Invalid filename: wrong.md; Files found in nested directories",
    );
    expect(broken.stdout).toContain('Warning: state.json');
  });

  it('say clearly that there is no plan, or no such plan', async () => {
    const empty = tempProject();
    const nothing = await runCli(empty.root, ['taskie', 'status']);
    empty.remove();
    expect(nothing.exitCode).toBe(1);
    expect(nothing.stderr).toContain('/taskie:new-plan');
    const unknown = await project.holdfast(['taskie', 'status', '--plan', 'nope'], 's');
    expect(unknown.exitCode).toBe(1);
    expect(unknown.stderr).toContain('There are: my-plan');
  });

  it('holdfast status lists the plan among the runs', async () => {
    project.setState({
      phase: 'code-review',
      current_task: '2',
      phase_iteration: 3,
      next_phase: 'post-code-review',
    });
    const { stdout } = await project.holdfast(['status'], 's');
    expect(stdout).toContain('taskie:my-plan');
    expect(stdout).toContain('review 3 of at most 8');
  });
});

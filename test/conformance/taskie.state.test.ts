// The specification's suite 3, test for test: state.json after a review. Fired by hand and in the sessions of both
// clients, through the real launcher and bundle, with the fake reviewer on PATH.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FULL_STATE, type PlanProject, planProject } from '../fixtures/taskie/plan.ts';
import { ways } from '../support/ways.ts';

let project: PlanProject;

afterEach(() => project.remove());

/** The state after one stop whose reviewer gives this verdict. */
async function stateAfter(verdict: 'pass' | 'fail', fields: object): Promise<Record<string, unknown>> {
  project.reviewer(verdict);
  project.setState({ ...fields });
  await project.stop();
  return project.state();
}

describe.each(ways)('taskie suite 3: state transitions%s', (_where, way) => {
  beforeEach(() => {
    project = planProject('my-plan', way);
  });

  it('3.1 a code review with findings', {
    tags: ['T-hook-5.b', 'T-hook-5.h', 'T-action-6.a', 'T3.1', 'T-accept-3.4.2', 'T-accept-3.4.3'],
  }, async () => {
    project.put(
      'state.json',
      '{"phase":"next-task","next_phase":"code-review","phase_iteration":0,"review_model":"opus","current_task":"1","consecutive_clean":0}',
    );
    await project.stop();
    expect(project.state()).toMatchObject({
      phase: 'code-review',
      next_phase: 'post-code-review',
      phase_iteration: 1,
      review_model: 'sonnet',
      current_task: '1',
      consecutive_clean: 0,
    });
  });

  it('3.2 a plan review', { tags: ['T3.2', 'T-accept-3.4.3'] }, async () => {
    expect(await stateAfter('fail', { phase: 'new-plan', next_phase: 'plan-review' })).toMatchObject({
      phase: 'plan-review',
      next_phase: 'post-plan-review',
      phase_iteration: 1,
      review_model: 'sonnet',
      current_task: null,
      consecutive_clean: 0,
    });
  });

  it('3.3 a tasks review', { tags: ['T3.3', 'T-accept-3.4.3'] }, async () => {
    expect(await stateAfter('fail', { phase: 'create-tasks', next_phase: 'tasks-review' })).toMatchObject({
      phase: 'tasks-review',
      next_phase: 'post-tasks-review',
      phase_iteration: 1,
      review_model: 'sonnet',
      consecutive_clean: 0,
    });
  });

  it('3.4 after opus comes sonnet', {
    tags: ['T-field-review_model', 'T3.4', 'T-accept-3.4.5'],
  }, async () => {
    const state = await stateAfter('fail', { review_model: 'opus', phase_iteration: 0 });
    expect(state).toMatchObject({ review_model: 'sonnet', phase_iteration: 1 });
  });

  it('3.5 after sonnet comes opus', { tags: ['T3.5', 'T-accept-3.4.5'] }, async () => {
    const fields = {
      review_model: 'sonnet',
      phase_iteration: 1,
      next_phase: 'code-review',
      current_task: '1',
    };
    expect(await stateAfter('fail', fields)).toMatchObject({ review_model: 'opus', phase_iteration: 2 });
  });

  it('3.6 iteration 4 becomes 5', {
    tags: ['T-hook-5.b', 'T3.6', 'T-accept-3.2.1', 'T-accept-3.4.4'],
  }, async () => {
    const fields = { phase_iteration: 4, next_phase: 'code-review', current_task: '1' };
    expect(await stateAfter('fail', fields)).toMatchObject({ phase_iteration: 5 });
  });

  it('3.7 max_reviews stays', { tags: ['T-clarify-6', 'T3.7', 'T-accept-3.4.7'] }, async () => {
    expect(await stateAfter('fail', { max_reviews: 5 })).toMatchObject({ max_reviews: 5 });
  });

  it('3.8 current_task stays', { tags: ['T3.8', 'T-accept-3.4.7'] }, async () => {
    project.put('task-3.md', 'x');
    expect(await stateAfter('fail', { current_task: '3', next_phase: 'code-review' })).toMatchObject({
      current_task: '3',
    });
  });

  it('3.9 a clean review raises the clean count', {
    tags: ['T-field-consecutive_clean', 'T-hook-5.f', 'T3.9', 'T-accept-3.3.2', 'T-accept-3.4.6'],
  }, async () => {
    expect(await stateAfter('pass', { consecutive_clean: 0 })).toMatchObject({ consecutive_clean: 1 });
  });

  it('3.10 findings reset the clean count', {
    tags: ['T-field-consecutive_clean', 'T-hook-5.f', 'T3.10', 'T-accept-3.3.2', 'T-accept-3.4.6'],
  }, async () => {
    expect(await stateAfter('fail', { consecutive_clean: 1 })).toMatchObject({ consecutive_clean: 0 });
  });

  it('3.11 two clean code reviews advance to complete-task', {
    tags: ['T-clarify-4', 'T-advance-3', 'T3.11', 'T-accept-3.3.3.c'],
  }, async () => {
    const fields = { consecutive_clean: 1, next_phase: 'code-review', current_task: '1', tdd: false };
    expect(await stateAfter('pass', fields)).toMatchObject({ next_phase: 'complete-task' });
  });

  it('3.12 two clean plan reviews advance to create-tasks', {
    tags: ['T-advance-1', 'T3.12', 'T-accept-3.3.3.a'],
  }, async () => {
    expect(await stateAfter('pass', { consecutive_clean: 1 })).toMatchObject({ next_phase: 'create-tasks' });
  });

  it('3.13 two clean tasks reviews advance to complete-task', {
    tags: ['T-advance-2', 'T3.13', 'T-accept-3.3.3.b'],
  }, async () => {
    const fields = { consecutive_clean: 1, next_phase: 'tasks-review', tdd: false };
    expect(await stateAfter('pass', fields)).toMatchObject({ next_phase: 'complete-task' });
  });

  it('3.14 two clean all-code reviews advance to complete', {
    tags: ['T-advance-4', 'T3.14', 'T-accept-3.3.3.e'],
  }, async () => {
    const fields = { consecutive_clean: 1, next_phase: 'all-code-review', current_task: '2' };
    expect(await stateAfter('pass', fields)).toMatchObject({
      phase: 'all-code-review',
      next_phase: 'complete',
    });
  });

  it('3.15 advancing writes iteration, model and clean count too', {
    tags: ['T-hook-5.g', 'T3.15'],
  }, async () => {
    const fields = { consecutive_clean: 1, phase_iteration: 3, review_model: 'opus' };
    expect(await stateAfter('pass', fields)).toMatchObject({
      phase: 'plan-review',
      phase_iteration: 4,
      review_model: 'sonnet',
      consecutive_clean: 2,
    });
  });

  it('3.16 state.json is valid JSON with all eight fields after an update, whatever was missing', {
    tags: ['T3.16', 'T-accept-3.1.1'],
  }, async () => {
    project.put('state.json', '{"next_phase": "plan-review"}');
    await project.stop();
    expect(Object.keys(project.state()).sort()).toEqual(Object.keys(FULL_STATE).sort());
    expect(project.state()).toMatchObject({ max_reviews: 8, current_task: null, tdd: false });
  });
});

describe('taskie: advancing', () => {
  beforeEach(() => {
    project = planProject();
  });

  it.each([
    ['tasks-review', 'complete-task-tdd'],
    ['code-review', 'complete-task-tdd'],
  ])(
    'with tdd a passed %s leads to %s',
    { tags: ['T-field-tdd', 'T-advance-2', 'T-accept-3.3.3.b', 'T-accept-3.3.3.c'] },
    async (review, target) => {
      const state = await stateAfter('pass', {
        consecutive_clean: 1,
        next_phase: review,
        current_task: '1',
        tdd: true,
      });
      expect(state).toMatchObject({ next_phase: target, tdd: true });
    },
  );

  it('the last task’s passed review begins a fresh cycle for all code', {
    tags: ['T-field-phase_iteration', 'T-advance-3', 'T-action-4.a', 'T-accept-3.3.3.d'],
  }, async () => {
    project.put('tasks.md', '| Id | Status |\n|---|---|\n| 1 | done |\n| 2 | pending |\n| 3 | cancelled |\n');
    const fields = { consecutive_clean: 1, phase_iteration: 2, review_model: 'sonnet', current_task: '2' };
    expect(await stateAfter('pass', { ...fields, next_phase: 'code-review' })).toMatchObject({
      phase: 'code-review',
      next_phase: 'all-code-review',
      phase_iteration: 0,
      review_model: 'opus',
      consecutive_clean: 0,
    });
  });

  it('task 1 is not task 10: a pending 10 is another task', { tags: ['T-accept-3.3.6'] }, async () => {
    project.put('tasks.md', '| Id | Status |\n|---|---|\n| 1 | pending |\n| 10 | pending |\n');
    const state = await stateAfter('pass', {
      consecutive_clean: 1,
      next_phase: 'code-review',
      current_task: '1',
    });
    expect(state).toMatchObject({ next_phase: 'complete-task' });
  });

  it.each([
    ['2', '⏳ pending'],
    ['2', 'pending (blocked)'],
    ['2', 'Pending review'],
    ['T2', '**PENDING**'],
    ['2.1', 'pending'],
    ['1a', 'pending'],
  ])(
    'a row with the id %s and the status %s is a task that is left',
    {
      tags: ['T-accept-3.3.6', 'T-advance-3'],
    },
    async (id, status) => {
      project.put('tasks.md', `| Id | Status |\n|---|---|\n| 1 | pending |\n| ${id} | ${status} |\n`);
      const last = { consecutive_clean: 1, next_phase: 'code-review', current_task: '1' };
      expect(await stateAfter('pass', last)).toMatchObject({ next_phase: 'complete-task' });
    },
  );

  it('a pending task behind a blank line is not lost', async () => {
    project.put('tasks.md', '| Id | Status |\n|---|---|\n| 1 | done |\n\n| 2 | pending |\n');
    const state = await stateAfter('pass', {
      consecutive_clean: 1,
      next_phase: 'code-review',
      current_task: '1',
    });
    expect(state).toMatchObject({ next_phase: 'complete-task' });
  });

  it('names the current task’s row when it still says pending', async () => {
    project.reviewer('pass');
    project.setState({ consecutive_clean: 1, next_phase: 'code-review', current_task: '1' });
    const { answer } = await project.stop();
    expect(answer?.systemMessage).toContain('The row of task 1 in tasks.md still says pending');
  });

  it('keeps a person’s layout and unknown fields byte for byte', {
    tags: ['T-action-2.a', 'T-accept-3.4.7'],
  }, async () => {
    project.reviewer('fail');
    project.put(
      'state.json',
      '{\n\t"note": "keep me",\n\t"next_phase": "plan-review", "phase": "new-plan",\n\t"big": 12345678901234567890,\n\t"phase_iteration": 0, "review_model": "opus", "consecutive_clean": 0,\n\t"max_reviews": 8, "current_task": 3, "tdd": false\n}\n',
    );
    await project.stop();
    expect(project.read('.taskie/plans/my-plan/state.json')).toBe(
      '{\n\t"note": "keep me",\n\t"next_phase": "post-plan-review", "phase": "plan-review",\n\t"big": 12345678901234567890,\n\t"phase_iteration": 1, "review_model": "sonnet", "consecutive_clean": 0,\n\t"max_reviews": 8, "current_task": "3", "tdd": false\n}\n',
    );
  });
});

describe('taskie: a current_task that a person gave as a number', () => {
  beforeEach(() => {
    project = planProject();
  });

  const numbered = (fields: object): void =>
    void project.put('state.json', JSON.stringify({ ...FULL_STATE, current_task: 1, mine: 1, ...fields }));

  it('is written back as a string by the hook', async () => {
    numbered({ phase: 'complete-task', next_phase: 'code-review' });
    const fired = await project.stop({ session_id: 's' });
    expect(fired.answer?.decision).toBeUndefined();
    await project.holdfast(['adopt', 'taskie:my-plan'], 's');
    expect((await project.stop({ session_id: 's' })).answer?.reason).toContain('task-1-review-1.md');
    expect(project.state()).toMatchObject({ phase: 'code-review', current_task: '1', mine: 1 });
  });

  it.each([
    ['record', ['taskie', 'record', 'continue-task']],
    ['cancel', ['cancel', 'my-plan']],
  ])('is written back as a string by %s', async (_, args) => {
    numbered({ phase: 'complete-task', next_phase: 'code-review' });
    expect((await project.holdfast(args, 's')).exitCode).toBe(0);
    expect(project.state()).toMatchObject({ current_task: '1', mine: 1 });
  });
});

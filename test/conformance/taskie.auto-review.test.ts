// The specification's suites 2 and 5, test for test: when a review runs, and what the agent is told. Fired by hand
// and in the sessions of both clients, through the real launcher and bundle, with the fake reviewer on PATH.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectOnlyValidation, type PlanProject, planProject, taskText } from '../fixtures/taskie/plan.ts';
import { ways } from '../support/ways.ts';

let project: PlanProject;

afterEach(() => project.remove());

describe.each(ways)('taskie suite 2: auto-review%s', (_where, way) => {
  beforeEach(() => {
    project = planProject('my-plan', way);
  });

  it('2.1 a code review starts: held, naming its file', {
    tags: ['T-clarify-1', 'T-clarify-3', 'T-hook-5.h', 'T2.1', 'T-accept-3.5.8'],
  }, async () => {
    project.setState({ phase: 'next-task', next_phase: 'code-review', current_task: '1' });
    const { answer } = await project.stop();
    expect(answer?.decision).toBe('block');
    expect(answer?.reason).toContain('task-1-review-1.md');
    expect(project.calls()).toHaveLength(1);
  });

  it('2.2 a plan review starts: held, naming its file', {
    tags: ['T-clarify-3', 'T-action-2', 'T2.2'],
  }, async () => {
    project.setState({ phase: 'new-plan', next_phase: 'plan-review' });
    const { answer } = await project.stop();
    expect(answer?.decision).toBe('block');
    expect(answer?.reason).toContain('plan-review-1.md');
    expect(project.calls()).toHaveLength(1);
  });

  it('2.3 a tasks review starts: held, naming its file', { tags: ['T-clarify-3', 'T2.3'] }, async () => {
    project.setState({ phase: 'create-tasks', next_phase: 'tasks-review' });
    const { answer } = await project.stop();
    expect(answer?.decision).toBe('block');
    expect(answer?.reason).toContain('tasks-review-1.md');
    expect(project.calls()).toHaveLength(1);
  });

  it('2.4 nothing next: allowed, no reviewer', { tags: ['T-field-next_phase', 'T2.4'] }, async () => {
    project.setState({ phase: 'next-task', next_phase: null, current_task: '1' });
    await expectOnlyValidation(project);
  });

  // In a session it is held again, within the guard (docs/contracts/taskie.md, point 3); a hook fired by hand goes on to
  // validation.
  it('2.5 a post-review next, fired by hand: allowed, and told that it is outstanding', {
    tags: ['T2.5', 'T-accept-3.1.3'],
  }, async () => {
    project.put('task-1-review-1.md', 'x');
    project.setState({
      phase: 'code-review',
      next_phase: 'post-code-review',
      current_task: '1',
      phase_iteration: 1,
    });
    const before = project.state();
    const { answer } = await project.stop();
    if (way === 'by hand') {
      expect(answer?.decision).toBeUndefined();
      expect(answer?.systemMessage).toMatch(/post-code-review is outstanding: task-1-review-1\.md/);
    } else {
      expect(answer?.decision).toBe('block');
      for (const { answer: held } of [{ answer }, await project.stop()]) {
        expect(held?.reason).toContain('task-1-review-1.md');
        expect(held?.reason).toContain('taskie record post-code-review');
      }
    }
    expect(project.state()).toEqual(before);
    expect(project.calls()).toEqual([]);
  });

  it('2.6 eight reviews of eight done: allowed, no reviewer, the state stays for the user', {
    tags: ['T-exit-2', 'T-hook-5.c', 'T-hook-6.a', 'T2.6', 'T-risk-4', 'T-accept-3.2.2'],
  }, async () => {
    project.setState({
      phase: 'post-code-review',
      next_phase: 'code-review',
      phase_iteration: 8,
      current_task: '1',
    });
    const before = project.state();
    const { answer } = await project.stop();
    expect(answer).toMatchObject({
      systemMessage:
        'Max review limit (8) reached for code-review. Edit state.json to adjust max_reviews or set next_phase manually.',
    });
    expect(answer?.decision).toBeUndefined();
    expect(project.state()).toEqual(before);
    expect(project.calls()).toEqual([]);
  });

  it('2.7 three of three done: allowed, no reviewer', { tags: ['T-field-max_reviews', 'T2.7'] }, async () => {
    project.setState({ next_phase: 'code-review', phase_iteration: 3, max_reviews: 3, current_task: '1' });
    const { answer } = await project.stop();
    expect(answer?.systemMessage).toContain('Max review limit (3) reached');
    expect(answer?.decision).toBeUndefined();
    expect(project.calls()).toEqual([]);
  });

  it('2.8 no state.json: only validation', { tags: ['T-hook-4', 'T2.8', 'T-accept-3.1.4'] }, async () => {
    await expectOnlyValidation(project);
    project.put('nested/extra.md', 'x');
    expect((await project.stop()).answer).toMatchObject({ decision: 'block' });
    expect(project.calls()).toEqual([]);
  });

  it('2.9 a malformed state.json: only validation, with a warning', {
    tags: ['T-hook-4', 'T2.9', 'T-risk-5', 'T-accept-3.1.4'],
  }, async () => {
    project.put('state.json', '"not json');
    const fired = await project.stop();
    expect(fired).toMatchObject({ exitCode: 0, stderr: '' });
    expect(fired.answer?.decision).toBeUndefined();
    expect(fired.answer?.systemMessage).toMatch(/validated.*Warning/);
    project.put('nested/extra.md', 'x');
    expect((await project.stop()).answer).toMatchObject({ decision: 'block' });
    expect(project.calls()).toEqual([]);
    expect(project.read('.taskie/plans/my-plan/state.json')).toBe('"not json');
  });

  it('2.10 complete-task next: allowed, no reviewer', { tags: ['T2.10'] }, async () => {
    project.setState({ phase: 'post-code-review', next_phase: 'complete-task', current_task: '1' });
    await expectOnlyValidation(project);
  });

  it('2.11 create-tasks next: allowed, no reviewer', { tags: ['T2.11'] }, async () => {
    project.setState({ phase: 'post-plan-review', next_phase: 'create-tasks' });
    await expectOnlyValidation(project);
  });

  it('2.12 an all-code review starts: held, naming its file', { tags: ['T-hook-5', 'T2.12'] }, async () => {
    project.setState({ phase: 'post-code-review', next_phase: 'all-code-review', current_task: '2' });
    const { answer } = await project.stop();
    expect(answer?.decision).toBe('block');
    expect(answer?.reason).toContain('all-code-review-1.md');
    expect(project.calls()).toHaveLength(1);
  });

  it('2.13 one clean review is not enough: held for the post-review', {
    tags: ['T-exit-1', 'T2.13'],
  }, async () => {
    project.reviewer('pass');
    project.setState({ next_phase: 'code-review', current_task: '1' });
    const { answer } = await project.stop();
    expect(answer?.decision).toBe('block');
    expect(answer?.reason).toContain('post-code-review');
    expect(project.state()).toMatchObject({ consecutive_clean: 1, next_phase: 'post-code-review' });
  });

  it('2.14 a second clean review in a row: allowed and advanced', {
    tags: [
      'T-exit-1',
      'T-advance-1',
      'T-advance-5',
      'T-hook-5.g',
      'T2.14',
      'T-accept-3.3.3',
      'T-accept-3.3.4',
      'T-accept-3.3.5',
    ],
  }, async () => {
    project.reviewer('pass');
    project.setState({
      next_phase: 'code-review',
      current_task: '1',
      consecutive_clean: 1,
      phase_iteration: 1,
    });
    const { answer } = await project.stop();
    expect(answer?.decision).toBeUndefined();
    expect(answer?.systemMessage).toContain('code review of task 1 passed');
    expect(answer?.systemMessage).toContain('Run /taskie:continue-plan to proceed.');
    expect(project.state()).toMatchObject({ consecutive_clean: 2, next_phase: 'complete-task' });
  });

  it('2.15 findings after a clean review: count back to 0, held', { tags: ['T2.15'] }, async () => {
    project.reviewer('fail');
    project.setState({
      next_phase: 'code-review',
      current_task: '1',
      consecutive_clean: 1,
      phase_iteration: 1,
    });
    const { answer } = await project.stop();
    expect(answer?.decision).toBe('block');
    expect(answer?.reason).toContain('post-code-review');
    expect(project.state()).toMatchObject({ consecutive_clean: 0 });
  });
});

describe.each(ways)('taskie suite 5: hold messages%s', (_where, way) => {
  beforeEach(() => {
    project = planProject('my-plan', way);
  });

  it('5.1 the code review’s names review file, post-review and state.json', {
    tags: ['T-clarify-2', 'T5.1', 'T-accept-3.4.8', 'T-accept-3.4.9'],
  }, async () => {
    project.setState({ next_phase: 'code-review', current_task: '2', phase_iteration: 2 });
    const reason = (await project.stop()).answer?.reason ?? '';
    for (const part of [
      'task-2-review-3.md',
      'task-2-post-review-3.md',
      'post-code-review',
      'state.json',
      'tasks.md',
    ])
      expect(reason).toContain(part);
  });

  it('5.2 the plan review’s names review file, post-review and plan.md', {
    tags: ['T5.2', 'T-accept-3.4.9'],
  }, async () => {
    project.setState({});
    const reason = (await project.stop()).answer?.reason ?? '';
    for (const part of ['plan-review-1.md', 'plan-post-review-1.md', 'post-plan-review', 'plan.md'])
      expect(reason).toContain(part);
  });

  it('5.3 the tasks review’s names review file, post-review and tasks.md', {
    tags: ['T5.3', 'T-accept-3.4.9'],
  }, async () => {
    project.setState({ next_phase: 'tasks-review', phase_iteration: 1 });
    const reason = (await project.stop()).answer?.reason ?? '';
    for (const part of ['tasks-review-2.md', 'tasks-post-review-2.md', 'post-tasks-review', 'tasks.md'])
      expect(reason).toContain(part);
  });

  it('5.4 the all-code review’s names review file and post-review', {
    tags: ['T5.4', 'T-accept-3.4.9'],
  }, async () => {
    project.setState({ next_phase: 'all-code-review', current_task: '2' });
    const reason = (await project.stop()).answer?.reason ?? '';
    for (const part of ['all-code-review-1.md', 'all-code-post-review-1.md', 'post-all-code-review'])
      expect(reason).toContain(part);
  });

  it('5.5 a hold names the real plan folder, with no slot left open', { tags: ['T5.5'] }, async () => {
    project.setState({});
    const reason = (await project.stop()).answer?.reason ?? '';
    expect(reason).toContain(`${project.root}/.taskie/plans/my-plan/plan-review-1.md`);
    expect(reason).not.toMatch(/\{\{|\}\}|PLAN_ID|\$\{/);
  });

  it('5.6 a hold is one JSON object with decision block, under 8 kB', { tags: ['T5.6'] }, async () => {
    project.setState({});
    const fired = await project.stop();
    expect(JSON.parse(fired.stdout)).toMatchObject({ decision: 'block' });
    expect(Object.keys(fired.answer ?? {}).sort()).toEqual(['decision', 'reason']);
    expect(fired.answer?.reason?.length).toBeLessThan(8000);
  });

  it.each(['plan-review', 'tasks-review', 'code-review', 'all-code-review'])(
    'the hold of a %s has the exact command, the judgement asked for, the push and the way out',
    { tags: ['T-risk-7', 'T-risk-8', 'T-accept-3.4.8'] },
    async (review) => {
      project.setState({ next_phase: review, current_task: '1' });
      const reason = (await project.stop()).answer?.reason ?? '';
      expect(reason).toMatch(
        new RegExp(`run: (/|').*bin/holdfast'? taskie record post-${review} --plan my-plan\n`),
      );
      expect(reason).toContain('(only phase and next_phase)');
      expect(reason).toMatch(/judge each finding/);
      expect(reason).toMatch(/would (remove|take away) [^.]*functionality[^.]*, leave as it is/);
      expect(reason).toMatch(/for each finding what you changed, or why you left it/);
      expect(reason).toContain('push if the repository has a remote');
      expect(reason).toContain('set "next_phase": null or "max_reviews": 0 in');
    },
  );
});

describe('taskie: what a review needs and cannot find', () => {
  beforeEach(() => {
    project = planProject();
  });

  it('a passed code review tells of rows in tasks.md that are no tasks, and of statuses that say nothing', async () => {
    project.put('tasks.md', '| Id | Status |\n|---|---|\n| 1 | done |\n| 2 | wip |\n| T2 | done |\n');
    project.put('task-1.md', taskText('1', 'pending'));
    project.reviewer('pass');
    project.setState({
      phase: 'post-code-review',
      next_phase: 'code-review',
      current_task: '1',
      consecutive_clean: 1,
    });
    const { answer } = await project.stop();
    expect(answer?.systemMessage).toContain('code review of task 1 passed');
    expect(answer?.systemMessage).toContain('Warning: 1 row(s) of tasks.md were left out');
    expect(answer?.systemMessage).toContain('say neither pending nor done');
    expect(answer?.systemMessage).toContain('"wip" (2)');
    expect(answer?.systemMessage).toContain('subtasks in their files are still pending: 1.');
    // The journal has how many they are, and nothing of the table.
    expect(project.read('.holdfast/journal.jsonl')).not.toContain('wip');
    expect(project.state()).toMatchObject({ next_phase: 'all-code-review' });
  });

  it('a code review without a current task is skipped with a warning', async () => {
    project.setState({ next_phase: 'code-review', current_task: null });
    const { answer } = await project.stop();
    expect(answer?.decision).toBeUndefined();
    expect(answer?.systemMessage).toContain('warning: state.json names no current_task');
    expect(project.calls()).toEqual([]);
  });

  it('a code review without the task’s file is skipped with a warning', {
    tags: ['T-accept-3.2.7'],
  }, async () => {
    project.setState({ next_phase: 'code-review', current_task: '7' });
    const { answer } = await project.stop();
    expect(answer?.decision).toBeUndefined();
    expect(answer?.systemMessage).toContain('warning: task-7.md does not exist');
    expect(project.calls()).toEqual([]);
  });

  it('a current_task that would leave the folder is never a path', async () => {
    project.setState({ next_phase: 'code-review', current_task: '../../../etc/passwd' });
    const { answer } = await project.stop();
    expect(answer?.systemMessage).toContain('names no current_task');
    expect(project.calls()).toEqual([]);
  });

  it.each(['tasks-review', 'all-code-review'])(
    'a %s without task rows is skipped with a warning',
    { tags: ['T-accept-3.2.6'] },
    async (review) => {
      project.put('tasks.md', '| Id | Status |\n| --- | --- |\n');
      project.setState({ next_phase: review });
      const { answer } = await project.stop();
      expect(answer?.decision).toBeUndefined();
      expect(answer?.systemMessage).toContain('warning: tasks.md has no task rows');
      expect(project.calls()).toEqual([]);
    },
  );

  it('rows whose id is no number are left out, with a warning beside the hold', async () => {
    project.put('tasks.md', '| Id | Status |\n| --- | --- |\n| 1 | pending |\n| later | pending |\n');
    project.setState({ next_phase: 'tasks-review' });
    const { answer } = await project.stop();
    expect(answer?.decision).toBe('block');
    expect(answer?.systemMessage).toContain('1 row(s) of tasks.md were left out');
  });

  it('a table whose delimiter row does not fit still has its tasks, with a warning', async () => {
    project.put('tasks.md', '| Id | Status | More |\n| --- |\n| 1 | pending | x |\n');
    project.setState({ next_phase: 'tasks-review' });
    const { answer } = await project.stop();
    expect(answer?.systemMessage).toContain('delimiter row that does not fit');
    expect(project.calls()[0]?.prompt).toContain('task-1.md');
  });
});

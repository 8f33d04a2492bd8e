// The specification's suite 6, test for test: edge cases, and several stops in a row. Fired by hand and in the
// sessions of both clients, through the real launcher and bundle, with the fake reviewer on PATH.

import fs from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectOnlyValidation, FULL_STATE, type PlanProject, planProject } from '../fixtures/taskie/plan.ts';
import { fireHook } from '../support/hook.ts';
import { tempProject } from '../support/project.ts';
import { talkIn, ways } from '../support/ways.ts';

let project: PlanProject;

afterEach(() => project.remove());

describe.each(ways)('taskie suite 6: edge cases%s', (_where, way) => {
  beforeEach(() => {
    project = planProject('my-plan', way);
  });

  // In a session only its own plan is looked at (docs/contracts/taskie.md, point 1); a hook fired by hand takes the one
  // changed last.
  it('6.1 of two plans only the one changed last is looked at', { tags: ['T-hook-3', 'T6.1'] }, async () => {
    const old = project.write('.taskie/plans/old-plan/wrong.md', 'x');
    fs.utimesSync(old, new Date(2020, 1), new Date(2020, 1));
    expect((await project.stop()).answer?.systemMessage).toContain("Plan 'my-plan'");
    const state = project.write('.taskie/plans/old-plan/state.json', '{}');
    fs.utimesSync(state, new Date(Date.now() + 5000), new Date(Date.now() + 5000));
    const fired = await project.stop();
    if (way === 'by hand') expect(fired.answer?.reason).toContain("Plan 'old-plan': Missing required file");
    else {
      expect(fired).toMatchObject({ exitCode: 0, stderr: '' });
      expect(fired.answer?.decision).toBeUndefined();
      expect(fired.stdout).not.toContain('Missing required file');
    }
  });

  it('6.2 unknown fields in state.json disturb nothing and survive', { tags: ['T6.2'] }, async () => {
    project.setState({ next_phase: 'code-review', current_task: '1', custom_field: 42 });
    expect((await project.stop()).answer?.decision).toBe('block');
    expect(project.state()).toMatchObject({ custom_field: 42 });
  });

  it('6.3 phase_iteration null and nothing next: allowed', { tags: ['T6.3'] }, async () => {
    project.setState({ phase: 'next-task', phase_iteration: null, next_phase: null, current_task: '1' });
    await expectOnlyValidation(project);
    expect(project.state()).toMatchObject({ phase_iteration: null });
  });

  it('6.4 an unknown model is passed on as it is', { tags: ['T6.4'] }, async () => {
    project.setState({ review_model: 'haiku' });
    await project.stop();
    expect(project.calls()[0]?.args.join(' ')).toContain('--model haiku');
    expect(project.state()).toMatchObject({ review_model: 'opus' });
  });

  it('6.5 a state.json without plan.md: held by rule 1', { tags: ['T6.5'] }, async () => {
    const begun = planProject('p', way, { 'state.json': JSON.stringify(FULL_STATE) });
    const { answer } = await begun.stop();
    begun.remove();
    expect(answer?.decision).toBe('block');
    expect(answer?.reason).toContain('Missing required file: plan.md');
  });

  it('6.6 a review comes before validation', { tags: ['T6.6'] }, async () => {
    project.put('nested/extra.md', 'x');
    project.setState({ next_phase: 'code-review', current_task: '1' });
    const { answer } = await project.stop();
    expect(answer?.reason).toContain('task-1-review-1.md');
    expect(answer?.reason).not.toContain('nested');
    project.setState({ next_phase: null });
    expect((await project.stop()).answer?.reason).toContain('nested');
  });

  it('6.7 no plan in .taskie/plans: allowed', { tags: ['T6.7'] }, async () => {
    const empty = tempProject();
    fs.mkdirSync(`${empty.root}/.taskie/plans`, { recursive: true });
    const fired = await talkIn(way, empty).stop();
    empty.remove();
    expect(fired).toMatchObject({ exitCode: 0, stdout: '' });
  });

  it('6.8 max_reviews 0: advanced to complete-task, no reviewer, iteration stays 0', {
    tags: ['T-exit-3', 'T-hook-5.a', 'T6.8', 'T-accept-3.1.5'],
  }, async () => {
    project.setState({ max_reviews: 0, next_phase: 'code-review', current_task: '1', tdd: false });
    const fired = await project.stop();
    expect(fired).toMatchObject({ exitCode: 0, stderr: '' });
    expect(fired.answer?.decision).toBeUndefined();
    expect(project.state()).toMatchObject({
      phase: 'code-review',
      next_phase: 'complete-task',
      phase_iteration: 0,
    });
    expect(project.calls()).toEqual([]);
  });

  it('6.9 a valid plan without state.json: only validation, and none is made', {
    tags: ['T6.9'],
  }, async () => {
    await expectOnlyValidation(project);
    expect(project.files()).not.toContain('state.json');
  });

  it('6.10 four reviews alternate opus, sonnet, opus, sonnet', {
    tags: ['T-clarify-5', 'T-field-phase_iteration', 'T6.10'],
  }, async () => {
    project.setState({ next_phase: 'code-review', current_task: '1' });
    const next: unknown[] = [];
    for (let number = 1; number <= 4; number++) {
      await project.stop();
      next.push(project.state().review_model);
      project.put(`task-1-post-review-${number}.md`, 'done');
      await project.holdfast(['taskie', 'record', 'post-code-review']);
    }
    const models = project.calls().map(({ args }) => args[args.indexOf('--model') + 1]);
    expect(models).toEqual(['opus', 'sonnet', 'opus', 'sonnet']);
    expect(next).toEqual(['sonnet', 'opus', 'sonnet', 'opus']);
  });

  it('6.11 two clean stops in a row: held, then allowed and advanced', { tags: ['T6.11'] }, async () => {
    project.reviewer('pass');
    project.setState({});
    expect((await project.stop()).answer?.decision).toBe('block');
    await project.holdfast(['taskie', 'record', 'post-plan-review']);
    expect((await project.stop()).answer?.decision).toBeUndefined();
    expect(project.state()).toMatchObject({ next_phase: 'create-tasks', consecutive_clean: 2 });
  });

  it('6.12 no temp file of state.json is left behind', {
    tags: ['T6.12', 'T-risk-3', 'T-accept-3.4.1'],
  }, async () => {
    project.setState({});
    await project.stop();
    expect(project.files().filter((name) => name.includes('state.json'))).toEqual(['state.json']);
  });
});

describe('taskie edge cases beyond suite 6', () => {
  beforeEach(() => {
    project = planProject();
  });

  it.each([
    ['plan-review', 'create-tasks'],
    ['tasks-review', 'complete-task-tdd'],
    ['all-code-review', 'complete'],
  ])('max_reviews 0 moves %s on to %s', { tags: ['T-exit-3', 'T-accept-3.1.5'] }, async (review, target) => {
    project.setState({
      max_reviews: 0,
      next_phase: review,
      phase_iteration: 3,
      current_task: '1',
      tdd: true,
    });
    await project.stop();
    expect(project.state()).toMatchObject({ phase: review, next_phase: target, phase_iteration: 0 });
    expect(project.calls()).toEqual([]);
  });

  it('max_reviews 0 goes to all code only when no other task is pending', {
    tags: ['T-hook-5.a'],
  }, async () => {
    project.put('tasks.md', '| Id | Status |\n|---|---|\n| 1 | pending |\n| 2 | done |\n');
    project.setState({ max_reviews: 0, next_phase: 'code-review', current_task: '1', consecutive_clean: 1 });
    await project.stop();
    expect(project.state()).toMatchObject({ next_phase: 'all-code-review', consecutive_clean: 0 });
  });

  it('the state’s folder is found from a folder below', async () => {
    const below = `${project.root}/src/deep`;
    fs.mkdirSync(below, { recursive: true });
    const { answer } = await fireHook(below, { cwd: below });
    expect(answer?.systemMessage).toContain("Plan 'my-plan'");
  });

  it('every decision of these stops is the same on replay', async () => {
    project.reviewer(['fail', 'crash', 'pass']);
    project.setState({ next_phase: 'tasks-review' });
    for (const _ of [1, 2, 3, 4]) await project.stop();
    const replayed = await project.holdfast(['replay', `${project.root}/.holdfast/journal.jsonl`]);
    expect(replayed).toMatchObject({ exitCode: 0 });
    expect(replayed.stdout).not.toMatch(/different:|not replayable/);
    expect(replayed.stdout.match(/same/g)?.length).toBeGreaterThanOrEqual(4);
  });
});

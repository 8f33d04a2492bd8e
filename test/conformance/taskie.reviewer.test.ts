// The specification's suite 4, test for test: how the reviewer is called, and what happens when it fails. Fired by
// hand and in the sessions of both clients, through the real launcher and bundle, with the fake reviewer on PATH.

import fs from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { onlyNode, type PlanProject, planProject, stillRunning, until } from '../fixtures/taskie/plan.ts';
import { ways } from '../support/ways.ts';

let project: PlanProject;

afterEach(() => project.remove());

/** The reviewer's arguments in one line, after one stop. */
async function callFor(fields: object): Promise<{ args: string; prompt: string }> {
  project.setState({ ...fields });
  await project.stop();
  const call = project.calls()[0];
  return { args: call?.args.slice(0, -1).join(' ') ?? '', prompt: call?.prompt ?? '' };
}

const inPlan = (name: string): string => `${project.root}/.taskie/plans/my-plan/${name}`;

describe.each(ways)('taskie suite 4: calling the reviewer%s', (_where, way) => {
  beforeEach(() => {
    project = planProject('my-plan', way);
  });

  it('4.1 model opus is passed on', { tags: ['T-field-review_model', 'T4.1'] }, async () => {
    expect((await callFor({ review_model: 'opus' })).args).toContain('--model opus');
  });

  it('4.2 model sonnet is passed on', { tags: ['T4.2'] }, async () => {
    expect((await callFor({ review_model: 'sonnet' })).args).toContain('--model sonnet');
  });

  it('4.3 permissions are bypassed', { tags: ['T4.3'] }, async () => {
    expect((await callFor({})).args).toContain('--dangerously-skip-permissions');
  });

  it('4.4 it runs with --print', { tags: ['T4.4'] }, async () => {
    expect((await callFor({})).args).toContain('--print');
  });

  it('4.5 the code review’s prompt names the task’s file and its review', {
    tags: ['T4.5', 'T-accept-3.2.8'],
  }, async () => {
    project.put('task-3.md', 'x');
    const { prompt } = await callFor({ next_phase: 'code-review', current_task: '3' });
    expect(prompt).toContain(inPlan('task-3.md'));
    expect(prompt).toContain(inPlan('task-3-review-1.md'));
    expect(prompt).toContain('/taskie/actions/code-review.md');
    expect(prompt).not.toContain('task-1.md');
  });

  it('4.6 the plan review’s prompt names plan.md and its review', { tags: ['T4.6'] }, async () => {
    const { prompt } = await callFor({});
    expect(prompt).toContain(inPlan('plan.md'));
    expect(prompt).toContain(inPlan('plan-review-1.md'));
    expect(prompt).toContain('/taskie/actions/plan-review.md');
  });

  it('4.7 the tasks review’s prompt names tasks.md and its review', { tags: ['T4.7'] }, async () => {
    const { prompt } = await callFor({ next_phase: 'tasks-review' });
    expect(prompt).toContain(inPlan('tasks.md'));
    expect(prompt).toContain(inPlan('tasks-review-1.md'));
    expect(prompt).toContain('/taskie/actions/tasks-review.md');
  });

  it('4.8 the all-code review’s prompt names its action and its review', { tags: ['T4.8'] }, async () => {
    const { prompt } = await callFor({ next_phase: 'all-code-review' });
    expect(prompt).toContain('/taskie/actions/all-code-review.md');
    expect(prompt).toContain(inPlan('all-code-review-1.md'));
  });

  it('4.9 the review of task 2, iteration 3, is task-2-review-3.md', {
    tags: ['T-clarify-2', 'T-hook-5.d', 'T4.9'],
  }, async () => {
    await callFor({ next_phase: 'code-review', current_task: '2', phase_iteration: 2 });
    expect(project.files()).toContain('task-2-review-3.md');
  });

  it('4.10 no reviewer on PATH: allowed with a warning, only validation', {
    tags: ['T4.10', 'T-risk-2', 'T-accept-3.2.10'],
  }, async () => {
    project.setState({});
    const before = project.state();
    const withoutReviewer = { env: { PATH: onlyNode(project) } };
    const fired = await project.stop({}, withoutReviewer);
    expect(fired.exitCode).toBe(0);
    expect(fired.answer?.decision).toBeUndefined();
    expect(fired.answer?.systemMessage).toContain('ended without a verdict');
    expect(fired.answer?.systemMessage).toContain('.taskie/plans/my-plan/.review-1.log');
    expect(project.read('.taskie/plans/my-plan/.review-1.log')).toContain('not found on PATH');
    expect(project.files().filter((name) => name.startsWith('plan-review'))).toEqual([]);
    // The structure is looked at all the same.
    project.put('nested/extra.md', 'x');
    const held = await project.stop({}, withoutReviewer);
    expect(held.answer?.reason).toContain('Files found in nested directories');
    expect(project.state()).toEqual(before);
    expect(project.calls()).toEqual([]);
  });

  it('4.11 it exits with 1: allowed with a warning, only validation', {
    tags: ['T-testing-5', 'T4.11', 'T-accept-3.2.10', 'T-accept-3.2.12'],
  }, async () => {
    project.reviewer('crash');
    project.setState({});
    const before = project.state();
    const { answer } = await project.stop();
    expect(answer?.decision).toBeUndefined();
    expect(answer?.systemMessage).toContain('ended without a verdict');
    expect(project.read('.taskie/plans/my-plan/.review-1.log')).toContain('a line on stderr');
    expect(project.state()).toEqual(before);
  });

  it('4.12 it writes no review file: allowed with a warning, only validation', {
    tags: ['T-hook-5.e', 'T-testing-5', 'T4.12', 'T-accept-3.2.9', 'T-accept-3.2.10'],
  }, async () => {
    project.reviewer('no-file');
    project.setState({});
    const before = project.state();
    const { answer } = await project.stop();
    expect(answer?.decision).toBeUndefined();
    expect(answer?.systemMessage).toContain('ended without a verdict');
    expect(project.state()).toEqual(before);
  });

  it('4.13 it runs past its time: ended with all its children, allowed with a warning, only validation', {
    tags: ['T-testing-5', 'T4.13', 'T-risk-1', 'T-accept-3.2.1', 'T-accept-3.2.11'],
  }, async () => {
    project.reviewer('hang');
    project.write('holdfast.config.json', '{"review": {"timeout": 3}}');
    project.setState({});
    const before = project.state();
    const { answer } = await project.stop();
    expect(answer?.decision).toBeUndefined();
    expect(answer?.systemMessage).toContain('ended without a verdict');
    expect(project.read('.taskie/plans/my-plan/.review-1.log')).toContain('ended at our deadline');
    expect(project.state()).toEqual(before);
    expect(project.reviewerProcesses()).toHaveLength(2);
    expect(stillRunning(project.reviewerProcesses())).toEqual([]);
  });

  it('4.14 it is asked for JSON by a schema', { tags: ['T4.14'] }, async () => {
    const { args } = await callFor({});
    expect(args).toContain('--output-format json');
    expect(args).toContain('--json-schema {"type":"object"');
    expect(args).toContain('"enum":["PASS","FAIL"]');
  });
});

describe('taskie: the reviewer beyond suite 4', () => {
  beforeEach(() => {
    project = planProject();
  });

  it.each(['tasks-review', 'all-code-review'])(
    'a %s is given the file of every numeric row, never reviews',
    { tags: ['T-accept-3.2.5', 'T-accept-3.5.4'] },
    async (review) => {
      project.put(
        'tasks.md',
        '| Id | Status |\n|:--|--:|\n| 1 | done |\n| 2 | pending |\n| 13 | pending |\n| x | done |\n',
      );
      project.put('task-1-review-1.md', 'x');
      const { prompt } = await callFor({ next_phase: review });
      for (const id of ['1', '2', '13']) expect(prompt).toContain(inPlan(`task-${id}.md`));
      expect(prompt).not.toContain('task-1-review-1.md');
      expect(prompt).not.toContain('task-x.md');
    },
  );

  it('every prompt asks for the ground rules, a clean slate and much criticism, and the texts exist', {
    tags: ['T-accept-3.2.4'],
  }, async () => {
    for (const review of ['plan-review', 'tasks-review', 'code-review', 'all-code-review']) {
      project.setState({ next_phase: review, current_task: '1', phase_iteration: 0 });
      await project.stop();
    }
    const prompts = project.calls().map((call) => call.prompt);
    expect(new Set(prompts).size).toBe(4);
    for (const prompt of prompts) {
      expect(prompt).toContain('Be very critical');
      expect(prompt).toContain('do not read earlier reviews');
      const texts = prompt.match(/\/\S+\/taskie\/(ground-rules|actions\/[a-z-]+)\.md/g) ?? [];
      expect(texts).toHaveLength(2);
      for (const text of texts) expect(fs.readFileSync(text, 'utf8').length).toBeGreaterThan(500);
    }
  });

  it('is kept from firing our hook again, by our variable and by the client’s own switch', {
    tags: ['T-action-6.a', 'T-accept-3.2.3'],
  }, async () => {
    const { args } = await callFor({});
    expect(args).toContain('--settings {"disableAllHooks":true}');
    expect(project.calls()[0]?.env.HOLDFAST_DISABLE).toBe('1');
    const nested = await project.stop({}, { env: { HOLDFAST_DISABLE: '1' } });
    expect(nested).toMatchObject({ exitCode: 0, stdout: '' });
    const before = project.state();
    const record = await project.holdfast(['taskie', 'record', 'post-plan-review'], 's', {
      env: { HOLDFAST_DISABLE: '1' },
    });
    expect(record.exitCode).toBe(1);
    expect(project.state()).toEqual(before);
  });

  it('review.access sandboxed replaces the bypass', async () => {
    project.write('holdfast.config.json', '{"review": {"access": "sandboxed"}}');
    const { args } = await callFor({});
    expect(args).not.toContain('--dangerously-skip-permissions');
    expect(args).toContain(`--allowedTools Edit(/${inPlan('plan-review-1.md')})`);
  });

  it.each([
    ['no-file', 'ended without a verdict'],
    ['invalid', 'ended without a verdict'],
    ['api-error', 'ended without a verdict'],
    ['not-logged-in', 'ended without a verdict'],
    // No failure at all: the run waits for it.
    ['rate-limit', 'is at its usage limit'],
  ])(
    'what the real client prints for %s counts as no verdict: nothing is written',
    { tags: ['T-accept-3.2.10'] },
    async (behaviour, words) => {
      project.reviewer(behaviour);
      project.setState({ consecutive_clean: 1 });
      const before = project.state();
      const { answer } = await project.stop();
      expect(answer?.decision).toBeUndefined();
      expect(answer?.systemMessage).toContain(words);
      expect(project.state()).toEqual(before);
    },
  );

  it.each<[string, unknown]>([
    ['words without a verdict, as the real client prints them', 'missing'],
    ['nothing at all', { file: true }],
  ])(
    'a review that is written counts as findings where its reviewer prints %s',
    {
      tags: ['T-hook-5.f', 'T-accept-3.3.2', 'T-accept-3.2.12'],
    },
    async (_, does) => {
      project.reviewer(['crash', does, 'pass']);
      project.setState({ consecutive_clean: 1 });
      await project.stop();
      const { answer, exitCode } = await project.stop();
      expect({ decision: answer?.decision, exitCode }).toEqual({ decision: 'block', exitCode: 0 });
      expect(answer?.reason).toContain(inPlan('plan-review-1.md'));
      expect(answer?.reason).toContain('without a verdict that could be read');
      expect(project.state()).toMatchObject({
        ...{ phase: 'plan-review', next_phase: 'post-plan-review', phase_iteration: 1 },
        ...{ consecutive_clean: 0, review_model: 'sonnet' },
      });
      expect(project.files()).toContain('plan-review-1.md');
      expect(project.files()).not.toContain('.review-1.log');
      expect((await project.holdfast(['why'])).stdout).toContain(
        'could not be read, so it counts as findings',
      );
      // It is answered like any other: the next one is asked for, and not the same once more.
      project.put('plan-post-review-1.md', '# Answer\n');
      await project.stop();
      expect(project.calls()).toHaveLength(3);
      expect(project.state()).toMatchObject({ phase_iteration: 2, consecutive_clean: 1 });
    },
  );

  it('a failed review leaves violations to hold, and they carry its notice', {
    tags: ['T-accept-3.2.10'],
  }, async () => {
    project.reviewer('crash');
    project.put('nested/extra.md', 'x');
    project.setState({});
    const { answer } = await project.stop();
    expect(answer?.decision).toBe('block');
    expect(answer?.reason).toContain('nested');
    expect(answer?.systemMessage).toContain('.review-1.log');
  });

  it.each(['pass', 'fail'])(
    'the log is gone after a review that ran (%s)',
    { tags: ['T-accept-3.2.12'] },
    async (verdict) => {
      project.reviewer(['crash', verdict]);
      project.setState({});
      await project.stop();
      expect(project.files()).toContain('.review-1.log');
      await project.stop();
      expect(project.files()).not.toContain('.review-1.log');
    },
  );

  it('the log holds the reason that the reviewer printed, beside what it said on stderr', async () => {
    project.reviewer('not-logged-in');
    project.setState({});
    await project.stop();
    expect(project.read('.taskie/plans/my-plan/.review-1.log')).toBe(
      'claude: exit code 1, failed\nNot logged in · Please run /login\nfake claude: a line on stderr\n',
    );
  });

  it('the logs of tries that left a file are gone too, once a review with another number ran', async () => {
    project.put('.review-7.log', 'of something else');
    const dies = { exitCode: 1, file: true };
    project.reviewer([dies, dies, 'fail']);
    project.setState({});
    await project.stop();
    await project.stop();
    expect(project.files()).toEqual(expect.arrayContaining(['.review-1.log', '.review-2.log']));
    await project.stop();
    expect(project.state()).toMatchObject({ phase_iteration: 1, next_phase: 'post-plan-review' });
    expect(project.files().filter((file) => file.endsWith('.log'))).toEqual(['.review-7.log']);
  });

  it('after three failures in a row no further attempt is made, until state.json changes or next runs', async () => {
    project.reviewer('crash');
    project.setState({});
    await project.stop();
    await project.stop();
    const third = await project.stop();
    expect(third.answer?.systemMessage).toContain('3 times in a row');
    expect(third.answer?.systemMessage).toContain('"next_phase" in state.json');
    await project.stop();
    expect(project.calls()).toHaveLength(3);
    project.setState({ max_reviews: 9 });
    await project.stop();
    expect(project.calls()).toHaveLength(4);
    await project.stop();
    await project.stop();
    await project.stop();
    expect(project.calls()).toHaveLength(6);
    await project.holdfast(['taskie', 'next'], 's');
    await project.stop();
    expect(project.calls()).toHaveLength(7);
  });

  it('a taken name is never overwritten: the next free number is used and named', {
    tags: ['T-hook-5.d'],
  }, async () => {
    project.put('plan-review-1.md', 'mine');
    project.put('plan-post-review-2.md', 'mine');
    project.put('plan-review-2.md', 'mine');
    project.setState({});
    const { answer } = await project.stop();
    expect(project.read('.taskie/plans/my-plan/plan-review-1.md')).toBe('mine');
    expect(answer?.reason).toContain('plan-review-3.md');
    expect(answer?.reason).toContain('plan-post-review-3.md');
    expect(project.state()).toMatchObject({ phase_iteration: 1 });
    project.put('plan-post-review-3.md', 'answered');
    const second = await project.stop();
    expect(second.answer?.reason).toContain('plan-review-4.md');
    expect(project.state()).toMatchObject({ phase_iteration: 2 });
  });

  it('a state edited while a review ran wins, and the verdict is not applied', async () => {
    project.reviewer('{"print":"pass","file":true,"delayMs":1500}');
    project.setState({});
    const stopping = project.stop();
    await until('the reviewer', () => project.calls().length === 1);
    project.setState({ next_phase: null });
    const { answer } = await stopping;
    expect(answer?.decision).toBeUndefined();
    expect(project.state()).toMatchObject({ next_phase: null, phase_iteration: 0, consecutive_clean: 0 });
  });
});

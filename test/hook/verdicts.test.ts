// What becomes of a verdict when the state was edited while the review ran; and, where there is no verdict, that the
// user is told why: in the notice, on standard error, by `why`.

import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { FULL_STATE, type PlanProject, planProject, until } from '../fixtures/taskie/plan.ts';
import { toyScene } from '../toy/scene.ts';

const SESSION = 's1';
const STATE = '.taskie/plans/my-plan/state.json';

const projects: PlanProject[] = [];
afterAll(() => {
  for (const project of projects) project.remove();
});

/** A plan of this session whose review is due. */
async function ownPlan(fields: object = {}): Promise<PlanProject> {
  const project = planProject();
  projects.push(project);
  project.setState({ ...fields });
  const bound = await project.holdfast(['taskie', 'next', '--plan', 'my-plan'], SESSION);
  expect(bound.exitCode).toBe(0);
  return project;
}

const stop = (project: PlanProject, options = {}) =>
  project.stop({ session_id: SESSION, prompt_id: 'p1', hook_event_name: 'Stop' }, options);

/** Stops; while the reviewer is at work, the state is edited. */
async function editedInMidReview(project: PlanProject, text: string) {
  const before = project.calls().length;
  const stopped = stop(project);
  await until('the reviewer to start', () => project.calls().length > before);
  project.write(STATE, text);
  return stopped;
}

const slowly = (print: 'pass' | 'fail') => [{ print, file: true, delayMs: 1500 }];

describe.concurrent('an edit of state.json while a review runs', () => {
  test.each([
    ['max_reviews', { max_reviews: 3 }],
    ['tdd', { tdd: true }],
    ['a field of somebody else', { mine: ['kept'] }],
  ])('of %s stands beside the verdict, and nothing is paid for twice', async (_, edit) => {
    const project = await ownPlan();
    project.reviewer(slowly('fail'));
    const { answer } = await editedInMidReview(project, JSON.stringify({ ...FULL_STATE, ...edit }));
    expect(answer?.decision).toBe('block');
    expect(answer?.systemMessage).toBeUndefined();
    expect(project.state()).toEqual({
      ...FULL_STATE,
      phase: 'plan-review',
      next_phase: 'post-plan-review',
      phase_iteration: 1,
      review_model: 'sonnet',
      ...edit,
    });
    expect((await stop(project)).answer?.decision).toBe('block');
    expect(project.calls()).toHaveLength(1);
  });

  test.each([
    ['phase', { phase: 'post-plan-review' }],
    ['next_phase', { next_phase: null }],
    ['current_task', { current_task: '2' }],
    ['phase_iteration', { phase_iteration: 2 }],
  ])('of %s stands alone: that is what the verdict spoke of', async (_, edit) => {
    const project = await ownPlan();
    project.reviewer(slowly('fail'));
    const edited = { ...FULL_STATE, ...edit };
    const { answer } = await editedInMidReview(project, JSON.stringify(edited));
    expect(answer?.systemMessage).toContain('the edit stands and the verdict was not applied');
    expect(project.state()).toEqual(edited);
  });
});

describe.concurrent('a state.json that is no JSON for a moment', () => {
  const broken = `${JSON.stringify(FULL_STATE).slice(0, -1)},}`;

  test('keeps the verdict of the review that ran meanwhile until it can be read again', async () => {
    const project = await ownPlan();
    project.reviewer(slowly('fail'));
    const { answer } = await editedInMidReview(project, broken);
    expect(answer?.decision).toBeUndefined();
    expect(answer?.systemMessage).not.toContain('was not applied');
    expect(answer?.systemMessage).toContain('waits until');
    expect(project.read(STATE)).toBe(broken);
    await stop(project);
    project.setState({ tdd: true });
    const next = await stop(project);
    expect(next.answer?.decision).toBe('block');
    expect(next.answer?.reason).toContain('plan-review-1.md');
    expect(project.state()).toMatchObject({ phase_iteration: 1, next_phase: 'post-plan-review', tdd: true });
    expect(project.calls()).toHaveLength(1);
  });
});

describe.concurrent('two plans of one session whose reviews are due at one stop', () => {
  /** The first review is ended at our deadline. */
  async function twoPlans(timeout: number): Promise<PlanProject> {
    const project = await ownPlan();
    for (const name of ['plan.md', 'tasks.md', 'task-1.md', 'task-2.md', 'state.json'])
      project.write(`.taskie/plans/second/${name}`, project.read(`.taskie/plans/my-plan/${name}`));
    const bound = await project.holdfast(['taskie', 'next', '--plan', 'second'], SESSION);
    expect(bound.exitCode).toBe(0);
    project.write('holdfast.config.json', JSON.stringify({ review: { timeout } }));
    project.reviewer(['hang', 'fail']);
    return project;
  }
  const planState = (project: PlanProject, plan: string): Record<string, unknown> =>
    JSON.parse(project.read(`.taskie/plans/${plan}/state.json`));
  const failuresOf = (project: PlanProject, plan: string): number =>
    JSON.parse(project.read(`.holdfast/runs/taskie-${plan}.json`)).failures.count;

  test('and no time left for the second: it is not begun and not counted, and the next stop runs it', async () => {
    const project = await twoPlans(8);
    const limited = { args: ['stop', '--limit', '125'] };
    const { answer } = await stop(project, limited);
    expect(answer?.decision).toBeUndefined();
    expect(project.calls()).toHaveLength(1);
    const plans = ['my-plan', 'second'];
    const later = plans.find((plan) => failuresOf(project, plan) === 0) ?? '';
    const first = plans.find((plan) => plan !== later) ?? '';
    expect(answer?.systemMessage).toContain(
      `no time left in this stop for the review of taskie:${later}; the next stop runs it`,
    );
    project.write(
      `.taskie/plans/${first}/state.json`,
      JSON.stringify({ ...planState(project, first), next_phase: null }),
    );
    expect((await stop(project, limited)).answer?.decision).toBe('block');
    expect(planState(project, later).phase_iteration).toBe(1);
    expect(project.calls()).toHaveLength(2);
  });
});

describe.concurrent('an edit of what a verdict does not speak of', () => {
  const edited = '{"phase":"reviewing","left":100,"reviews":0,"note":"mine"}';

  test('leaves the verdict standing at the stop that ran the review', async () => {
    const scene = toyScene();
    await scene.start('a', { phase: 'reviewing' });
    const env = { TOY_REVIEWER: 'edit', TOY_EDIT: edited, TOY_STATE: path.join(scene.root, '.toy/a.json') };
    const { answer } = await scene.stop({ env });
    expect(answer).toEqual({ systemMessage: 'clean {} mine' });
    expect(scene.state('a')).toMatchObject({ phase: 'done', reviews: 1, note: 'mine' });
  });
});

describe.concurrent('a review without a verdict says why', () => {
  const CAUSES: readonly [does: unknown, cause: object, words: string][] = [
    [
      'not-logged-in',
      { kind: 'not-logged-in', code: null },
      '`claude` is not logged in; run `claude` in a terminal',
    ],
    ['api-error', { kind: 'api-error', code: 400 }, 'its API refused the request (status 400)'],
    ['invalid', { kind: 'no-verdict', code: null }, 'it ran to its end but gave no verdict'],
    [{ print: 'missing' }, { kind: 'no-verdict', code: null }, 'it ran to its end but gave no verdict'],
    ['no-file', { kind: 'no-file', code: null }, 'it gave a verdict but wrote no review file'],
    ['crash', { kind: 'exit-code', code: 1 }, 'it ended with exit code 1'],
    [{ exitCode: 137 }, { kind: 'killed', code: 9 }, 'it was killed by signal 9'],
  ];

  async function expectToldEverywhere(
    project: PlanProject,
    fired: Awaited<ReturnType<typeof stop>>,
    cause: object,
    words: string,
  ): Promise<void> {
    expect(fired.exitCode).toBe(0);
    expect(fired.answer?.systemMessage).toContain(words);
    const review = '.taskie/plans/my-plan/plan-review-1.md';
    expect(fired.stderr).toContain(
      `Holdfast: taskie:my-plan: the review into ${review} ended without a verdict: ${words}`,
    );
    expect(fired.stderr.split('\n')).toHaveLength(2);
    const why = await project.holdfast(['why']);
    expect(why.stdout).toContain(words);
    const journal = project
      .read('.holdfast/journal.jsonl')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(journal.at(-1)).toMatchObject({ facts: { noVerdict: cause } });
    const replayed = JSON.parse((await project.holdfast(['replay', '--json', '1'])).stdout);
    expect(replayed).toMatchObject([{ outcome: 'same' }]);
  }

  test.each(CAUSES)('%j', async (does, cause, words) => {
    const project = await ownPlan();
    project.reviewer([does]);
    await expectToldEverywhere(project, await stop(project), cause, words);
  });

  test('the program is missing', async () => {
    const project = await ownPlan();
    const fired = await stop(project, { env: { PATH: path.dirname(process.execPath) } });
    await expectToldEverywhere(project, fired, { kind: 'missing' }, '`claude` was not found on PATH');
  });
});

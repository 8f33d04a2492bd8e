// What becomes of a verdict when the state was edited while the review ran; and, where there is no verdict, that the
// user is told why: in the notice, on standard error, by `why`.

import fs from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { FULL_STATE, type PlanProject, planProject, until } from '../fixtures/taskie/plan.ts';
import { eventually, reviewStarted, toyScene } from '../toy/scene.ts';

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

  test('of its layout alone stands too', async () => {
    const project = await ownPlan();
    project.reviewer(slowly('fail'));
    await editedInMidReview(project, JSON.stringify(FULL_STATE, null, 8));
    expect(project.read(STATE)).toContain('\n        "phase": "plan-review"');
    expect(project.calls()).toHaveLength(1);
  });

  test('of review_model names the next reviewer: it is not toggled away', async () => {
    const project = await ownPlan();
    project.reviewer(slowly('fail'));
    await editedInMidReview(project, JSON.stringify({ ...FULL_STATE, review_model: 'haiku' }));
    expect(project.state()).toMatchObject({ phase_iteration: 1, review_model: 'haiku' });
  });

  test('counts a second clean review on the edited state', async () => {
    const project = await ownPlan({ consecutive_clean: 1, phase: 'post-plan-review', phase_iteration: 1 });
    project.reviewer(slowly('pass'));
    const edited = { ...project.state(), tdd: true };
    const { answer } = await editedInMidReview(project, JSON.stringify(edited));
    expect(answer?.decision).toBeUndefined();
    expect(project.state()).toMatchObject({ next_phase: 'create-tasks', consecutive_clean: 2, tdd: true });
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

  test('leaves the verdict of a hook that died standing, without another review', async () => {
    const scene = toyScene();
    await scene.start('a', { phase: 'reviewing' });
    const hook = scene.beginStop({ env: { TOY_REVIEWER: 'patient' } });
    await reviewStarted(scene);
    hook.process.kill('SIGSTOP');
    fs.writeFileSync(path.join(scene.notes, 'finish'), '');
    await eventually('the reviewer ended', () => fs.existsSync(path.join(scene.notes, 'finished')));
    hook.process.kill('SIGKILL');
    await hook.ended;
    scene.write('.toy/a.json', edited);
    const { answer } = await scene.stop({ env: { TOY_REVIEWER: 'fail' } });
    expect(answer?.systemMessage).toContain('clean');
    expect(scene.state('a')).toMatchObject({ phase: 'done', reviews: 1, note: 'mine' });
    expect(scene.reviews()).toBe(1);
  });
});

describe.concurrent('a review without a verdict says why', () => {
  const CAUSES: readonly [does: unknown, cause: object, words: string][] = [
    [
      'not-logged-in',
      { kind: 'not-logged-in', code: null },
      '`claude` is not logged in; run `claude` in a terminal',
    ],
    ['rate-limit', { kind: 'usage-limit', code: null }, 'the usage limit of its account is reached'],
    ['api-error', { kind: 'api-error', code: 400 }, 'its API refused the request (status 400)'],
    ['invalid', { kind: 'no-verdict', code: null }, 'it ran to its end but gave no verdict'],
    ['missing', { kind: 'no-verdict', code: null }, 'it ran to its end but gave no verdict'],
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

  test('it took too long', async () => {
    const project = await ownPlan();
    project.write('holdfast.config.json', '{"review": {"timeout": 1}}');
    project.reviewer('hang');
    await expectToldEverywhere(
      project,
      await stop(project),
      { kind: 'timed-out' },
      'it was ended at our deadline (review.timeout in holdfast.config.json)',
    );
  });

  test('it printed too much', async () => {
    const scene = toyScene();
    await scene.start('a', { phase: 'reviewing' });
    const { stderr } = await scene.stop({ env: { TOY_REVIEWER: 'flood' } });
    expect(stderr).toContain('it printed more than');
    expect(scene.journal().at(-1)?.facts).toMatchObject({ noVerdict: { kind: 'too-much-output' } });
  });

  test('and is still said when no review is started any more', async () => {
    const project = await ownPlan();
    project.reviewer('not-logged-in');
    for (let tries = 0; tries < 3; tries++) await stop(project);
    project.put('plan.md', '# Plan\n\nAnother text.\n');
    const fourth = await stop(project);
    expect(project.calls()).toHaveLength(3);
    expect(fourth.stderr).toBe('');
    const why = await project.holdfast(['why']);
    expect(why.stdout).toContain('is not logged in');
  });

  test('never in the words of the reviewer: the journal holds no contents', async () => {
    const project = await ownPlan();
    project.reviewer('not-logged-in');
    await stop(project);
    expect(project.read('.holdfast/journal.jsonl')).not.toContain('Please run /login');
  });
});

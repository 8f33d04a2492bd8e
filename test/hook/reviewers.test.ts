// Any reviewer: who is asked, what becomes of what it lists and costs, and who may never be run. Through the real hook,
// with programs on PATH that print what the real clients printed.

import fs from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { onlyReviewers, type PlanProject, planProject } from '../fixtures/taskie/plan.ts';

const SESSION = 's1';

const projects: PlanProject[] = [];
afterAll(() => {
  for (const project of projects) project.remove();
});

/** A plan of this session whose review is due; `review` is the user's own setting. */
async function ownPlan(fields: object = {}, review?: object, env: object = {}) {
  const project = planProject();
  projects.push(project);
  if (review !== undefined) {
    const folder = path.join(project.home, '.config', 'holdfast');
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, 'holdfast.config.json'), JSON.stringify({ review }));
  }
  project.setState({ ...fields });
  const bound = await project.holdfast(['taskie', 'next', '--plan', 'my-plan'], SESSION, { env: { ...env } });
  expect(bound.exitCode).toBe(0);
  return { project, said: bound.stdout };
}

const stop = (project: PlanProject, env: object = {}) =>
  project.stop({ session_id: SESSION, prompt_id: 'p1', hook_event_name: 'Stop' }, { env: { ...env } });

type Line = Record<string, unknown> & { event: string; facts?: Record<string, unknown> };

function journal(project: PlanProject): Line[] {
  const lines = project.read('.holdfast/journal.jsonl').trim().split('\n');
  return lines.map((line): Line => JSON.parse(line));
}

const reviewsIn = (project: PlanProject): Line[] =>
  journal(project).filter(({ event }) => event === 'review');

const modelOf = ({ args }: { args: readonly string[] }): string | undefined =>
  args.includes('--model') ? args[args.indexOf('--model') + 1] : undefined;

describe.concurrent('what a review lists and costs', () => {
  test('is counted for the decision, and stands in the journal once, with what it cost', async () => {
    const { project } = await ownPlan();
    project.reviewer('findings');
    const { answer } = await stop(project);
    expect(answer?.decision).toBe('block');
    await stop(project);
    const [line, ...others] = reviewsIn(project);
    expect(others).toEqual([]);
    expect(line).toMatchObject({
      ...{ schema: 2, workflow: 'taskie', run: 'my-plan', session: SESSION },
      ...{ reviewer: 'claude', model: 'opus', verdict: 'findings' },
      file: '.taskie/plans/my-plan/plan-review-1.md',
      tokens: { output: expect.any(Number) },
    });
    expect(line?.usd).toBeGreaterThan(0);
    expect(line?.milliseconds).toBeGreaterThanOrEqual(0);
    const served = journal(project).find(({ event }) => event === 'stop');
    expect(served?.facts?.listed).toEqual({ high: 1, medium: 1, low: 1 });
    // Derived values alone: what the reviewer said is no business of the journal's.
    expect(project.read('.holdfast/journal.jsonl')).not.toContain('leaves out');
  });
});

describe.concurrent('the pair that the user chose', () => {
  test('takes turns, the first one first, and state.json has their names', async () => {
    const { project } = await ownPlan(
      { review_model: 'codex/gpt-5.2-codex' },
      { models: ['codex/gpt-5.2-codex', 'opus'] },
    );
    project.reviewer('findings');
    await stop(project);
    expect(project.state()).toMatchObject({ review_model: 'opus', phase_iteration: 1 });
    project.put('plan-post-review-1.md', 'answered');
    await stop(project);
    expect(project.state()).toMatchObject({ review_model: 'codex/gpt-5.2-codex', phase_iteration: 2 });
    expect(project.calls().map((call) => [call.program, modelOf(call)])).toEqual([
      ['codex', 'gpt-5.2-codex'],
      ['claude', 'opus'],
    ]);
    expect(project.calls()[0]?.env.HOLDFAST_DISABLE).toBe('1');
    expect(reviewsIn(project)).toMatchObject([
      { reviewer: 'codex', model: 'gpt-5.2-codex', usd: null, tokens: { input: 200, output: 40 } },
      { reviewer: 'claude', model: 'opus' },
    ]);
    const replayed = await project.holdfast(['replay', '1'], SESSION);
    expect(replayed.exitCode).toBe(0);
  });
});

describe.concurrent('a repository does not choose programs', () => {
  test.each([
    ['a program that nobody chose', { review_model: 'codex/' }, undefined],
    ['another model of a program', { review_model: 'codex/evil' }, { models: ['opus', 'codex/'] }],
    ['a program that there is not', { review_model: 'sh/-c' }, { models: ['opus', 'codex/'] }],
    ['a flag as a model', { review_model: 'claude/--settings' }, undefined],
  ])('by %s in state.json', async (_, fields, review) => {
    const { project } = await ownPlan(fields, review);
    const before = project.state();
    const { answer } = await stop(project);
    expect(answer?.decision).toBeUndefined();
    expect(answer?.systemMessage).toContain(`names "${fields.review_model}"`);
    expect(answer?.systemMessage).toContain('holdfast.config.json');
    expect(project.calls()).toEqual([]);
    expect(project.state()).toEqual(before);
    const why = await project.holdfast(['why'], SESSION);
    expect(why.stdout).toContain('may not review here');
  });

  test('by its own holdfast.config.json', async () => {
    const { project } = await ownPlan({ review_model: 'codex/' });
    project.write('holdfast.config.json', '{"review": {"models": ["codex/", "codex/"]}}');
    await stop(project);
    expect(project.calls()).toEqual([]);
  });
});

describe.concurrent('where Claude Code is not installed', () => {
  test('and nobody chose, Codex reviews with its default model; it is said at the start and in the hold', async () => {
    const { project } = await ownPlan();
    const env = { PATH: onlyReviewers(project, 'codex') };
    const started = await project.holdfast(['taskie', 'next', '--plan', 'my-plan'], SESSION, { env });
    const said = '`claude` is not on PATH, so `codex` reviews in its place, with its default model.';
    expect(started.stdout).toContain(said);
    project.reviewer('findings');
    const { answer } = await stop(project, env);
    expect(answer?.decision).toBe('block');
    expect(answer?.reason).toContain(said);
    expect(project.state()).toMatchObject({ review_model: 'sonnet', phase_iteration: 1 });
    expect(project.calls().map((call) => [call.program, modelOf(call)])).toEqual([['codex', undefined]]);
    expect(reviewsIn(project)).toMatchObject([{ reviewer: 'codex', model: '' }]);
    const { stdout } = await project.holdfast(['replay', '1'], SESSION, { env });
    expect(stdout).not.toContain('differ');
  });
});

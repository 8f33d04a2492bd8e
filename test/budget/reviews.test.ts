// Reviews and what they cost: a budget of reviews keeps back the next one, whoever runs it, and what a reviewer reports
// is spent, once.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Budget } from '../../src/engine/budget/types.ts';
import { type PlanProject, planProject } from '../fixtures/taskie/plan.ts';
import { typeCli } from '../support/typed.ts';
import { budgetScene, isHeld, isLastHold, isPaused } from './scene.ts';

const SESSION = 'a-session';

let project: PlanProject;
afterEach(() => project?.remove());

async function reviewedPlan(...flags: string[]): Promise<PlanProject> {
  project = planProject();
  project.setState({});
  const ran = await project.holdfast(['taskie', 'next', '--plan', 'my-plan', ...flags], SESSION);
  expect(ran).toMatchObject({ exitCode: 0, stderr: '' });
  return project;
}

const stop = (plan: PlanProject) => plan.stop({ session_id: SESSION, prompt_id: 'p', cwd: plan.root });

function budgetOf(plan: PlanProject): Budget {
  const folder = path.join(plan.home, '.local/state/holdfast/budgets');
  const [file = ''] = fs.readdirSync(folder);
  return JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8'));
}

/** As if the agent had answered the review, and another one were due. */
const answerReview = (plan: PlanProject): void => {
  plan.put('plan-post-review-1.md', '# Fixed\n');
  plan.setState({ ...plan.state(), phase: 'post-plan-review', next_phase: 'plan-review' });
};

describe('taskie', () => {
  it('with its reviews spent the next one that is due is not run: the last hold, then the pause', async () => {
    const plan = await reviewedPlan('--reviews', '1');
    plan.reviewer('fail');
    const first = await stop(plan);
    expect(isHeld(first) && !isLastHold(first)).toBe(true);
    expect(budgetOf(plan)).toMatchObject({ spent: { reviews: 1 }, stage: 'open' });
    answerReview(plan);
    const before = plan.state();
    const last = await stop(plan);
    expect(isLastHold(last)).toBe(true);
    expect(last.answer?.reason).toContain('1 of 1 review');
    expect(isPaused(await stop(plan))).toBe(true);
    expect(plan.calls()).toHaveLength(1);
    expect(plan.state()).toEqual(before);
    expect((await typeCli(plan.root, ['resume', '--reviews', '1'])).exitCode).toBe(0);
    expect(isLastHold(await stop(plan))).toBe(false);
    expect(plan.calls()).toHaveLength(2);
  });
});

describe('claudex', () => {
  it('with its reviews spent the agent is asked for no further round, and the state stays', async () => {
    const scene = budgetScene();
    await scene.agent(['claudex', 'plan', '--skip-interview', '--reviews', '1', 'a topic']);
    scene.write('PLAN.md', '# Plan\n');
    expect((await scene.stop()).answer?.reason).toMatch(/round 1/i);
    expect(scene.budget().spent.reviews).toBe(1);
    const state = async (): Promise<unknown> => {
      const [{ stage, detail }] = JSON.parse((await scene.person(['status', '--json'])).stdout).runs;
      return { stage, round: detail.round };
    };
    const before = await state();
    expect(isLastHold(await scene.stop())).toBe(true);
    expect(isPaused(await scene.stop())).toBe(true);
    expect(await state()).toEqual(before);
    const other = await scene.agent(['claudex', 'plan', '--skip-interview', 'another'], 'another');
    expect(other).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('is still going') });
  });
});

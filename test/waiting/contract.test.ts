// The contract of waiting (docs/contracts/waiting.md), section by section, as its user and its agent meet it: what the
// built hook and commands do and say from one end of a wait to the other.

import { afterAll, describe, expect, test, vi } from 'vitest';
import { type PlanProject, planProject } from '../fixtures/taskie/plan.ts';

vi.setConfig({ testTimeout: 60_000 });

const projects: PlanProject[] = [];
afterAll(() => {
  for (const project of projects) project.remove();
});

/** With a review due at its first stop. */
function planWithReviewDue(): PlanProject {
  const project = planProject('my-plan', 'claude-code');
  projects.push(project);
  project.setState({});
  return project;
}

describe.concurrent('for a person', () => {
  test('a hold says that the question was answered, also where a review came first', async () => {
    const project = planWithReviewDue();
    project.reviewer(['fail']);
    expect((await project.holdfast(['taskie', 'next', '--plan', project.plan])).exitCode).toBe(0);
    expect((await project.holdfast(['ask', 'Which database?'])).exitCode).toBe(0);
    expect((await project.stop()).answer?.systemMessage).toContain('Which database?');
    const { answer } = await project.stop();
    expect(project.calls()).toHaveLength(1);
    expect(answer?.reason).toMatch(/^Your question \("Which database\?"\) was answered: /);
    expect((await project.holdfast(['why'])).stdout).toContain('Its question was answered.');
    expect((await project.holdfast(['replay', '1'])).stdout).toContain('same');
  });
});

// What requirements ask for beyond the numbered suites, in every way of firing.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withLock } from '../../src/store/lock.ts';
import { type PlanProject, planProject } from '../fixtures/taskie/plan.ts';
import { sessions, talkIn, ways } from '../support/ways.ts';

let project: PlanProject;

afterEach(() => project.remove());

describe.each(ways)('what a review leaves in the state%s', (_where, way) => {
  beforeEach(() => {
    project = planProject('my-plan', way);
  });

  it.each(['plan-review', 'tasks-review', 'code-review', 'all-code-review'])(
    'a %s with findings is the phase, and its own post-review is next',
    { tags: ['T-accept-3.4.2', 'T-accept-3.4.3'] },
    async (review) => {
      project.setState({ phase: 'create-tasks', next_phase: review, current_task: '1' });
      await project.stop();
      expect(project.state()).toMatchObject({ phase: review, next_phase: `post-${review}` });
    },
  );

  it.each([
    ['findings', 'fail', 0],
    ['a first clean review', 'pass', 0],
    ['a second clean review', 'pass', 1],
  ])(
    'max_reviews, current_task and tdd stay after %s',
    { tags: ['T-accept-3.4.7'] },
    async (_what, verdict, consecutive_clean) => {
      project.reviewer(verdict);
      const kept = { max_reviews: 5, current_task: '2', tdd: true };
      project.setState({ ...kept, next_phase: 'code-review', consecutive_clean });
      await project.stop();
      expect(project.state()).toMatchObject({ ...kept, phase: 'code-review', phase_iteration: 1 });
    },
  );

  it('the limit is one for all tasks, and counts as it stands at each stop', {
    tags: ['T-clarify-6', 'T-field-max_reviews'],
  }, async () => {
    const limit = (max: number): string => `Max review limit (${max}) reached for code-review`;
    project.setState({
      phase: 'post-code-review',
      next_phase: 'code-review',
      current_task: '1',
      phase_iteration: 2,
      max_reviews: 2,
    });
    expect((await project.stop()).answer?.systemMessage).toContain(limit(2));
    expect(project.calls()).toEqual([]);
    project.setState({ ...project.state(), max_reviews: 3 });
    expect((await project.stop()).answer?.reason).toContain('task-1-review-3.md');
    expect(project.calls()).toHaveLength(1);
    const begun = await project.holdfast(['taskie', 'record', 'complete-task', '--task', '2']);
    expect(begun).toMatchObject({ exitCode: 0 });
    expect(project.state()).toMatchObject({ current_task: '2', max_reviews: 3, phase_iteration: 0 });
    project.setState({ ...project.state(), phase: 'post-code-review', phase_iteration: 3 });
    expect((await project.stop()).answer?.systemMessage).toContain(limit(3));
    expect(project.calls()).toHaveLength(1);
  });
});

describe.each(sessions)('continue-plan%s', (_where, way) => {
  beforeEach(() => {
    project = planProject('my-plan', way);
  });

  it('goes by what state.json says, and binds the plan to the session', { tags: ['T-codex-2'] }, async () => {
    project.put('plan-review-1.md', 'x');
    const next = () => project.holdfast(['taskie', 'next']);
    project.setState({ phase: 'plan-review', next_phase: 'post-plan-review', phase_iteration: 1 });
    const answer = await next();
    expect(answer).toMatchObject({ exitCode: 0, stderr: '' });
    expect(answer.stdout).toContain('do post-plan-review');
    project.setState({ phase: 'plan-review', next_phase: 'create-tasks', phase_iteration: 2 });
    const create = (await next()).stdout;
    expect(create).toContain('create-tasks');
    expect(create).not.toContain('post-plan-review');
    project.setState({ phase: 'tasks-review', next_phase: 'complete-task', phase_iteration: 2 });
    expect((await next()).stdout).toMatch(/complete-task\b.*\btask 1\b|\btask 1\b.*complete-task\b/s);
    project.setState({ phase: 'post-plan-review', next_phase: 'plan-review', phase_iteration: 1 });
    expect((await next()).stdout).not.toContain('the next session');
    // Not left for whoever stops here next, as it would be from a plain terminal.
    expect((await talkIn(way, project).stop()).answer?.decision).toBeUndefined();
    expect((await project.stop()).answer?.reason).toContain('plan-review-2.md');
  });
});

describe.each(sessions)('state.json%s', (_where, way) => {
  beforeEach(() => {
    project = planProject('my-plan', way);
  });

  it('is written by hook and agent one after the other: neither writes while the lock is another’s', {
    tags: ['T-risk-3'],
  }, async () => {
    project.put('plan-review-1.md', 'x');
    const answered = { phase: 'plan-review', next_phase: 'post-plan-review', phase_iteration: 1 };
    project.setState(answered);
    await project.holdfast(['taskie', 'next']);
    const [recorded] = await whileLocked(() => project.holdfast(['taskie', 'record', 'post-plan-review']));
    expect(recorded).toMatchObject({ exitCode: 0 });
    expect(project.state()).toMatchObject({ phase: 'post-plan-review', next_phase: 'plan-review' });
    await whileLocked(() => project.stop());
    expect(project.calls().length).toBeLessThanOrEqual(1);
  });
});

/** Somebody else has the lock for a while: in that time nothing may move, however long it really is. */
async function whileLocked<Done>(work: () => Promise<Done>): Promise<[Done]> {
  const before = project.state();
  const begun = await withLock(`${project.root}/.holdfast`, 10_000, async () => {
    const done = work();
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(project.state()).toEqual(before);
    expect(project.calls()).toEqual([]);
    return [done] as const;
  });
  return [await begun[0]];
}

// A plan's claims, through the real hook and with the fake reviewer: a review of code that is due.

import { afterEach, describe, expect, it } from 'vitest';
import { type PlanProject, planProject } from '../fixtures/taskie/plan.ts';
import { checkOf, journalIn, receiptsIn, writePin } from './scene.ts';

const RUN = 'taskie:my-plan';
const CODE_DONE = { phase: 'complete-task', next_phase: 'code-review', current_task: '1' };

let project: PlanProject;

afterEach(() => project.remove());

function planWithCode(state: object = CODE_DONE): PlanProject {
  project = planProject('my-plan', 'claude-code');
  project.write('code.txt', 'first\n');
  project.setState({ ...state });
  return project;
}

const endsIn = () => journalIn(project).filter(({ event }) => event === 'end');

describe('a review of code that is due', () => {
  it('is not paid for while a check fails: the agent is held, and the plan stays as it is', async () => {
    planWithCode();
    writePin(project, RUN, [checkOf('test', 'echo red; exit 1')]);
    const before = project.state();
    const { answer } = await project.stop();
    expect(answer?.decision).toBe('block');
    expect(answer?.reason).toContain('test: exit code 1');
    expect(answer?.reason).toContain('code review of task 1 is due, but no reviewer is asked');
    expect(project.calls()).toEqual([]);
    expect(project.state()).toEqual(before);
    expect((await project.holdfast(['why'])).stdout).toContain('the checks refused the claim');
    expect((await project.holdfast(['replay', '1'])).stdout).toContain('same');
  });

  it('runs after three refusals in a row: its prompt names the red check, and the plan stays unproven', async () => {
    planWithCode();
    writePin(project, RUN, [checkOf('test', 'echo not ok 3; exit 1')]);
    for (const change of ['second', 'third', 'fourth']) {
      expect((await project.stop()).answer?.reason).toContain('no reviewer is asked');
      expect(project.calls()).toEqual([]);
      project.write('code.txt', `${change}\n`);
      project.write(
        '.taskie/plans/my-plan/task-1.md',
        `${project.read('.taskie/plans/my-plan/task-1.md')}\n`,
      );
    }
    const { answer } = await project.stop();
    expect(answer?.reason).toContain('task-1-review-1.md');
    expect(answer?.systemMessage).toContain('unproven. Failed: test');
    expect(project.calls()[0]?.prompt).toContain('checks are red on this code');
    expect(project.calls()[0]?.prompt).toContain('not ok 3');
    project.setState({ phase: 'complete', next_phase: null, current_task: '2' });
    await project.stop();
    expect(endsIn()).toMatchObject([{ outcome: 'completed', proof: 'unproven', why: ['failed'] }]);
  });

  it('runs once the checks pass, in the same stop', async () => {
    planWithCode();
    writePin(project, RUN, [checkOf('test', 'true')]);
    const { answer } = await project.stop();
    expect(answer?.decision).toBe('block');
    expect(answer?.reason).toContain('task-1-review-1.md');
    expect(answer?.reason).not.toContain('refused');
    expect(answer?.systemMessage).toContain('done and proven: test');
    expect(project.calls()).toHaveLength(1);
    expect(receiptsIn(project)).toHaveLength(1);
  });

  it('tells the reviewer which protected files changed', async () => {
    planWithCode();
    const seal = { files: [['code.txt', 'another']] as const, skips: {}, cut: false };
    writePin(project, RUN, [checkOf('test', 'true')], { seal, protect: ['code.txt'] });
    await project.stop();
    expect(project.calls()[0]?.prompt).toContain('code.txt (changed)');
  });

  it('runs, shown as unproven, where a check is not trusted or cannot run', async () => {
    planWithCode();
    writePin(project, RUN, [checkOf('test', 'true')], { untrusted: ['test'] });
    const { answer } = await project.stop();
    expect(project.calls()).toHaveLength(1);
    expect(answer?.systemMessage).toContain('unproven');
    writePin(project, RUN, [checkOf('test', '', { run: ['no-such-program-here'] })]);
    project.setState(CODE_DONE);
    expect((await project.stop()).answer?.reason).toContain('its program was not found');
    expect(project.calls()).toHaveLength(1);
    await project.stop();
    expect(project.calls()).toHaveLength(2);
  });
});

describe('a plan that is complete', () => {
  const COMPLETE = { phase: 'complete', next_phase: null, current_task: '2' };

  async function claimed(): Promise<void> {
    planWithCode();
    writePin(project, RUN, [checkOf('test', 'true')]);
    await project.stop();
    expect(receiptsIn(project)).toHaveLength(1);
    project.setState(COMPLETE);
  }

  it('is proven where the content is the one that passed; said once', async () => {
    await claimed();
    const { answer } = await project.stop();
    expect(answer?.systemMessage).toContain('done and proven');
    expect(endsIn()).toMatchObject([{ outcome: 'completed', proof: 'proven' }]);
    await project.stop();
    expect(endsIn()).toHaveLength(1);
    expect((await project.holdfast(['replay', '1'])).stdout).toContain('same');
  });

  it('is unproven where something changed since, and nothing is run for it', async () => {
    await claimed();
    project.write('code.txt', 'second\n');
    const { answer } = await project.stop();
    expect(answer?.systemMessage).toContain('unproven');
    expect(endsIn()).toMatchObject([{ outcome: 'completed', proof: 'unproven', why: ['changed-since'] }]);
    expect(receiptsIn(project)).toHaveLength(1);
  });
});

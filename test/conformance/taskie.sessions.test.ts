// Whose a plan is, how an agent is held to its half, and how anybody gets out: in sessions, through the real hook.

import fs from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type PlanProject, planProject } from '../fixtures/taskie/plan.ts';

let project: PlanProject;
const mine = { session_id: 'session-a' };

beforeEach(() => {
  project = planProject();
});

afterEach(() => project.remove());

const continuePlan = (session = 'session-a') => project.holdfast(['taskie', 'next'], session);

describe('a plan in a session', () => {
  it('that neither started nor continued it is told of once, never held, and no reviewer starts', async () => {
    project.setState({});
    const first = await project.stop({ session_id: 'stranger' });
    expect(first.answer?.decision).toBeUndefined();
    expect(first.answer?.systemMessage).toContain('taskie:my-plan is unfinished here');
    expect(first.answer?.systemMessage).toContain('/taskie:continue-plan');
    expect((await project.stop({ session_id: 'stranger' })).stdout).toBe('');
    expect(project.calls()).toEqual([]);
    expect(project.state()).toMatchObject({ next_phase: 'plan-review', phase_iteration: 0 });
  });

  it('that runs continue-plan takes it over, and the session before is no longer held', {
    tags: ['T-clarify-1'],
  }, async () => {
    await project.holdfast(['taskie', 'record', 'new-plan'], 'session-a');
    await continuePlan('session-b');
    expect((await project.stop(mine)).answer?.decision).toBeUndefined();
    expect(project.calls()).toEqual([]);
    expect((await project.stop({ session_id: 'session-b' })).answer?.decision).toBe('block');
  });

  it('of several plans serves only its own', { tags: ['T-hook-3'] }, async () => {
    project.setState({ next_phase: null });
    project.write('.taskie/plans/other/wrong.md', 'x');
    await project.holdfast(['taskie', 'next', '--plan', 'my-plan'], 'session-a');
    const { answer } = await project.stop(mine);
    expect(answer?.systemMessage).toContain("Plan 'my-plan' structure validated");
  });

  it('is told that the structure is valid once per change of the folder', async () => {
    project.setState({ next_phase: null });
    await continuePlan();
    expect((await project.stop(mine)).answer?.systemMessage).toContain('validated');
    expect((await project.stop(mine)).answer?.systemMessage).toBeUndefined();
    project.put('design.md', '# Design');
    expect((await project.stop(mine)).answer?.systemMessage).toContain('validated');
    expect((await project.stop(mine)).answer?.systemMessage).toBeUndefined();
  });

  it('fired by hand is told so each time', async () => {
    for (const _ of [1, 2]) expect((await project.stop()).answer?.systemMessage).toContain('validated');
  });

  it('started in a plain terminal goes to the next session here', async () => {
    project.setState({});
    const { stdout } = await project.holdfast(['taskie', 'next']);
    expect(stdout).toContain('the next session that stops here');
    expect((await project.stop(mine)).answer?.decision).toBe('block');
  });
});

describe('an agent’s half', () => {
  it('that was done but not recorded is recorded for it: the next review runs', async () => {
    project.setState({});
    await continuePlan();
    await project.stop(mine);
    project.put('plan-post-review-1.md', 'answered');
    const { answer } = await project.stop(mine);
    expect(answer?.reason).toContain('plan-review-2.md');
    expect(project.state()).toMatchObject({ phase: 'plan-review', phase_iteration: 2 });
  });

  it('recorded by hand in the file, as agents of old did, is honoured', async () => {
    project.setState({});
    await continuePlan();
    await project.stop(mine);
    project.setState({ ...project.state(), phase: 'post-plan-review', next_phase: 'plan-review' });
    expect((await project.stop(mine)).answer?.reason).toContain('plan-review-2.md');
  });

  it('that is missing is held again, three times without any move, then let go', {
    tags: ['T-hook-1', 'T-risk-4', 'T-accept-3.1.3'],
  }, async () => {
    project.setState({});
    await continuePlan();
    const transcript = transcriptWithoutTools();
    const payload = { ...mine, transcript_path: transcript, prompt_id: 'p' };
    const first = await project.stop(payload);
    const answers = [first];
    for (const _ of [1, 2, 3]) answers.push(await project.stop(payload));
    expect(answers.map(({ answer }) => answer?.decision)).toEqual(['block', 'block', 'block', undefined]);
    expect(answers[1]?.answer?.reason).toContain('by the same steps as before');
    expect(answers[3]?.answer?.systemMessage).toContain('post-plan-review is outstanding');
    expect(answers[3]?.answer?.systemMessage).toContain('/taskie:continue-plan');
    expect((await project.stop(payload)).answer?.systemMessage).toBeUndefined();
    expect(project.calls()).toHaveLength(1);
    await continuePlan();
    expect((await project.stop(payload)).answer?.decision).toBe('block');
  });

  it('that goes on in the task files counts as movement', async () => {
    project.setState({});
    await continuePlan();
    const payload = { ...mine, transcript_path: transcriptWithoutTools(), prompt_id: 'p' };
    const decisions: unknown[] = [];
    for (let stop = 0; stop < 6; stop++) {
      decisions.push((await project.stop(payload)).answer?.decision);
      project.put('task-1.md', `# Task 1, version ${stop}\n`);
    }
    expect(decisions).toEqual(Array(6).fill('block'));
  });

  it('after a crash of the agent is what continue-plan goes on with', { tags: ['T-risk-6'] }, async () => {
    project.setState({});
    await continuePlan();
    await project.stop(mine);
    const { stdout } = await continuePlan('session-b');
    expect(stdout).toContain('do post-plan-review');
    expect(stdout).toContain('plan-review-1.md');
  });
});

const PHASES_OF_THE_LOOP = ['plan-review', 'tasks-review', 'code-review', 'all-code-review'].flatMap(
  (review) => [review, `post-${review}`],
);

/** The plan is this session's, somewhere in a review loop. */
async function inTheLoop(next: string): Promise<void> {
  for (const name of ['plan-review-1.md', 'tasks-review-1.md', 'task-1-review-1.md', 'all-code-review-1.md'])
    project.put(name, 'x');
  const phase = next.replace('post-', '');
  project.setState({ phase, next_phase: next, current_task: '1', phase_iteration: 1 });
  await continuePlan();
}

describe('the escape hatches', () => {
  it.each(PHASES_OF_THE_LOOP)(
    'next_phase null, set by hand while %s is next, lets the agent go at the next stop',
    { tags: ['T-risk-8'] },
    async (next) => {
      await inTheLoop(next);
      expect((await project.stop(mine)).answer?.decision).toBe('block');
      const calls = project.calls().length;
      project.setState({ ...project.state(), next_phase: null });
      expect((await project.stop(mine)).answer?.decision).toBeUndefined();
      expect(project.calls()).toHaveLength(calls);
    },
  );

  it.each(PHASES_OF_THE_LOOP)(
    'max_reviews 0, set by hand while %s is next, lets the agent go at the next stop',
    { tags: ['T-risk-8'] },
    async (next) => {
      await inTheLoop(next);
      project.setState({ ...project.state(), max_reviews: 0 });
      expect((await project.stop(mine)).answer?.decision).toBeUndefined();
      expect(project.calls()).toEqual([]);
    },
  );

  it('next_phase null, set while the agent answers a review, is not undone by its record', async () => {
    await inTheLoop('post-plan-review');
    await project.stop(mine);
    project.setState({ ...project.state(), next_phase: null });
    project.put('plan-post-review-1.md', 'x');
    const { exitCode } = await project.holdfast(['taskie', 'record', 'post-plan-review'], 'session-a');
    expect(exitCode).toBe(0);
    expect(project.state()).toMatchObject({ phase: 'post-plan-review', next_phase: null });
    expect((await project.stop(mine)).answer?.decision).toBeUndefined();
  });

  it('max_reviews 0, set while a post-review is owed, moves the plan on once it is answered', async () => {
    await inTheLoop('post-plan-review');
    project.setState({ ...project.state(), max_reviews: 0 });
    expect((await project.stop(mine)).answer?.systemMessage).toContain('post-plan-review is outstanding');
    project.put('plan-post-review-1.md', 'x');
    expect((await project.stop(mine)).answer?.decision).toBeUndefined();
    expect(project.state()).toMatchObject({ next_phase: 'create-tasks' });
  });

  it('holdfast cancel sets next_phase null', async () => {
    project.setState({});
    await continuePlan();
    const { stdout, exitCode } = await project.holdfast(['cancel', 'taskie:my-plan'], 'session-a');
    expect({ stdout, exitCode }).toMatchObject({ exitCode: 0 });
    expect(project.state()).toMatchObject({ phase: 'new-plan', next_phase: null });
    expect((await project.stop(mine)).answer?.decision).toBeUndefined();
  });

  it('all-code-review is skipped only by hand: phase complete, nothing next', {
    tags: ['T-advance-6'],
  }, async () => {
    project.setState({ phase: 'complete', next_phase: null, current_task: '2' });
    await continuePlan();
    expect((await project.stop(mine)).answer?.decision).toBeUndefined();
    expect((await continuePlan()).stdout).toContain('it is complete');
  });

  it('validation still holds for a broken folder, within the guard', async () => {
    project.setState({ next_phase: null });
    project.put('nested/extra.md', 'x');
    await continuePlan();
    const payload = { ...mine, transcript_path: transcriptWithoutTools(), prompt_id: 'p' };
    const decisions: unknown[] = [];
    for (let stop = 0; stop < 5; stop++) decisions.push((await project.stop(payload)).answer?.decision);
    expect(decisions).toEqual(['block', 'block', 'block', undefined, undefined]);
  });
});

/** A transcript in which the agent only ever talks. */
function transcriptWithoutTools(): string {
  const line = { type: 'user', uuid: 'u-1', message: { role: 'user', content: 'go on' } };
  const file = `${project.home}/transcript.jsonl`;
  fs.writeFileSync(file, `${JSON.stringify(line)}\n`);
  return file;
}

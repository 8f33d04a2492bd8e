// A whole plan of three tasks, from new-plan to complete, in one session: the test plays the agent, which only does
// what it is told by holds, by `next` and by the skills, and never edits state.json.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type PlanProject, planProject, taskText } from '../fixtures/taskie/plan.ts';

let project: PlanProject;
const session = 'session-of-the-plan';

beforeEach(() => {
  project = planProject('three-tasks');
});

afterEach(() => project.remove());

const table = (statuses: readonly string[]): string =>
  `| Id | Status | Description |\n| --- | --- | --- |\n${statuses.map((status, index) => `| ${index + 1} | ${status} | x |\n`).join('')}`;

/** An agent that follows instructions until it is let go; answers with what happened on the way. */
function agent() {
  const statuses = ['pending', 'pending', 'pending'];
  const heard: string[] = [];
  let holds = 0;

  async function record(...words: string[]): Promise<void> {
    const ran = await project.holdfast(['taskie', 'record', ...words], session);
    expect(ran.stderr).toBe('');
    expect(ran.exitCode).toBe(0);
  }

  async function isValid(): Promise<boolean> {
    return (await project.holdfast(['taskie', 'validate'], session)).exitCode === 0;
  }

  /** Stops until the hook lets go, answering every review it is held for. */
  async function stopUntilLetGo(): Promise<void> {
    for (let stops = 0; stops < 40; stops++) {
      const { answer } = await project.stop({ session_id: session });
      expect(await isValid()).toBe(true);
      if (answer?.systemMessage) heard.push(answer.systemMessage);
      if (answer?.decision === undefined) {
        if (!/ended without a verdict/.test(answer?.systemMessage ?? '')) return;
        continue; // Nothing was counted: the user sends the agent on, and it stops again.
      }
      holds++;
      await obey(answer.reason ?? '');
    }
    throw new Error('the hook never let go');
  }

  /** Does what a hold says: writes the post-review it names, runs the command it names. */
  async function obey(reason: string): Promise<void> {
    const post = /[\w-]+-post-review-\d+\.md/.exec(reason)?.[0] ?? '';
    const action = /taskie record (post-[a-z-]+review) --plan three-tasks\n/.exec(reason)?.[1] ?? '';
    project.put(post, 'what was changed');
    await record(action);
  }

  return { statuses, heard, holds: () => holds, record, stopUntilLetGo };
}

type Agent = ReturnType<typeof agent>;

/** Runs `next` and does the one thing it says. False: the plan is complete. */
async function goOn(who: Agent): Promise<boolean> {
  const { stdout } = await project.holdfast(['taskie', 'next'], session);
  if (/it is complete/.test(stdout)) return false;
  const implement = /do task (\d+) with (complete-task(?:-tdd)?)/.exec(stdout);
  if (/write the tasks/.test(stdout)) await writeTasks(who);
  else if (implement) await doTask(who, implement[1] ?? '', implement[2] ?? '');
  else if (/taskie record complete /.test(stdout)) await who.record('complete');
  else if (!/Stop now/.test(stdout)) throw new Error(`what is the agent to do with this? ${stdout}`);
  await who.stopUntilLetGo();
  return true;
}

async function writeTasks(who: Agent): Promise<void> {
  project.put('tasks.md', table(who.statuses));
  for (const id of ['1', '2', '3']) project.put(`task-${id}.md`, taskText(id, 'pending'));
  await who.record('create-tasks');
}

async function doTask(who: Agent, id: string, action: string): Promise<void> {
  project.put(`task-${id}.md`, taskText(id, 'awaiting-review'));
  who.statuses[Number(id) - 1] = 'done';
  project.put('tasks.md', table(who.statuses));
  await who.record(action, '--task', id);
}

async function runPlan(who: Agent): Promise<string[]> {
  await who.record('new-plan', '--plan', 'three-tasks');
  await who.stopUntilLetGo();
  const phases = [project.state()];
  for (let steps = 0; steps < 30 && (await goOn(who)); steps++) phases.push(project.state());
  return phases.map((state) => `${state.phase} > ${state.next_phase}`);
}

const models = (): string[] => project.calls().map(({ args }) => String(args[args.indexOf('--model') + 1]));

describe('a plan of three tasks', () => {
  it('runs from new-plan to complete through findings, a crash and a timeout, models alternating', {
    tags: ['T-clarify-3', 'T-clarify-4', 'T-flow-1', 'T-flow-2', 'T-flow-3', 'T-advance-5'],
  }, async () => {
    project.write('holdfast.config.json', '{"review": {"timeout": 5}}');
    project.reviewer([
      ...['fail', 'pass', 'crash', 'pass'], // plan
      ...['pass', 'fail', 'pass', 'pass'], // tasks
      ...['hang', 'pass', 'pass'], // task 1
      ...['fail', 'fail', 'pass', 'pass'], // task 2
      ...['pass', 'pass'], // task 3
      ...['pass', 'no-file', 'fail', 'pass', 'pass'], // all code
    ]);
    const who = agent();
    expect(await runPlan(who)).toEqual([
      'plan-review > create-tasks',
      'tasks-review > complete-task',
      'code-review > complete-task',
      'code-review > complete-task',
      'code-review > all-code-review',
      'all-code-review > complete',
      'complete > null',
    ]);
    expect(models()).toEqual([
      ...['opus', 'sonnet', 'opus', 'opus'],
      ...['opus', 'sonnet', 'opus', 'sonnet'],
      ...['opus', 'opus', 'sonnet'],
      ...['opus', 'sonnet', 'opus', 'sonnet'],
      ...['opus', 'sonnet'],
      ...['opus', 'sonnet', 'sonnet', 'opus', 'sonnet'],
    ]);
    expect(project.state()).toMatchObject({ phase: 'complete', next_phase: null, current_task: '3' });
    expect(who.heard.filter((line) => line.includes('passed'))).toHaveLength(6);
    expect(who.heard.filter((line) => line.includes('ended without a verdict'))).toHaveLength(3);
    expect(who.holds()).toBe(13);
  });

  it('runs the same way with max_reviews 0, without any review', {
    tags: ['T-exit-3'],
  }, async () => {
    const who = agent();
    await who.record('new-plan', '--plan', 'three-tasks');
    project.setState({ max_reviews: 0 });
    await who.stopUntilLetGo();
    const phases: string[] = [];
    for (let steps = 0; steps < 30 && (await goOn(who)); steps++)
      phases.push(
        `${project.state().phase} > ${project.state().next_phase} (${project.state().current_task})`,
      );
    expect(phases).toEqual([
      'tasks-review > complete-task (null)',
      'code-review > complete-task (1)',
      'code-review > complete-task (2)',
      'code-review > all-code-review (3)',
      'all-code-review > complete (3)',
      'complete > null (3)',
    ]);
    expect(project.calls()).toEqual([]);
    expect(who.holds()).toBe(0);
  });

  it('runs test-first throughout once a task was done with complete-task-tdd', {
    tags: ['T-field-tdd', 'T-flow-4'],
  }, async () => {
    project.reviewer('pass');
    const who = agent();
    await who.record('new-plan', '--plan', 'three-tasks');
    await who.stopUntilLetGo();
    await goOn(who);
    await doTask(who, '1', 'complete-task-tdd');
    await who.stopUntilLetGo();
    expect(project.state()).toMatchObject({ next_phase: 'complete-task-tdd', tdd: true });
    const phases: string[] = [];
    for (let steps = 0; steps < 30 && (await goOn(who)); steps++)
      phases.push(String(project.state().next_phase));
    expect(phases).toEqual(['complete-task-tdd', 'all-code-review', 'complete', 'null']);
  });
});

// The contract of waiting (docs/contracts/waiting.md), section by section, as its user and its agent meet it: what the
// built hook and commands do and say from one end of a wait to the other.

import { afterAll, describe, expect, test } from 'vitest';
import { latest, postState } from '../fixtures/idle/loops.ts';
import { type PlanProject, planProject } from '../fixtures/taskie/plan.ts';
import { STUCK } from '../proof/scene.ts';
import { fireHook, runCli } from '../support/hook.ts';
import { recordedPayload } from '../support/recorded.ts';
import { HOUR, looping, SESSION, type WaitingScene } from './scene.ts';

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

/** The agent asks, which is a tool call of its turn. */
async function asks(scene: WaitingScene, question: string): Promise<number | null> {
  scene.transcript.calls('Bash');
  return (await scene.cli('ask', question)).exitCode;
}

/** The agent asks and ends its turn; what the user reads. */
async function shows(scene: WaitingScene, question: string): Promise<string> {
  expect(await asks(scene, question)).toBe(0);
  return (await scene.stop()).answer?.systemMessage ?? '';
}

const OTHER = { session_id: 'another-session', prompt_id: 'its-turn' };

const adopts = ({ root, sidecar }: WaitingScene) =>
  runCli(root, ['adopt', sidecar().run], { env: { CLAUDE_CODE_SESSION_ID: OTHER.session_id } });

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

  test('a question beside the end of its run promises nothing', async () => {
    const scene = await looping();
    expect(await asks(scene, 'Which database?')).toBe(0);
    const { answer } = await scene.stop('stop-first', { last_assistant_message: STUCK });
    expect(answer?.systemMessage).toMatch(/asks: Which database\?\nidle:.* is over, so it does not wait/);
    expect(answer?.systemMessage).not.toContain('the work goes on');
  });

  test('to be refused is no work between two questions', async () => {
    const scene = await looping();
    for (const question of ['One?', 'Two?', 'Three?']) {
      await shows(scene, question);
      scene.prompt('human');
    }
    for (const question of ['Four?', 'Five?', 'Six?']) {
      expect(await asks(scene, question)).toBe(1);
      expect((await scene.stop()).answer?.decision).toBe('block');
    }
    scene.transcript.calls('Bash');
    await scene.stop();
    expect(await asks(scene, 'After some work?')).toBe(0);
  });

  test('in a session that adopts the run it is shown first, and waits for an answer there', async () => {
    const scene = await looping();
    await shows(scene, 'Which database?');
    scene.prompt('human');
    expect((await adopts(scene)).stdout).toContain('shows the user its question');
    const first = await scene.stop('stop-first', OTHER);
    expect(first.answer?.decision).toBeUndefined();
    expect(first.answer?.systemMessage).toContain('Which database?');
    scene.prompt('human');
    const second = await scene.stop('stop-first', OTHER);
    expect(second.answer?.reason).toMatch(/^Your question .* was answered/);
  });
});

describe.concurrent('a question', () => {
  test('answered in one run of the session is open in none', async () => {
    const scene = await looping();
    expect((await scene.cli('claudex', 'plan', 'a topic')).exitCode).toBe(0);
    await shows(scene, 'Which database?');
    scene.prompt('human');
    expect((await scene.stop()).answer?.reason).toMatch(/^Your question /);
    expect((await scene.cli('status')).stdout).not.toContain('Which database?');
    expect(scene.sidecar('idle').waiting).toBeUndefined();
  });

  test('is shown in plan mode too, once', async () => {
    const scene = await looping();
    expect(await asks(scene, 'Which database?')).toBe(0);
    const fired = await scene.stop('stop-plan-mode');
    expect(fired.answer?.systemMessage).toMatch(/^Holdfast: the agent asks: Which database\?/);
    expect((await scene.stop('stop-plan-mode')).stdout).toBe('');
    scene.prompt('human');
    expect((await scene.stop()).answer?.reason).toMatch(/^Your question .* was answered/);
  });

  test('outlives a compaction: the agent is not told to go on alone', async () => {
    const scene = await looping();
    await shows(scene, 'Which database?');
    const payload = { session_id: SESSION, cwd: scene.root, transcript_path: scene.transcript.file };
    const fire = (recording: string, event: string) =>
      fireHook(
        scene.root,
        { ...recordedPayload(`claude-code/${recording}.json`), ...payload },
        { args: [event] },
      );
    await fire('pre-compact', 'pre-compact');
    expect((await fire('session-start-compact', 'session-start')).stdout).toContain(
      'You have asked the user: \\"Which database?\\" The run waits for the answer.',
    );
  });
});

describe.concurrent('status and why', () => {
  test('do not call a stale loop finished, nor a question open that waits no more', async () => {
    const scene = await looping();
    await shows(scene, 'Which database?');
    scene.change(({ waiting }) => ({ waiting: waiting && { ...waiting, since: 0, until: 1 } }));
    const { stack, run_id } = latest(scene);
    postState(scene, stack, { run_id, updated_at: new Date(Date.now() - 3 * HOUR).toISOString() });
    expect((await scene.cli('status')).stdout).toMatch(/ paused: .*stale[\s\S]*`holdfast resume idle:/);
    expect((await scene.cli('why')).stdout).toContain(
      'It no longer waits: it is loop, iteration 1/50, stale.',
    );
    expect((await scene.cli('idle', 'cancel')).exitCode).toBe(0);
    expect((await scene.cli('why')).stdout).toContain('It no longer waits: it is ended.');
  });
});

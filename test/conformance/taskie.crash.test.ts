// kill -9 at every moment of a review: one that took place is never repeated, one that did not finish is never
// counted. The hook is killed for real; the next stop finds what it left.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type PlanProject, planProject, stillRunning, until } from '../fixtures/taskie/plan.ts';
import { cleanEnvironment } from '../support/hook.ts';

let project: PlanProject;
const plugin = process.env.HOLDFAST_TEST_PLUGIN ?? path.resolve(import.meta.dirname, '../../dist/holdfast');

beforeEach(() => {
  project = planProject();
});

afterEach(() => project.remove());

/** Starts the hook and kills it once `moment` has come. Answers whether it came before the hook's end. */
async function killHookWhen(behaviour: string, moment: () => boolean): Promise<boolean> {
  const bin = path.resolve(import.meta.dirname, '../fixtures/taskie/bin');
  const log = path.join(path.dirname(project.root), 'reviewer-calls.jsonl');
  const env = {
    ...cleanEnvironment(project.root),
    PATH: `${bin}:${process.env.PATH}`,
    FAKE_CLAUDE: behaviour,
    FAKE_CLAUDE_LOG: log,
  };
  const hook = spawn(path.join(plugin, 'hooks', 'stop'), [], {
    cwd: project.root,
    env,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  hook.stdin.end(JSON.stringify({ cwd: project.root }));
  const ended = new Promise<void>((resolve) => hook.once('exit', () => resolve()));
  let over = false;
  void ended.then(() => {
    over = true;
  });
  let came = false;
  while (!over && !came) {
    came = moment();
    if (!came) await new Promise((resolve) => setTimeout(resolve, 1));
  }
  hook.kill('SIGKILL');
  await ended;
  return came;
}

const sidecar = (): string => {
  try {
    return project.read('.holdfast/runs/taskie-my-plan.json');
  } catch {
    return '';
  }
};

/** The state as a reader finds it: always whole. */
const iteration = (): unknown => project.state().phase_iteration;

describe('kill -9 of the hook', () => {
  it('while the reviewer works: it ends too, nothing is counted, and the next stop reviews under the same number', {
    tags: ['T-accept-3.2.11'],
  }, async () => {
    project.setState({});
    expect(await killHookWhen('hang', () => project.files().includes('plan-review-1.md'))).toBe(true);
    expect(project.state()).toMatchObject({ phase: 'new-plan', phase_iteration: 0 });
    project.reviewer('fail');
    const { answer } = await project.stop();
    expect(answer?.reason).toContain('plan-review-1.md');
    expect(project.read('.taskie/plans/my-plan/plan-review-1.md')).toContain('A name is unclear');
    expect(iteration()).toBe(1);
    expect(project.calls()).toHaveLength(2);
    await until('the first reviewer’s end', () => stillRunning(project.reviewerProcesses()).length === 0);
  });

  it('before the reviewer has begun: the next stop reviews once', async () => {
    project.setState({});
    await killHookWhen('fail', () => sidecar().includes('"running"'));
    await settle();
    const begun = project.calls().length;
    project.reviewer('fail');
    await project.stop();
    expect(iteration()).toBe(1);
    expect(project.calls().length).toBeLessThanOrEqual(begun + 1);
  });

  it('when the reviewer has ended and nobody has read its verdict: it is not repeated', async () => {
    project.setState({});
    const stdout = (): boolean => attemptOutput().includes('structured_output');
    expect(await killHookWhen('{"print":"fail","file":true}', stdout)).toBe(true);
    await settle();
    project.reviewer('pass');
    const { answer } = await project.stop();
    expect(answer?.decision).toBe('block');
    expect(project.calls()).toHaveLength(1);
    expect(project.state()).toMatchObject({
      phase_iteration: 1,
      consecutive_clean: 0,
      review_model: 'sonnet',
    });
  });

  it('when the verdict is noted and the state is not yet written: it is applied, not repeated', async () => {
    project.setState({});
    await killHookWhen('fail', () => sidecar().includes('"done"'));
    project.reviewer('pass');
    await project.stop();
    expect(project.calls()).toHaveLength(1);
    expect(project.state()).toMatchObject({ phase_iteration: 1, consecutive_clean: 0 });
  });

  it('when the state is written and the answer is not: the next stop goes on from the new state', async () => {
    project.setState({});
    await killHookWhen('fail', () => iteration() === 1);
    project.reviewer('pass');
    const { answer } = await project.stop();
    expect(answer?.systemMessage).toContain('post-plan-review is outstanding: plan-review-1.md');
    expect(project.calls()).toHaveLength(1);
    expect(iteration()).toBe(1);
  });

  it('at many moments: every finished review is counted once and no more', {
    tags: ['T-risk-3', 'T-risk-5', 'T-accept-3.4.1'],
  }, async () => {
    for (let delay = 0; delay < 320; delay += 20) {
      const round = planProject();
      project.remove();
      project = round;
      round.setState({});
      const began = Date.now();
      await killHookWhen('{"print":"fail","file":true,"delayMs":30}', () => Date.now() - began >= delay);
      await settle();
      const finished = iteration() === 1 || isWhole(attemptOutput());
      // By attempt: a reviewer that was only just starting notes its call after the kill.
      const killed = new Set([...attemptsNow(), ...round.calls().map(({ env }) => env.HOLDFAST_ATTEMPT)]);
      round.reviewer('pass');
      for (const _ of [1, 2]) await round.stop();
      const kept = round.files().filter((name) => /^plan-review-\d+\.md$/.test(name));
      // A finished review is the one that counts; an unfinished one is made again, under the same number.
      const attempts = round.calls().map(({ env }) => env.HOLDFAST_ATTEMPT);
      const again = attempts.filter((attempt) => !killed.has(attempt)).length;
      expect(new Set(attempts).size).toBe(attempts.length);
      expect({ delay, again, kept, state: round.state() }).toMatchObject({
        delay,
        again: finished ? 0 : 1,
        kept: ['plan-review-1.md'],
        state: { phase_iteration: 1, consecutive_clean: finished ? 0 : 1 },
      });
    }
  });
});

describe('two hooks at once', () => {
  it('never run a second review beside a living one', { tags: ['T-risk-3'] }, async () => {
    project.reviewer('{"print":"fail","file":true,"delayMs":1500}');
    project.setState({});
    const first = project.stop();
    await until('the reviewer', () => project.calls().length === 1);
    const second = await project.stop();
    expect(second.answer?.decision).toBeUndefined();
    expect(second.answer?.systemMessage).toContain('already under way');
    expect((await first).answer?.decision).toBe('block');
    expect(project.calls()).toHaveLength(1);
    expect(iteration()).toBe(1);
  });
});

function attemptsNow(): string[] {
  const folder = path.join(project.root, '.holdfast', 'attempts');
  return fs.existsSync(folder) ? fs.readdirSync(folder) : [];
}

/** What the reviewer of the current attempt has printed so far. */
function attemptOutput(): string {
  const folder = path.join(project.home, '.local/state/holdfast/attempts');
  if (!fs.existsSync(folder)) return '';
  return fs
    .readdirSync(folder)
    .map((name) => path.join(folder, name, 'stdout'))
    .filter((file) => fs.existsSync(file))
    .map((file) => fs.readFileSync(file, 'utf8'))
    .join('');
}

const isWhole = (envelope: string): boolean => envelope.trimEnd().endsWith('}');

/** A reviewer whose hook was killed ends by itself, a moment later. */
async function settle(): Promise<void> {
  await until('the reviewers’ end', () => stillRunning(project.reviewerProcesses()).length === 0);
}

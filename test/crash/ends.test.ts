// Deaths that no step of ours brings about: the hook's or the reviewer's in the middle of a review, the
// client's before it has read the answer. And a disk that is merely slow.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stillRunning } from '../fixtures/taskie/plan.ts';
import { cleanEnvironment, inRealProcesses } from '../support/hook.ts';
import { Bench, SESSION } from './bench.ts';
import { startLoop, topicState } from './idle.ts';
import { ownPlan, planState } from './taskie.ts';

// What is left of a reviewer is ended by whoever finds it: a stop that has one is a process of its own.
inRealProcesses();

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});
afterEach(() => bench.remove());

describe('a hook that is killed in the middle of a review', () => {
  it('leaves a verdict that is complete, and the next stop applies it without another review', async () => {
    await ownPlan(bench);
    bench.reviewers('orphan-late', 'clean');
    expect((await bench.stop()).exitCode).toBeNull();

    const next = await bench.stop();

    expect(next.answer?.decision).toBe('block');
    expect(planState(bench)).toMatchObject({
      phase_iteration: 1,
      consecutive_clean: 0,
      next_phase: 'post-plan-review',
    });
    expect(bench.reviews('begin')).toEqual(['plan-review-1.md']);
  });

  it('leaves half a review, which is put aside and done again under the same number', async () => {
    await ownPlan(bench);
    bench.reviewers('orphan-early', 'clean');
    expect((await bench.stop()).exitCode).toBeNull();
    expect(planState(bench)).toMatchObject({ phase_iteration: 0 });

    const next = await bench.stop();

    expect(next.answer?.decision).toBe('block');
    expect(planState(bench)).toMatchObject({ phase_iteration: 1, consecutive_clean: 1 });
    expect(bench.reviews('begin')).toEqual(['plan-review-1.md', 'plan-review-1.md']);
    expect(bench.reviews('end')).toEqual(['plan-review-1.md']);
    expect(bench.project.read('.taskie/plans/my-plan/plan-review-1.md')).toContain('No issues found.');
    expect(stillRunning(bench.reviewerProcesses())).toEqual([]);
  });

  it('leaves a verdict without its file, which does not count', async () => {
    await ownPlan(bench);
    bench.reviewers('orphan-no-file', 'findings');
    expect((await bench.stop()).exitCode).toBeNull();

    await bench.stop();

    expect(planState(bench)).toMatchObject({ phase_iteration: 1, consecutive_clean: 0 });
    expect(bench.reviews('begin')).toHaveLength(2);
  });
});

it('a reviewer that is killed half-way is told of and not counted', async () => {
  await ownPlan(bench);
  bench.reviewers('killed', 'findings');

  const first = await bench.stop();
  expect(first.answer?.decision).toBeUndefined();
  expect(first.answer?.systemMessage).toContain('without a verdict');
  expect(planState(bench)).toMatchObject({ phase_iteration: 0 });

  await bench.stop();
  expect(planState(bench)).toMatchObject({ phase_iteration: 1 });
});

it('a client that is gone before it has read the answer loses nothing but the answer', async () => {
  await startLoop(bench, 10);

  const ended = await stopUnread(bench);

  expect(ended).toEqual({ exitCode: 0, stderr: '' });
  expect(topicState(bench)).toMatchObject({ stack: [{ iter: 1 }] });
  expect((await bench.stop()).answer?.reason).toContain('[ITERATION 2/10]');
});

it('a verdict that was applied just before a death is not applied again when its state comes back', async () => {
  await ownPlan(bench);
  bench.reviewers('clean');
  bench.remember();
  bench.goBack();
  const before = bench.project.read('.taskie/plans/my-plan/state.json');
  const { steps } = await bench.trace(() => bench.stop({}, 'trace'));
  bench.goBack();
  // Dies when the state is written, but the attempt's record still says that its verdict waits.
  const state = steps.findLast(({ kind, file }) => kind === 'rename' && file.includes('.state.json'));
  await bench.stop({}, `kill:${Number(state?.number) + 1}`);
  expect(planState(bench)).toMatchObject({ phase_iteration: 1, consecutive_clean: 1 });
  await bench.stop();

  // A person turns the plan back: what is there now was not reviewed yet.
  bench.project.write('.taskie/plans/my-plan/state.json', before);
  await bench.stop();

  expect(bench.reviews('begin')).toHaveLength(2);
});

it('a hook that dies or fails while it keeps its byte code has answered, and the next one is none the worse', async () => {
  await startLoop(bench, 100);
  const code = path.join(bench.project.home, '.local', 'state', 'holdfast', 'code');
  fs.rmSync(code, { recursive: true, force: true });
  const { steps } = await bench.trace(() => bench.stop({ session_id: undefined }, 'code-trace'));
  expect(steps.length).toBeGreaterThan(5);
  for (const { number, kind } of steps.filter((step) => step.kind !== 'open'))
    for (const fault of kind === 'write' ? ['torn', 'ENOSPC'] : ['kill', 'EIO']) {
      fs.rmSync(code, { recursive: true, force: true });
      const struck = await bench.stop({ session_id: undefined }, `code-${fault}:${number}`);
      expect(struck.answer?.decision).toBe('block');
      if (struck.exitCode !== null) {
        expect(struck).toMatchObject({ exitCode: 0, stderr: '' });
        const left = fs.existsSync(code) ? fs.readdirSync(code) : [];
        expect(left.filter((name) => name.endsWith('.tmp'))).toEqual([]);
      }
      expect((await bench.stop({ session_id: undefined })).answer?.decision).toBe('block');
    }
});

it('a slow disk changes no answer', async () => {
  await ownPlan(bench);
  bench.remember();
  const quick = await bench.stop();
  bench.goBack();

  const slow = await bench.stop({}, 'slow');

  expect(slow).toEqual(quick);
  expect(planState(bench)).toMatchObject({ phase_iteration: 1 });
});

/** The reading end of the hook's stdout is closed before it writes. */
function stopUnread({ root }: Bench): Promise<{ exitCode: number | null; stderr: string }> {
  const plugin = process.env.HOLDFAST_TEST_PLUGIN ?? path.resolve(import.meta.dirname, '../../dist/holdfast');
  return new Promise((resolve) => {
    const child = spawn(path.join(plugin, 'hooks', 'stop'), { cwd: root, env: cleanEnvironment(root) });
    child.stdout.destroy();
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    child.stdin.end(
      JSON.stringify({ session_id: SESSION, prompt_id: 'p1', hook_event_name: 'Stop', cwd: root }),
    );
    child.on('close', (exitCode) => resolve({ exitCode, stderr }));
  });
}

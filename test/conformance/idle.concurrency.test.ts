// Many stops at once on one loop: none is lost, none is counted twice, and no line of the log is torn.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tryHold } from '../../src/store/lock.ts';
import { bodies, LOG, latest, postState, stores } from '../fixtures/idle/loops.ts';
import { fireHook, inRealProcesses, runCli } from '../support/hook.ts';
import { type TempProject, tempProject } from '../support/project.ts';

// Inside one process they would be at it one after the other.
inRealProcesses();

let project: TempProject;

beforeEach(() => {
  project = tempProject();
});

afterEach(() => project.remove());

const inSession = (session: string) => ({ env: { CLAUDE_CODE_SESSION_ID: session }, timeoutMs: 240_000 });

/**
 * Fires so many stops at once and answers with the iteration each was held in. On a machine that is busy with
 * other things some may wait for the lock without success, say so and count nothing; those are fired again.
 */
async function fireAtOnce(count: number): Promise<number[]> {
  const fired = await Promise.all(
    Array.from({ length: count }, () => fireHook(project.root, {}, { timeoutMs: 240_000 })),
  );
  const held = fired.filter(({ answer }) => answer?.decision === 'block');
  const busy = fired.filter(({ answer }) => answer?.systemMessage?.includes('held the lock for 2 s'));
  expect(held.length + busy.length).toBe(count);
  const numbers = held.map(({ answer }) => Number(/^\[ITERATION (\d+)\//.exec(answer?.reason ?? '')?.[1]));
  return busy.length === 0 ? numbers : [...numbers, ...(await fireAtOnce(busy.length))];
}

const oneTo64 = Array.from({ length: 64 }, (_, index) => index + 1);
const sorted = (numbers: readonly number[]): number[] => [...numbers].sort((one, other) => one - other);

describe('64 stops at once', () => {
  it('are exactly 64 iterations in the topic store, and every line can be read', {
    tags: ['I-edge-2', 'I-note-4'],
  }, async () => {
    await runCli(project.root, ['idle', 'loop', '--max', '1000', 'Fix the parser'], { timeoutMs: 240_000 });
    expect(sorted(await fireAtOnce(64))).toEqual(oneTo64);
    expect(bodies(project).map((body) => body.stack[0]?.iter)).toEqual([0, ...oneTo64]);
    expect(project.read(LOG).endsWith('\n')).toBe(true);
  });

  it('are exactly 64 iterations in the fallback file', { tags: ['I-note-4'] }, async () => {
    stores[1].put(project, { max: 1000 });
    expect(sorted(await fireAtOnce(64))).toEqual(oneTo64);
    expect(stores[1].iteration(project)).toBe(64);
  });
});

describe('two sessions at once', () => {
  it('cannot both start a loop: one is refused, with the names of adopt and cancel', async () => {
    const started = await Promise.all(
      ['one', 'two', 'three', 'four'].map((session) =>
        runCli(project.root, ['idle', 'loop', `Task of ${session}`], inSession(session)),
      ),
    );
    expect(started.map(({ exitCode }) => exitCode).sort()).toEqual([0, 1, 1, 1]);
    const refused = started.find(({ exitCode }) => exitCode === 1);
    expect(refused?.stderr).toContain("another session's");
    expect(refused?.stderr).toContain('adopt idle:');
    expect(refused?.stderr).toContain('idle cancel');
    expect(bodies(project)).toHaveLength(1);
  });

  it('lose no update between a stop and a nested loop that is started meanwhile', {
    tags: ['I-edge-2'],
  }, async () => {
    await runCli(project.root, ['idle', 'loop', '--max', '100', 'Outer'], inSession('one'));
    await Promise.all([
      fireAtOnce(8),
      runCli(project.root, ['idle', 'loop', '--max', '100', 'Inner'], inSession('one')),
    ]);
    const { stack } = latest(project);
    expect(stack).toHaveLength(2);
    expect(Number(stack[0]?.iter) + Number(stack[1]?.iter)).toBe(8);
  });
});

describe('a stop that waits for the lock without success', () => {
  it('says so, spends nothing, and leaves the lock to its holder', async () => {
    postState(project, [{ mode: 'loop', iter: 3, max: 10 }]);
    await fireHook(project.root, {});
    const held = tryHold(path.join(project.root, '.holdfast', 'lock'));
    try {
      for (const _ of [1, 2]) {
        const fired = await fireHook(project.root, {});
        expect(fired.exitCode).toBe(0);
        expect(fired.answer?.decision).toBeUndefined();
        expect(fired.answer?.systemMessage).toContain('held the lock for 2 s');
      }
    } finally {
      held?.release();
    }
    expect((await fireHook(project.root, {})).answer?.reason).toContain('[ITERATION 5/10]');
  });
});

describe('after a crash', () => {
  it('a torn last line is passed over and healed by the next stop', async () => {
    postState(project, [{ mode: 'loop', iter: 3, max: 10 }]);
    const whole = project.read(LOG);
    fs.appendFileSync(path.join(project.root, LOG), '{"type":"message","id":"01J","topic_id":"01JBF9X00000');
    expect((await fireHook(project.root, {})).answer?.reason).toContain('[ITERATION 4/10]');
    const lines = project.read(LOG).trimEnd().split('\n');
    expect(project.read(LOG).startsWith(whole)).toBe(true);
    expect(JSON.parse(JSON.parse(lines.at(-1) ?? '').body).stack[0].iter).toBe(4);
    expect((await fireHook(project.root, {})).answer?.reason).toContain('[ITERATION 5/10]');
  });

  it('a lock file that was left behind costs nothing', async () => {
    postState(project, [{ mode: 'loop', iter: 3, max: 10 }]);
    await fireHook(project.root, {});
    project.write('.holdfast/lock', 'left by a process that is gone');
    expect((await fireHook(project.root, {})).answer?.reason).toContain('[ITERATION 5/10]');
  });
});

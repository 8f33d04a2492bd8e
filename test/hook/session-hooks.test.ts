// The other two hooks: what a run writes down before a compaction comes back after it, and a session that starts
// is told of unfinished runs.

import { describe, expect, test } from 'vitest';
import { recordedPayload } from '../support/recorded.ts';
import { SESSION, type ToyScene, toyScene } from '../toy/scene.ts';

const event = (scene: ToyScene, name: string, recording: string, session = SESSION) =>
  scene.stop({
    args: [name],
    payload: { ...recordedPayload(recording), session_id: session, cwd: scene.root },
  });

const preCompact = (scene: ToyScene, session?: string) =>
  event(scene, 'pre-compact', 'claude-code/pre-compact.json', session);

const afterCompaction = (scene: ToyScene, session?: string) =>
  event(scene, 'session-start', 'claude-code/session-start-compact.json', session);

describe.concurrent('around a compaction', () => {
  test('a run writes down what must survive, prints nothing, and gives it back as context', async () => {
    const scene = toyScene();
    await scene.start('a');
    expect(await preCompact(scene)).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
    expect(scene.read('.toy/a.anchor')).toBe('anchor\n');
    const { answer, exitCode } = await afterCompaction(scene);
    expect(exitCode).toBe(0);
    expect(answer).toEqual({
      hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'the toy goes on' },
    });
  });

  test("another session's run is left alone", async () => {
    const scene = toyScene();
    await scene.start('a');
    await preCompact(scene, 'other');
    expect(scene.exists('.toy/a.anchor')).toBe(false);
    const { answer } = await afterCompaction(scene, 'other');
    expect(answer).toEqual({ systemMessage: expect.stringContaining('adopt toy:a') });
  });
});

describe.concurrent('a session that starts', () => {
  test('is told once how to take over an unfinished run', async () => {
    const scene = toyScene();
    await scene.start('a');
    const started = await event(scene, 'session-start', 'claude-code/session-start-startup.json', 'new');
    expect(started.answer?.systemMessage).toContain('adopt toy:a');
    expect((await scene.stop({ session: 'new' })).stdout).toBe('');
  });

  test.each(['', 'nonsense', '[]'])('with input that is no event (%j) is left in peace', async (text) => {
    const scene = toyScene();
    await scene.start('a');
    const ran = await scene.cli(['hook', 'session-start'], { stdin: text });
    expect(ran).toEqual({ exitCode: 0, stdout: '', stderr: '' });
  });
});

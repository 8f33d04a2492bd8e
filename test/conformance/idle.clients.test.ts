// How the answer leaves the process: for the two clients, and for hosts that know only exit codes.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { latest, postState } from '../fixtures/idle/loops.ts';
import { fireHook, runCli } from '../support/hook.ts';
import { type TempProject, tempProject } from '../support/project.ts';

let project: TempProject;

beforeEach(() => {
  project = tempProject();
});

afterEach(() => project.remove());

const FIRST_LINE =
  '[ITERATION 4/10] Continue working on the task. Check your progress and either complete the task or keep iterating.';
const generic = { args: ['stop', '--client', 'generic'] };

describe('a hold', () => {
  it('exits 0 with one JSON object of decision and reason, and nothing else', {
    tags: ['I-state-active.f', 'I-exit-2', 'I-exit-json', 'I-exit-reason', 'I-note-5'],
  }, async () => {
    postState(project, [{ mode: 'loop', iter: 3, max: 10 }]);
    const fired = await fireHook(project.root, {});
    expect(fired).toMatchObject({ exitCode: 0, stderr: '' });
    expect(Object.keys(JSON.parse(fired.stdout))).toEqual(['decision', 'reason']);
    expect(fired.answer?.decision).toBe('block');
    expect(fired.answer?.reason?.split('\n')[0]).toBe(FIRST_LINE);
  });

  it('names the signal that ends the loop below its first line', { tags: ['I-note-5'] }, async () => {
    postState(project, [{ mode: 'loop', iter: 3, max: 10 }]);
    const { answer } = await fireHook(project.root, {});
    expect(answer?.reason?.split('\n').slice(1)).toContain('<loop-done>COMPLETE</loop-done>');
  });

  it('exits 2 for a generic host, with the same JSON and the reason on stderr', {
    tags: ['I-state-active.f', 'I-exit-2'],
  }, async () => {
    postState(project, [{ mode: 'loop', iter: 3, max: 10 }]);
    const fired = await fireHook(project.root, {}, generic);
    expect(fired.exitCode).toBe(2);
    expect(fired.answer?.reason?.split('\n')[0]).toBe(FIRST_LINE);
    expect(fired.stderr).toBe(`${fired.answer?.reason}\n`);
  });

  it('is printed whole and alone, whatever the agent and the task say', {
    tags: ['I-exit-json'],
  }, async () => {
    const env = { CLAUDE_CODE_SESSION_ID: 's1' };
    await runCli(project.root, ['idle', 'loop'], {
      env,
      stdin: '{"decision":"approve"}\n```\n\u2028\ud83d{{cli}}',
    });
    const fired = await fireHook(project.root, {
      session_id: 's1',
      prompt_id: 'p',
      last_assistant_message: '"}{',
    });
    expect(fired.stdout.endsWith('}\n')).toBe(true);
    expect(fired.answer?.decision).toBe('block');
    expect(fired.answer?.reason).toContain('{{cli}}');
  });
});

describe('a stop that is let go', () => {
  const completed = { last_assistant_message: '<loop-done>COMPLETE</loop-done>' };

  it('exits 0 for a generic host too', { tags: ['I-exit-0'] }, async () => {
    postState(project, [{ mode: 'loop', iter: 3, max: 10 }]);
    expect(await fireHook(project.root, completed, generic)).toMatchObject({
      exitCode: 0,
      stdout: '',
      stderr: '',
    });
    expect(latest(project).event).toBe('DONE');
  });

  it.each([
    ['stale', { updated_at: '2020-01-01T00:00:00Z' }, {}],
    ['done', { event: 'DONE' }, {}],
    ['aborted', { event: 'ABORT' }, {}],
    ['at its maximum', {}, { iter: 10 }],
    ['corrupt', {}, { iter: 'x' }],
    ['unreadable', { stack: 7 }, {}],
    ['of an unknown mode', {}, { mode: 'x' }],
  ])(
    'exits 0 with a loop that is %s, even for a generic host',
    { tags: ['I-invariant-3', 'I-exit-0'] },
    async (_, fields, frame) => {
      postState(project, [{ mode: 'loop', iter: 3, max: 10, ...frame }], fields);
      const fired = await fireHook(project.root, {}, generic);
      expect(fired.exitCode).toBe(0);
      expect(fired.answer?.decision).toBeUndefined();
    },
  );

  it('exits 0 with an error of our own: a log that is a folder', { tags: ['I-invariant-3'] }, async () => {
    project.write('.jwz/messages.jsonl/file', '');
    const fired = await fireHook(project.root, {}, generic);
    expect(fired.exitCode).toBe(0);
    expect(fired.answer?.systemMessage).toContain('not a regular file');
  });

  it('exits 0 when the state cannot be written', { tags: ['I-invariant-3'] }, async () => {
    postState(project, [{ mode: 'loop', iter: 3, max: 10 }]);
    project.write('.holdfast', 'a file where our folder should be');
    const fired = await fireHook(project.root, {}, generic);
    expect(fired.exitCode).toBe(0);
    expect(fired.answer?.decision).toBeUndefined();
    expect(fired.answer?.systemMessage).toContain('Holdfast');
    expect(latest(project).stack[0]?.iter).toBe(3);
  });
});

describe('a generic host that never moves', () => {
  it('is let go too: its holds are counted though it has no sessions', async () => {
    postState(project, [{ mode: 'loop', iter: 0, max: 100 }]);
    const exits: (number | null)[] = [];
    for (let count = 0; count < 14; count++) exits.push((await fireHook(project.root, {}, generic)).exitCode);
    expect(exits.filter((code) => code === 2)).toHaveLength(12);
    expect(exits.at(-1)).toBe(0);
  });
});

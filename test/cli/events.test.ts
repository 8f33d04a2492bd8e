// The journal's events as they come about in real runs, and how `log` says them.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fireHook, type Ran, runCli } from '../support/hook.ts';
import { type TempProject, tempProject } from '../support/project.ts';

let project: TempProject;

beforeEach(() => {
  project = tempProject();
});

afterEach(() => project.remove());

const inSession = (session: string | null) => ({
  env: { HOME: project.home, ...(session === null ? {} : { CLAUDE_CODE_SESSION_ID: session }) },
});
const holdfast = (session: string | null, ...words: string[]): Promise<Ran> =>
  runCli(project.root, words, inSession(session));
const stop = (session: string, said = 'Working.') =>
  fireHook(
    project.root,
    { session_id: session, cwd: project.root, last_assistant_message: said },
    inSession(null),
  );

/** Each line of the log without its time, the run's id and its columns. */
async function log(): Promise<string[]> {
  const { stdout } = await holdfast(null, 'log', '--limit', '100');
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) =>
      line
        .replace(/^\S+ {2}/, '')
        .replace(/(idle|claudex):\S+/, '$1')
        .replace(/ +/g, ' '),
    );
}

const DONE = '<loop-done>COMPLETE</loop-done>';

describe('the log of a run', () => {
  test('goes from its start to its end', async () => {
    await holdfast('s1', 'idle', 'loop', 'Fix the parser');
    await stop('s1');
    await stop('s1', DONE);
    // Nothing is left to end.
    await stop('s1', DONE);
    await fireHook(project.root, { cwd: project.root }, inSession(null));

    expect(await log()).toEqual([
      'start idle started in session s1',
      'held idle continue',
      'allowed idle allow',
      'end idle done, nothing to prove it',
      'allowed idle allow',
    ]);
    expect((await holdfast(null, 'why')).stdout).toMatch(/idle/);
  });

  test('says that a terminal started it, and who adopted it', async () => {
    await holdfast(null, 'idle', 'loop', 'Fix the parser');
    const status = JSON.parse((await holdfast(null, 'status', '--json')).stdout);
    await holdfast('s2', 'adopt', status.runs[0].run);
    // It is this session's already, and adopting it gives it a fresh count.
    await holdfast('s2', 'adopt', status.runs[0].run);

    expect(await log()).toEqual([
      'start idle started in a terminal',
      'adopt idle adopted in session s2',
      'adopt idle adopted in session s2',
    ]);
  });

  test('has a nested loop as the same run', async () => {
    await holdfast('s1', 'idle', 'grind');
    await holdfast('s1', 'idle', 'issue', '42');

    expect(await log()).toEqual(['start idle started in session s1']);
  });

  test.each([
    ['cancel', ['cancel']],
    ['idle cancel', ['idle', 'cancel']],
  ])('ends with %s, once', async (_, words) => {
    await holdfast('s1', 'idle', 'loop', 'Fix the parser');
    await holdfast(null, ...words);
    await holdfast(null, ...words);

    expect(await log()).toEqual(['start idle started in session s1', 'cancel idle cancelled in a terminal']);
  });

  test('does not end with the innermost loop of several', async () => {
    await holdfast('s1', 'idle', 'loop', 'Outer');
    await holdfast('s1', 'idle', 'loop', 'Inner');
    await holdfast('s1', 'idle', 'cancel', '--top');
    expect(await log()).toEqual(['start idle started in session s1']);

    await holdfast('s1', 'idle', 'cancel', '--top');
    expect((await log()).at(-1)).toBe('cancel idle cancelled in session s1');
  });

  test('has claudex cancelled once, and never a loop that was over', async () => {
    await holdfast('s1', 'claudex', 'plan', 'A parser');
    await holdfast('s1', 'claudex', 'cancel');
    await holdfast('s1', 'claudex', 'cancel');
    await holdfast('s1', 'cancel', 'claudex');

    expect(await log()).toEqual([
      'start claudex started in session s1',
      'cancel claudex cancelled in session s1',
    ]);
  });

  test('says once that the guard released it', async () => {
    project.write('holdfast.config.json', '{"guard":{"tools":1}}');
    await holdfast('s1', 'claudex', 'plan', 'A parser');
    for (let stops = 0; stops < 4; stops++) await stop('s1');

    const lines = await log();
    expect(lines.flatMap((line, at) => (line.startsWith('end') ? [at, line] : []))).toEqual([
      3,
      'end claudex released (no progress)',
    ]);
  });
});

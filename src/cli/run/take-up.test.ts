import { expect, it } from 'vitest';
import { clientNamed } from '../../clients/index.ts';
import { DEFAULT_CONFIG } from '../../config/config.ts';
import type { Project } from '../../engine/project.ts';
import type { Call, Command } from '../../engine/workflow-cli.ts';
import { takeUpIn } from './take-up.ts';

const project: Project = {
  ...{ root: '/p', home: '/p/.holdfast', now: 5, cli: 'holdfast', config: DEFAULT_CONFIG },
  env: { PATH: '/bin', CODEX_THREAD_ID: 'around' },
};

/** What the workflow's own command was called with. */
async function calledWith(session: string | null): Promise<Call> {
  const calls: Call[] = [];
  const command: Command = {
    ...{ name: 'resume', summary: '', usage: '', options: {}, writes: true, words: { least: 0, most: 0 } },
    run: (call) => calls.push(call) - 1,
  };
  await takeUpIn(project, command, clientNamed('claude-code'), session);
  expect(calls).toHaveLength(1);
  const [call] = calls;
  if (call === undefined) throw new Error('it was not called');
  return call;
}

it('a run is taken up by the workflow’s own command, without a word, an input or an output', async () => {
  const before = Date.now();
  const call = await calledWith(null);
  expect(call).toMatchObject({ flags: {}, words: [], cwd: '/p', env: project.env });
  expect(call.now).toBeGreaterThanOrEqual(before);
  expect(call.stdin()).toBe('');
  expect(call.print('a line')).toBeUndefined();
  for (const opened of [await call.existing(), await call.forNewRun()])
    expect(opened).toEqual({ ...project, now: call.now });
});

it('a run is taken up in the name of its session, and of no client around us', async () => {
  const call = await calledWith('s1');
  const env = { PATH: '/bin', CLAUDE_CODE_SESSION_ID: 's1' };
  expect(call.env).toEqual(env);
  expect((await call.existing())?.env).toEqual(env);
  expect((await call.forNewRun()).env).toEqual(env);
});

it('a workflow without such a command is left as it is', async () => {
  await expect(takeUpIn(project, undefined, clientNamed('codex'), 's1')).resolves.toBeUndefined();
});

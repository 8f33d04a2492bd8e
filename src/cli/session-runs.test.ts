import { expect, it } from 'vitest';
import { emptyFolder, projectIn } from '../../test/support/bare-project.ts';
import { called } from '../../test/support/call.ts';
import { newSidecar } from '../store/records.ts';
import { cancel } from '../workflows/idle/cli/cancel.ts';
import { loop } from '../workflows/idle/cli/loop.ts';
import { isOf, liveRunsOf } from './session-runs.ts';

it('the runs of a session are those that go on and are its own', async () => {
  const project = projectIn(emptyFolder(), { env: { CLAUDE_CODE_SESSION_ID: 's1' } });
  await called(loop, project, { words: ['a task'] });
  const namesOf = async (sessions: readonly string[], where: typeof project | null = project) =>
    (await liveRunsOf(sessions, where)).map(({ name }) => name);
  const [run = ''] = await namesOf(['s0', 's1']);
  expect(run).toMatch(/^idle:loop-/);
  expect(await namesOf(['s2'])).toEqual([]);
  expect(await namesOf([])).toEqual([]);
  expect(await namesOf(['s1'], null)).toEqual([]);
  await called(cancel, project);
  expect(await namesOf(['s1'])).toEqual([]);
});

it('a run is that of any of its sessions', () => {
  const sidecar = { ...newSidecar('idle:a'), sessions: ['s1', 's2'] };
  expect(isOf(sidecar, ['s2'])).toBe(true);
  expect(isOf(sidecar, ['s3', 's1'])).toBe(true);
  expect(isOf(sidecar, ['s3'])).toBe(false);
  expect(isOf(newSidecar('idle:a'), ['s1'])).toBe(false);
});

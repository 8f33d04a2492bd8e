import { expect, it } from 'vitest';
import { bareProject } from '../../../test/support/bare-project.ts';
import { stoppedIn } from '../../../test/support/stop-here.ts';
import { DEFAULT_CONFIG } from '../../config/config.ts';
import type { Project } from '../project.ts';
import { NO_NOTES } from './asked.ts';
import { hasPin } from './pin-place.ts';
import { pinRun } from './pin-run.ts';
import { giveTrust } from './trust.ts';
import type { Check } from './types.ts';

const check: Check = {
  ...{ name: 'unit', run: 'true', timeout: 30, retries: 0, paths: null, cwd: null, from: 'project' },
};
const TOLD =
  'Holdfast: these commands were trusted here since the last notice: unit. If that was not you, run `holdfast trust --revoke`.';

const withChecks = (checks: readonly Check[]): Project => ({
  ...bareProject(2000),
  config: { ...DEFAULT_CONFIG, checks },
});

it('pins nothing where there is nothing to pin', async () => {
  const project = bareProject();
  expect(await pinRun('idle:a', undefined, stoppedIn(project))).toEqual({ notes: null, notice: null });
  expect(hasPin(project, 'idle:a')).toBe(false);
});

it('pins a run whose start noted nothing', async () => {
  const project = withChecks([{ ...check, from: 'user' }]);
  expect(await pinRun('idle:a', undefined, stoppedIn(project))).toEqual({
    notes: { ...NO_NOTES, pinned: true },
    notice: null,
  });
  expect(hasPin(project, 'idle:a')).toBe(true);
});

it('keeps what the start noted, and tells the user of trust that was given', async () => {
  const project = withChecks([check]);
  giveTrust({ ...project, now: 1000 }, [check]);
  const notes = { ...NO_NOTES, startedAt: 1500, refusals: 3 };
  expect(await pinRun('idle:a', notes, stoppedIn(project))).toEqual({
    notes: { ...notes, pinned: true },
    notice: TOLD,
  });
});

import { describe, expect, it } from 'vitest';
import { bareProject } from '../../../test/support/bare-project.ts';
import { DEFAULT_CONFIG } from '../../config/config.ts';
import { newSidecar, type Sidecar } from '../../store/records.ts';
import type { Project } from '../project.ts';
import { isAsked, mayBePinned, NO_NOTES } from './asked.ts';
import { makePin } from './pin.ts';
import { giveTrust } from './trust.ts';
import type { Check } from './types.ts';

const RUN = 'idle:loop';
const fresh = newSidecar(RUN);
const noted = (pinned: boolean): Sidecar => ({ ...fresh, proof: { ...NO_NOTES, pinned } });
const committed: Sidecar = { ...fresh, committed: { before: 'a', after: 'b' } };

const test: Check = {
  ...{ name: 'test', run: 'true', timeout: 30, retries: 0, paths: null, cwd: null, from: 'project' },
};
const withChecks = (project: Project): Project => ({
  ...project,
  config: { ...DEFAULT_CONFIG, checks: [test] },
});
const withProtected = (project: Project): Project => ({
  ...project,
  config: { ...DEFAULT_CONFIG, protect: { ...DEFAULT_CONFIG.protect, paths: ['test/**'] } },
});

describe('checks are asked for', () => {
  it('where the start noted something, the run has a pin, or somebody trusts checks', async () => {
    const project = bareProject();
    expect(isAsked(fresh, project, RUN)).toBe(false);
    expect(isAsked(noted(false), project, RUN)).toBe(true);
    await makePin(withProtected(project), RUN, undefined);
    expect(isAsked(fresh, project, RUN)).toBe(true);
    expect(isAsked(fresh, project, 'idle:other')).toBe(false);
    const trusting = bareProject();
    giveTrust(trusting, [test]);
    expect(isAsked(fresh, trusting, RUN)).toBe(true);
  });
});

describe('something may be pinned', () => {
  it('where the start noted something that is not pinned yet', () => {
    const project = bareProject();
    expect(mayBePinned(noted(false), project)).toBe(true);
    expect(mayBePinned({ ...noted(false), committed: committed.committed }, project)).toBe(true);
    expect(mayBePinned(noted(true), withChecks(project))).toBe(false);
  });

  it('at the first stop of a run where there are checks, protected files or trust', () => {
    const project = bareProject();
    expect(mayBePinned(fresh, project)).toBe(false);
    expect(mayBePinned(fresh, withChecks(project))).toBe(true);
    expect(mayBePinned(fresh, withProtected(project))).toBe(true);
    expect(mayBePinned(committed, withChecks(project))).toBe(false);
    giveTrust(project, [test]);
    expect(mayBePinned(fresh, project)).toBe(true);
    expect(mayBePinned(committed, project)).toBe(false);
  });
});

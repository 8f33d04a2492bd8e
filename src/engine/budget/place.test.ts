import fs from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { projectAt, sceneAt } from '../../../test/fixtures/claudex/project.ts';
import { newSidecar } from '../../store/records.ts';
import type { StopContext } from '../context.ts';
import { isBudgeted } from './place.ts';

afterEach(() => vi.restoreAllMocks());

describe('whether a run has a budget', () => {
  const project = projectAt('/nowhere', { env: { HOME: '/nowhere/home' } });
  const contextOf = (session: string | null): StopContext =>
    ({ project, stop: sceneAt(project, { session }).stop }) as StopContext;

  it('costs a run without one a single question', () => {
    const asked = vi.spyOn(fs, 'existsSync');
    expect(isBudgeted(newSidecar('a:b'), contextOf('s'), 'a:b')).toBe(false);
    expect(asked).toHaveBeenCalledTimes(1);
  });

  it('is not asked at a stop fired by hand', () => {
    const asked = vi.spyOn(fs, 'existsSync');
    expect(isBudgeted(newSidecar('a:b'), contextOf(null), 'a:b')).toBe(false);
    expect(asked).not.toHaveBeenCalled();
  });
});

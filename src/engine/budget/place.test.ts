import fs from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { projectAt, sceneAt } from '../../../test/fixtures/claudex/project.ts';
import { bareProject, budgetOf, giveBudget } from '../../../test/support/bare-project.ts';
import { newSidecar, type Sidecar } from '../../store/records.ts';
import type { StopContext } from '../context.ts';
import { hasBudget, isBudgeted } from './place.ts';

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

  it.each<[string, boolean, boolean, boolean, boolean]>([
    ['its start noted one', true, true, false, true],
    ['the settings have one, and it was not held yet', false, false, true, true],
    ['the settings have one since', false, true, true, false],
    ['nobody gave it one', false, false, false, false],
  ])('is known where %s', (_, isNoted, isHeld, isSet, has) => {
    const limits = { tokens: 5, timeMs: null, reviews: null, usd: null };
    const sidecar: Sidecar = {
      ...newSidecar('a:b'),
      ...(isNoted && { budget: { limits, startedAt: 1 } }),
      committed: isHeld ? { before: 'x', after: 'y' } : null,
    };
    const config = { ...project.config, budget: isSet ? limits : null };
    const at = (session: string | null): boolean =>
      isBudgeted(sidecar, { ...contextOf(session), project: { ...project, config } }, 'a:b');
    expect([at('s'), at(null)]).toEqual([has, false]);
  });

  it('is known by its record, which is of that run in that project', () => {
    const there = bareProject();
    giveBudget(there, budgetOf(there, 'toy:a', { limits: { tokens: 5 } }));
    expect(hasBudget(there, 'toy:a')).toBe(true);
    expect(hasBudget(there, 'toy:b')).toBe(false);
    expect(hasBudget({ ...there, root: `${there.root}-2` }, 'toy:a')).toBe(false);
    const held = { ...newSidecar('toy:a'), committed: { before: 'x', after: 'y' } };
    expect(isBudgeted(held, { ...contextOf('s'), project: there }, 'toy:a')).toBe(true);
  });
});

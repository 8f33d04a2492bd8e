import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { bareProject, budgetOf, giveBudget } from '../../../test/support/bare-project.ts';
import { isPaused } from './paused.ts';
import { budgetPlace } from './place.ts';

it('a run is paused by its budget, also by one that cannot be read', () => {
  const project = bareProject();
  expect(isPaused(project, 'toy:a')).toBe(false);
  for (const stage of ['open', 'last-hold', 'paused'] as const) {
    giveBudget(project, budgetOf(project, 'toy:a', { stage }));
    expect([stage, isPaused(project, 'toy:a')]).toEqual([stage, stage === 'paused']);
  }
  giveBudget(project, budgetOf(project, 'toy:a'));
  const state = path.join(project.env.XDG_STATE_HOME ?? '', 'holdfast');
  fs.writeFileSync(path.join(state, budgetPlace(project.root, 'toy:a')), 'broken');
  expect(isPaused(project, 'toy:a')).toBe(true);
  expect(isPaused(project, 'toy:b')).toBe(false);
});

import { expect, it } from 'vitest';
import { bareProject, budgetOf, giveBudget } from '../../../test/support/bare-project.ts';
import { readBudget } from './record.ts';
import { standStillAt } from './stand-still.ts';

const HOUR = 3_600_000;

it('a session at a limit stops its run’s clock, the first time', () => {
  const project = bareProject(10 * HOUR);
  const kept = () => readBudget(project, 'toy:a');
  standStillAt(project, 'toy:a');
  expect(kept()).toBeNull();
  giveBudget(project, budgetOf(project, 'toy:a', { clock: { at: 8 * HOUR, still: null } }));
  const still = { for: 'limit', since: 10 * HOUR, until: null };
  standStillAt(project, 'toy:a');
  expect(kept()?.clock).toEqual({ at: 8 * HOUR, still });
  standStillAt({ ...project, now: 11 * HOUR }, 'toy:a');
  expect(kept()?.clock).toEqual({ at: 8 * HOUR, still });
});

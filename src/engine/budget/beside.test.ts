import { beforeEach, expect, it } from 'vitest';
import { bareProject, budgetOf, giveBudget } from '../../../test/support/bare-project.ts';
import { putToy, stoppedIn } from '../../../test/support/stop-here.ts';
import type { Project } from '../project.ts';
import { meterBeside } from './beside.ts';
import { readBudget } from './record.ts';

const HOUR = 3_600_000;
let project: Project;
beforeEach(() => {
  project = bareProject(10 * HOUR);
});
const give = (more: Parameters<typeof budgetOf>[2] = {}): void =>
  giveBudget(
    project,
    budgetOf(project, 'toy:a', { clock: { at: 8 * HOUR, still: null }, limits: { tokens: 9 }, ...more }),
  );
const kept = () => readBudget(project, 'toy:a');

it('a run beside the one that holds is counted up to now, and stands still', async () => {
  putToy(project, 'toy:a');
  give();
  await meterBeside('toy:a', stoppedIn(project));
  expect(kept()).toMatchObject({
    ...{ spent: { timeMs: 2 * HOUR }, meter: { isHeld: false } },
    clock: { at: 10 * HOUR, still: { for: 'limit', since: 10 * HOUR, until: null } },
  });
});

it('a run of another session is left alone', async () => {
  putToy(project, 'toy:a', {}, 'another');
  give();
  const before = kept();
  await meterBeside('toy:a', stoppedIn(project));
  expect(kept()).toEqual(before);
});

it('a run without a budget gets none', async () => {
  putToy(project, 'toy:a');
  await meterBeside('toy:a', stoppedIn(project));
  expect(kept()).toBeNull();
});

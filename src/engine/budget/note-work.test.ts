import { expect, it } from 'vitest';
import { bareProject, budgetOf, giveBudget } from '../../../test/support/bare-project.ts';
import { noteWork } from './note-work.ts';
import { readBudget } from './record.ts';

const HOUR = 3_600_000;

it('what begins and ends a client’s work is on record until the next stop, but not while the run is paused', () => {
  const project = bareProject(10 * HOUR);
  const kept = () => readBudget(project, 'toy:a');
  noteWork(project, 'toy:a', 'ends');
  expect(kept()).toBeNull();
  const clock = { at: 8 * HOUR, still: null };
  giveBudget(project, budgetOf(project, 'toy:a', { clock }));
  noteWork(project, 'toy:a', 'ends');
  const away = { ...clock, still: { for: 'limit', since: 10 * HOUR, until: null }, wakes: true };
  expect(kept()?.clock).toEqual(away);
  noteWork({ ...project, now: 11 * HOUR }, 'toy:a', 'begins');
  noteWork({ ...project, now: 12 * HOUR }, 'toy:a', 'ends');
  const marks = [
    { at: 11 * HOUR, kind: 'begins' },
    { at: 12 * HOUR, kind: 'ends' },
  ];
  expect(kept()?.clock).toEqual({ ...away, marks });
  giveBudget(project, budgetOf(project, 'toy:a', { stage: 'paused', pausedAt: 9 * HOUR, clock }));
  noteWork(project, 'toy:a', 'ends');
  expect(kept()?.clock).toEqual(clock);
});

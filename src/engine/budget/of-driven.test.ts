import { beforeEach, describe, expect, it } from 'vitest';
import { bareProject, budgetOf, giveBudget } from '../../../test/support/bare-project.ts';
import { putToy, SESSION, stoppedIn } from '../../../test/support/stop-here.ts';
import { newSidecar } from '../../store/records.ts';
import type { Project } from '../project.ts';
import { type BudgetAtStop, meterBudget } from './at-stop.ts';
import { readBudget } from './record.ts';

const HOUR = 3_600_000;
const OWN = 'toy:beside';
const DRIVEN = 'toy:driven';

let project: Project;
beforeEach(() => {
  project = bareProject(10 * HOUR);
  putToy(project, DRIVEN);
  putToy(project, OWN);
});

type Given = Parameters<typeof budgetOf>[2];
const give = (name: string, more: Given): void => giveBudget(project, budgetOf(project, name, more));
const stage = (name: string) => readBudget(project, name)?.stage;

/** Of the run beside the driven one. */
async function budget(): Promise<BudgetAtStop> {
  const sidecar = { ...newSidecar(OWN), sessions: [SESSION] };
  const context = { ...stoppedIn(project), driven: DRIVEN };
  const found = await meterBudget(OWN, { sidecar, finished: null, report: null }, context);
  if (found === 'none') throw new Error('it has no budget');
  return found.read();
}

const spent: Given = { limits: { timeMs: HOUR }, spent: { timeMs: HOUR } };
const open: Given = { limits: { timeMs: 9 * HOUR } };

describe('a run beside the one that is driven', () => {
  it('is bounded by that one’s budget where it has none, and counted there', async () => {
    give(DRIVEN, { ...spent, clock: { at: 8 * HOUR, still: null } });
    const found = await budget();
    expect(readBudget(project, DRIVEN)?.spent.timeMs).toBe(3 * HOUR);
    expect(found.ask('hold').answer).toBe('last-hold');
    expect(found.lastHold('hold')).toContain(`The budget of ${DRIVEN} is spent`);
    found.settle({ kind: 'last-hold', due: 'hold' });
    expect([stage(DRIVEN), readBudget(project, OWN)]).toEqual(['last-hold', null]);
  });

  it.each([
    ['its own', OWN, DRIVEN],
    ['the driven one’s', DRIVEN, OWN],
  ])('is let go by whichever is spent: %s', async (_, over, other) => {
    give(over, { ...spent, stage: 'last-hold' });
    give(other, open);
    const found = await budget();
    expect(found.ask('hold').answer).toBe('pause');
    expect(found.paused()).toContain(`${over} is paused`);
    found.settle({ kind: 'paused', now: project.now });
    expect([stage(over), stage(other)]).toEqual(['paused', 'open']);
  });

  it('goes on with something left of both, and each counts the hold', async () => {
    give(OWN, open);
    give(DRIVEN, open);
    const found = await budget();
    expect(found.ask('hold').answer).toBe('goes-on');
    found.settle({ kind: 'held', review: null });
    expect([readBudget(project, OWN)?.holds, readBudget(project, DRIVEN)?.holds]).toEqual([1, 1]);
  });

  it('has no budget where neither has', async () => {
    await expect(budget()).rejects.toThrow('it has no budget');
  });
});

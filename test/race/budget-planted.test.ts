// The proof that the races of budgets can fail. The slow disk opens the gaps wide in which two processes meet.

import { expect, it } from 'vitest';
import { countOnce, oneLastHold } from './budget-races.ts';
import { problemsOf } from './planted.ts';

it('finds tokens that every hook counts which has read them', async () => {
  const defect = {
    name: 'race-budget-counted-twice',
    file: 'engine/budget/changes.ts',
    from: 'const isOurs = usage !== null && JSON.stringify(usage.before) === JSON.stringify(budget.meter);',
    to: 'const isOurs = usage !== null;',
  };
  expect(await problemsOf(defect, countOnce, 'slow')).not.toEqual([]);
});

it('finds a last hold that is given by what an earlier turn read', async () => {
  const defect = {
    name: 'race-budget-read-once',
    file: 'engine/budget/at-stop.ts',
    from: 'budgetAtStop(readBudget(project, name) ?? budget, context)',
    to: 'budgetAtStop(budget, context)',
  };
  expect(await problemsOf(defect, oneLastHold, 'slow')).not.toEqual([]);
});

// What must hold of budgets, however processes interleave.

import { expect, it } from 'vitest';
import { countOnce, grantsAtOnce, oneLastHold } from './budget-races.ts';

it('what many stops at once find is counted once', async () => {
  expect(await countOnce()).toEqual([]);
});

it('of many stops at once one is the last hold', async () => {
  expect(await oneLastHold()).toEqual([]);
});

it('grants at once are all added', async () => {
  expect(await grantsAtOnce()).toEqual([]);
});

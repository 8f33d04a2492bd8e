import { expect, it } from 'vitest';
import { explore, report } from '../../../src/explorer/explorer.ts';
import { printFigures } from '../figures.ts';
import { budgetModel } from './model.ts';

it('every way a budget can be spent keeps every invariant', () => {
  const explored = explore(budgetModel());
  printFigures('budget', explored);
  expect(explored.violation, report(explored)).toBeNull();
});

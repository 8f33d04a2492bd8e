import { expect, it } from 'vitest';
import { waitAt } from '../../../src/engine/waiting/wait.ts';
import { explore, report } from '../../../src/explorer/explorer.ts';
import { printFigures } from '../figures.ts';
import { waitingModel } from './model.ts';

it('every way a run can wait keeps every invariant', () => {
  const explored = explore(waitingModel(waitAt));
  printFigures('waiting', explored);
  expect(explored.violation, report(explored)).toBeNull();
});

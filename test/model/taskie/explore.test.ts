import { describe, expect, it } from 'vitest';
import { explore, report } from '../../../src/explorer/explorer.ts';
import { decide } from '../../../src/workflows/taskie/decide.ts';
import { printFigures } from '../figures.ts';
import { taskieEdits, taskieRuns } from './model.ts';

describe('every taskie plan there can be', () => {
  it('keeps every invariant at every stop, with the true history of its reviews', {
    timeout: 300_000,
    tags: ['T-exit-1', 'T-risk-4', 'T-risk-9', 'T-field-max_reviews'],
  }, () => {
    const explored = explore(taskieRuns(decide));
    printFigures('taskie, runs', explored);
    expect(explored.violation, report(explored)).toBeNull();
    expect(explored.states).toBeGreaterThan(1_000);
  });

  it('keeps every invariant at every stop, whoever edits its state', { timeout: 300_000 }, () => {
    const explored = explore(taskieEdits(decide));
    printFigures('taskie, edited by hand', explored);
    expect(explored.violation, report(explored)).toBeNull();
    expect(explored.states).toBeGreaterThan(50_000);
    expect(explored.transitions).toBeGreaterThan(2_000_000);
  });
});

import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { report } from '../../../src/explorer/explorer.ts';
import { asBuilt } from '../../support/as-built.ts';
import { printFigures } from '../figures.ts';

const whole = await asBuilt<typeof import('./whole.ts')>(path.join(import.meta.dirname, 'whole.ts'));

describe('a taskie plan', () => {
  it('keeps every invariant at every stop, with the true history of its reviews', {
    tags: ['T-exit-1', 'T-risk-4', 'T-risk-9', 'T-field-max_reviews'],
  }, () => {
    const explored = whole.exploreSomeRuns();
    printFigures('taskie, runs of one limit', explored);
    expect(explored.violation, report(explored)).toBeNull();
    expect(explored.states).toBeGreaterThan(500);
  });

  it('keeps every invariant at every stop, whoever edits where it stands', () => {
    const explored = whole.exploreSomeEdits();
    printFigures('taskie, some fields edited', explored);
    expect(explored.violation, report(explored)).toBeNull();
    expect(explored.states).toBeGreaterThan(500);
  });
});

import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { report } from '../../../src/explorer/explorer.ts';
import { asBuilt } from '../../support/as-built.ts';
import { printFigures } from '../figures.ts';

const whole = await asBuilt<typeof import('./whole.ts')>(path.join(import.meta.dirname, 'whole.ts'));

describe('every taskie plan there can be', () => {
  it('keeps every invariant at every stop, with the true history of its reviews', {
    timeout: 600_000,
    tags: ['T-exit-1', 'T-risk-4', 'T-risk-9', 'T-field-max_reviews'],
  }, () => {
    const explored = whole.exploreRuns();
    printFigures('taskie, runs', explored);
    expect(explored.violation, report(explored)).toBeNull();
    expect(explored.states).toBeGreaterThan(1_000);
  });

  it('keeps every invariant at every stop, whoever edits its state', { timeout: 600_000 }, () => {
    const explored = whole.exploreEdits();
    printFigures('taskie, edited by hand', explored);
    expect(explored.violation, report(explored)).toBeNull();
    expect(explored.states).toBeGreaterThan(50_000);
    expect(explored.transitions).toBeGreaterThan(2_000_000);
  });
});

import { describe, expect, it } from 'vitest';
import { explore, report } from '../../../src/explorer/explorer.ts';
import { decide } from '../../../src/workflows/claudex/decide.ts';
import { printFigures } from '../figures.ts';
import { claudexModel } from './model.ts';

describe('every claudex loop there can be', () => {
  it('keeps every invariant at every stop, whoever edits its state', { tags: ['C3.1'] }, () => {
    const explored = explore(claudexModel(decide));
    printFigures('claudex', explored);
    expect(explored.violation, report(explored)).toBeNull();
    expect(explored.states).toBeGreaterThan(2_000);
    expect(explored.transitions).toBeGreaterThan(80_000);
  });
});

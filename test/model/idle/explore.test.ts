import { describe, expect, it } from 'vitest';
import { explore, report } from '../../../src/explorer/explorer.ts';
import { decide } from '../../../src/workflows/idle/decide.ts';
import { printFigures } from '../figures.ts';
import { idleModel } from './model.ts';

describe('every idle loop there can be', () => {
  it('keeps every invariant at every stop, whoever edits its state', { timeout: 120_000 }, () => {
    const explored = explore(idleModel(decide));
    printFigures('idle', explored);
    expect(explored.violation, report(explored)).toBeNull();
    expect(explored.states).toBeGreaterThan(100_000);
    expect(explored.transitions).toBeGreaterThan(3_000_000);
  });
});

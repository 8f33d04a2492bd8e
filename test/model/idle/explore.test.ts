import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { report } from '../../../src/explorer/explorer.ts';
import { asBuilt } from '../../support/as-built.ts';
import { printFigures } from '../figures.ts';

const whole = await asBuilt<typeof import('./whole.ts')>(path.join(import.meta.dirname, 'whole.ts'));

describe('every idle loop there can be', () => {
  it('keeps every invariant at every stop, whoever edits its state', { timeout: 600_000 }, () => {
    const explored = whole.exploreAll();
    printFigures('idle', explored);
    expect(explored.violation, report(explored)).toBeNull();
    expect(explored.states).toBeGreaterThan(100_000);
    expect(explored.transitions).toBeGreaterThan(3_000_000);
  });
});

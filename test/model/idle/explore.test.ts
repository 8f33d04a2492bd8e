import path from 'node:path';
import { expect, it } from 'vitest';
import { report } from '../../../src/explorer/explorer.ts';
import { asBuilt } from '../../support/as-built.ts';
import { printFigures } from '../figures.ts';

const whole = await asBuilt<typeof import('./whole.ts')>(path.join(import.meta.dirname, 'whole.ts'));

it('an idle loop keeps every invariant at every stop, whoever edits its frame', () => {
  const explored = whole.exploreSome();
  printFigures('idle, a frame edited', explored);
  expect(explored.violation, report(explored)).toBeNull();
  expect(explored.states).toBeGreaterThan(1_000);
});

// Everything there is to explore of idle and taskie; `npm test` goes through a part of it (test/model/*/explore.test.ts).

import path from 'node:path';
import { expect, it } from 'vitest';
import { report } from '../../src/explorer/explorer.ts';
import { printFigures } from '../model/figures.ts';
import { asBuilt } from '../support/as-built.ts';

const models = path.resolve(import.meta.dirname, '../model');
const idle = await asBuilt<typeof import('../model/idle/whole.ts')>(path.join(models, 'idle/whole.ts'));
const taskie = await asBuilt<typeof import('../model/taskie/whole.ts')>(path.join(models, 'taskie/whole.ts'));

it.each([
  ['an idle loop, whoever edits its state', idle.exploreAll, 100_000],
  ['a taskie plan, with the true history of its reviews', taskie.exploreRuns, 1_000],
  ['a taskie plan, whoever edits its state', taskie.exploreEdits, 50_000],
])('%s, keeps every invariant at every stop', { timeout: 600_000 }, (name, explore, states) => {
  const explored = explore();
  printFigures(name, explored);
  expect(explored.violation, report(explored)).toBeNull();
  expect(explored.states).toBeGreaterThan(states);
});

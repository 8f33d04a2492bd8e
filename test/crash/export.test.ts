// An exporter that is killed loses nothing, and nothing counts twice.

import { expect, it } from 'vitest';
import { killEverywhere, killWhileSending } from './export.ts';

it('killed at every step on the disk, it has everything at the collector when it is run again', async () => {
  const { problems, points } = await killEverywhere();
  expect(problems).toEqual([]);
  expect(points).toBeGreaterThan(5);
});

it('killed before, in and after every request, it has everything at the collector when it is run again', async () => {
  const { problems, points } = await killWhileSending();
  expect(problems).toEqual([]);
  expect(points).toBe(9);
});

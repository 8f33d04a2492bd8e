// What must hold of runs that wait, however processes interleave.

import { expect, it } from 'vitest';
import {
  askAmongStops,
  askAndFailure,
  capAmongStops,
  failureAmongStops,
  manyAsks,
  twoSessions,
  waitAmongStops,
} from './waiting-races.ts';

it('a session that begins to wait and one that is held do not disturb each other', async () => {
  expect(await twoSessions()).toEqual([]);
});

it('a question among stops is shown once, and answered', async () => {
  expect(await askAmongStops()).toEqual([]);
});

it('questions at once are one until it is shown', async () => {
  expect(await manyAsks()).toEqual([]);
});

it('calls of wait that end among stops are all noted', async () => {
  expect(await waitAmongStops()).toEqual([]);
});

it('failed turns among stops park nobody', async () => {
  expect(await failureAmongStops()).toEqual([]);
});

it('a question and failed turns at once leave the question', async () => {
  expect(await askAndFailure()).toEqual([]);
});

it('stops at once are held as often as their client honours, and no more', async () => {
  expect(await capAmongStops()).toEqual([]);
});

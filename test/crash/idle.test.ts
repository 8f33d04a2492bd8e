// Idle's stops, killed at every step and failed at every step, in both places a loop's state can be.

import { expect, it } from 'vitest';
import {
  complete,
  completeInFile,
  hold,
  holdInFile,
  inner,
  innerOnce,
  kept,
  longJournal,
  maximum,
  maximumInFile,
  released,
  saidOnce,
  ticket,
} from './idle.ts';
import { crashEverywhere, failEverywhere } from './scenario.ts';

it('an iteration, killed at every step, is spent at most once', async () => {
  const { problems, points } = await crashEverywhere(hold);
  expect(problems).toEqual([]);
  expect(points).toBeGreaterThan(10);
});

it('a completion signal, killed at every step, is not lost', async () => {
  expect((await crashEverywhere(complete)).problems).toEqual([]);
});

it('a completion signal that is given once is honoured, whichever step of that stop fails', async () => {
  expect((await failEverywhere(saidOnce)).problems).toEqual([]);
});

it('a signal that was kept beside the notes, killed at every step, is not lost', async () => {
  expect((await crashEverywhere(kept)).problems).toEqual([]);
});

it('a signal that was kept beside the notes is honoured, whichever step fails', async () => {
  expect((await failEverywhere(kept)).problems).toEqual([]);
});

it('the end of an inner loop, killed at every step, leaves the outer one', async () => {
  expect((await crashEverywhere(inner)).problems).toEqual([]);
});

it('a signal of an inner loop ends that loop alone, whichever step of that stop fails', async () => {
  expect((await failEverywhere(innerOnce)).problems).toEqual([]);
});

it('the maximum, killed at every step, ends the loop', async () => {
  expect((await crashEverywhere(maximum)).problems).toEqual([]);
});

it('a release, killed at every step, comes at the next stop', async () => {
  expect((await crashEverywhere(released)).problems).toEqual([]);
});

it('an iteration in the fallback file, killed at every step, is spent at most once', async () => {
  expect((await crashEverywhere(holdInFile)).problems).toEqual([]);
});

it('a completed fallback file, killed at every step, is put away', async () => {
  expect((await crashEverywhere(completeInFile)).problems).toEqual([]);
});

it('the maximum of a fallback file, killed at every step, ends the loop', async () => {
  expect((await crashEverywhere(maximumInFile)).problems).toEqual([]);
});

it('a ticket for the next session here, killed at every step, is not lost', async () => {
  expect((await crashEverywhere(ticket)).problems).toEqual([]);
});

it('an iteration whose every step fails in turn is told of or goes on', async () => {
  expect((await failEverywhere(hold)).problems).toEqual([]);
});

it('an iteration in the fallback file whose every step fails in turn is told of or goes on', async () => {
  expect((await failEverywhere(holdInFile)).problems).toEqual([]);
});

/** The other steps are those of any hold. */
const SWITCHING = ['make-folder', 'rename', 'remove'];

it('the journal, its process killed in the middle of closing a segment, has every line once', async () => {
  const { problems, points } = await crashEverywhere(longJournal, { kinds: SWITCHING });
  expect(problems).toEqual([]);
  expect(points).toBeGreaterThan(3);
});

it('a segment that cannot be closed costs no stop its answer', async () => {
  expect((await failEverywhere(longJournal, { kinds: SWITCHING })).problems).toEqual([]);
});

// What must hold however processes interleave.

import { expect, it } from 'vitest';
import {
  commandsAmongStops,
  editDuringReview,
  manyRuns,
  oneDocket,
  oneGuard,
  oneIndex,
  oneLoop,
  oneReview,
  oneStart,
  oneTicket,
  rollbackAmongStops,
  segments,
  withDeaths,
} from './races.ts';

it('forty-eight stops of sixteen processes on one loop are one step each', async () => {
  expect(await oneLoop()).toEqual([]);
});

it('processes killed among others neither step twice nor block anyone', async () => {
  expect(await withDeaths()).toEqual([]);
});

it('ten stops without progress at once are held three times', async () => {
  expect(await oneGuard()).toEqual([]);
});

it('six stops at once where a review is due run one review of a number', async () => {
  expect(await oneReview()).toEqual([]);
});

it('six stops at once around a review that lists its findings write each down once', async () => {
  expect(await oneDocket()).toEqual([]);
});

it('an edit by hand during a review stands', async () => {
  expect(await editDuringReview()).toEqual([]);
});

it('of six starts at once one wins', async () => {
  expect(await oneStart()).toEqual([]);
});

it('done and cancel among stops are not undone', async () => {
  expect(await commandsAmongStops()).toEqual([]);
});

it('a rollback among stops leaves nothing behind', async () => {
  expect(await rollbackAmongStops()).toEqual([]);
});

it('six plans recorded at once are all in the index of their session', async () => {
  expect(await oneIndex()).toEqual([]);
});

it('a ticket goes to one of six sessions that stop at once', async () => {
  expect(await oneTicket()).toEqual([]);
});

it('runs of several workflows and sessions at once take their own steps only', async () => {
  expect(await manyRuns()).toEqual([]);
});

it('the journal becomes a segment once, and loses no line, while twelve stop at once', async () => {
  expect(await segments()).toEqual([]);
});

// Claims to be done, killed and failed at every step: the next stop comes to the same end.

import { expect, it } from 'vitest';
import { atOnce, failing, fromReceipt, passing, passingOnce, pinning } from './proof.ts';
import { crashEverywhere, failEverywhere } from './scenario.ts';

/** The steps before it are those of any stop. */
const FROM_CHECK = { after: '/bin/sh' };
const FEW = ['rename', 'spawn', 'open', 'remove'];

it('a claim whose check passes, killed at every step, comes to the same end', async () => {
  const { problems, points } = await crashEverywhere(passing);
  expect(problems).toEqual([]);
  expect(points).toBeGreaterThan(30);
});

it('a claim that is made once is on record from its check on, whichever step kills the hook', async () => {
  const { problems, points } = await crashEverywhere(passingOnce, FROM_CHECK);
  expect(problems).toEqual([]);
  expect(points).toBeGreaterThan(10);
});

it('a claim that is made once is not lost, whichever step of that stop fails', async () => {
  expect((await failEverywhere(passingOnce)).problems).toEqual([]);
});

it('a claim whose check fails, killed at every step, is refused once', async () => {
  expect((await crashEverywhere(failing, FROM_CHECK)).problems).toEqual([]);
});

it('a claim whose check fails is refused or told of, whichever step fails', async () => {
  expect((await failEverywhere(failing, { kinds: FEW })).problems).toEqual([]);
});

it('a claim that takes a receipt, killed at every step, runs nothing', async () => {
  expect((await crashEverywhere(fromReceipt, { kinds: FEW })).problems).toEqual([]);
});

it('a claim that takes a receipt goes on or is told of, whichever step fails', async () => {
  expect((await failEverywhere(fromReceipt, { kinds: FEW })).problems).toEqual([]);
});

it('the stop that pins the checks, killed at every step, leaves them pinned by the next', async () => {
  expect((await crashEverywhere(pinning)).problems).toEqual([]);
});

it('the stop that pins the checks goes on or is told of, whichever step fails', async () => {
  expect((await failEverywhere(pinning)).problems).toEqual([]);
});

it('a claim at the first stop, killed at every rename and start, comes to the same end', async () => {
  expect((await crashEverywhere(atOnce, { kinds: FEW })).problems).toEqual([]);
});

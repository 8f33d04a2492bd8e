// What must hold of claims and checks, however processes interleave.

import { expect, it } from 'vitest';
import { checkBesideClaim, manyReceipts, oneCheck, revokedMeanwhile } from './proof-races.ts';

it('six claims at once run one check', async () => {
  expect(await oneCheck()).toEqual([]);
});

it('a claim and a person who runs the same check both come to their end', async () => {
  expect(await checkBesideClaim()).toEqual([]);
});

it('checks of two worktrees at once keep every receipt', async () => {
  expect(await manyReceipts()).toEqual([]);
});

it('trust that is taken back while a check runs stays taken back', async () => {
  expect(await revokedMeanwhile()).toEqual([]);
});

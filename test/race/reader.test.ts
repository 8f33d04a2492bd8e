import { expect, it } from 'vitest';
import { readWhileWritten } from './reader.ts';

it('the journal, read while six stop at once and its segments are closed, loses no line and gives none twice', async () => {
  expect(await readWhileWritten()).toEqual([]);
});

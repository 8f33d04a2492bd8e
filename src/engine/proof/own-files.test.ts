import { expect, it } from 'vitest';
import { ownFiles } from './own-files.ts';

it('are our own folder and the traces of all workflows', () => {
  expect(ownFiles([])).toEqual(['.holdfast']);
  expect(ownFiles([{ traces: ['.a', 'b/c'] }, { traces: [] }, { traces: ['.d'] }])).toEqual([
    ...['.holdfast', '.a', 'b/c', '.d'],
  ]);
});

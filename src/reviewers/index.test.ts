import { expect, it } from 'vitest';
import { findReviewer } from './index.ts';

it('finds the reviewers there are, and says which one is not', async () => {
  expect((await findReviewer('claude')).name).toBe('claude');
  await expect(findReviewer('nobody')).rejects.toThrow('there is no reviewer called nobody');
});

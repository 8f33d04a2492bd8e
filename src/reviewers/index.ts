// All reviewers by name. Loading one is left until a review needs it.

import type { FindReviewer } from './reviewer.ts';

export const findReviewer: FindReviewer = async (name) => {
  if (name === 'claude') return (await import('./claude.ts')).claude;
  throw new Error(`there is no reviewer called ${name}`);
};

// All reviewers by name, and what runs and ends one. Loaded as one file, when a review is due.

import { claude } from './claude.ts';
import type { FindReviewer } from './reviewer.ts';

export { endReviewer } from './end.ts';
export { runReviewer } from './run.ts';

export const findReviewer: FindReviewer = async (name) => {
  if (name === claude.name) return claude;
  throw new Error(`there is no reviewer called ${name}`);
};

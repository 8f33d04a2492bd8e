// All reviewers by name. Loaded when a review is due.

import { claude } from './claude.ts';
import type { FindReviewer } from './reviewer.ts';

export const findReviewer: FindReviewer = async (name) => {
  if (name === claude.name) return claude;
  throw new Error(`there is no reviewer called ${name}`);
};

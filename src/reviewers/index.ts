// A reviewer by its name. Loaded when a review is due.

import { programNamed } from './programs.ts';
import type { FindReviewer } from './reviewer.ts';

export const findReviewer: FindReviewer = async (name) => {
  const program = programNamed(name);
  if (program === null) throw new Error(`there is no reviewer called ${name}`);
  return program.load();
};

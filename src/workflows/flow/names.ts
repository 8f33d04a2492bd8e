// Where the files of a run are, relative to the project. Pure.

export const RUNS = '.holdfast/flow';

export const runFolder = (run: string): string => `${RUNS}/${run}`;

export const reviewFile = (run: string, review: string, number: number): string =>
  `${runFolder(run)}/review-${number}-${review}.md`;

/** `tdd-1763328000-4711`; also a folder's name. */
const RUN = /^[a-z][a-z0-9-]{0,79}$/;

export const isRunId = (text: string): boolean => RUN.test(text);

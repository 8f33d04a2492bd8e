// What a check is (docs/contracts/proof.md).

import type { Origin } from './settings.ts';

/** A command of the user's that decides whether a claim stands. */
export type Check = {
  name: string;
  /** A text is given to `sh -c`; a list is run as it is. */
  run: string | readonly string[];
  /** Seconds. */
  timeout: number;
  /** Runs again after a failure that often before the failure counts. */
  retries: number;
  /** Only a change there makes a receipt worthless; null: a change anywhere. */
  paths: readonly string[] | null;
  /** Relative to the root; null: the root. */
  cwd: string | null;
  /** Whose file it stands in. */
  from: Exclude<Origin, 'default'>;
};

/** Also a file's name and a word of a command line. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$/;

export const isCheckName = (text: string): boolean => NAME.test(text);

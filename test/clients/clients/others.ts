// The clients of the second folder of the suite: where their programs are.

import path from 'node:path';

/** Others can be put in their place, to try a new version before it is pinned. */
const installed =
  process.env.HOLDFAST_TEST_OTHER_CLIENTS ??
  path.resolve(import.meta.dirname, '..', 'others', 'node_modules');

export const othersFolder = path.join(installed, '.bin');
export const geminiProgram = path.join(othersFolder, 'gemini');
export const opencodeProgram = path.join(othersFolder, 'opencode');

/** Its package for this platform has the program, and no link to it. */
export const droidFolder = path.join(installed, '@factory', `cli-${process.platform}-${process.arch}`, 'bin');

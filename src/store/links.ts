// Links in the place of what another program is told to write. Our own writes are resolved and kept inside
// (files.ts); a reviewer follows a link wherever it leads, so it is not told to write through one.

import fs from 'node:fs';
import { shellQuote } from '../text/shell.ts';
import { Refused } from './files.ts';

/** Refused when one of these is a link; what is not there yet is none. */
export function refuseLinks(targets: readonly string[]): void {
  const link = targets.find((target) => fs.lstatSync(target, { throwIfNoEntry: false })?.isSymbolicLink());
  if (link !== undefined)
    throw new Refused(
      `${link} is a link, and no reviewer is told to write through one; to fix it, run \`rm ${shellQuote(link)}\``,
    );
}

// What a reviewer printed, as far as it is read: a file that it, and whoever else writes in the project, can reach.

import fs from 'node:fs';
import { isPassing } from '../../store/files.ts';

const MEGABYTE = 1024 * 1024;
const READ_AT_MOST = 32 * MEGABYTE;
export const MOST_MEGABYTES_READ = READ_AT_MOST / MEGABYTE;

export function isFlooded(file: string): boolean {
  const found = fs.lstatSync(file, { throwIfNoEntry: false });
  return found?.isFile() === true && found.size > READ_AT_MOST;
}

/** A reviewer that floods its output has no verdict in it; neither has a link or a FIFO that somebody put there. */
export function readText(file: string): string {
  try {
    const found = fs.lstatSync(file);
    return found.isFile() && found.size <= READ_AT_MOST ? fs.readFileSync(file, 'utf8') : '';
  } catch (error) {
    // What a reviewer said is still there at the next stop; as "no verdict" it would be paid for again.
    if (isPassing(error)) throw error;
    return '';
  }
}

// Removes a folder in which something that a test started may still be writing. Node's own retries are no help: they only
// try to remove the folder itself again, and what came into it meanwhile keeps it.

import fs from 'node:fs';
import { hasCode } from '../../src/store/files.ts';

const TRIES = 200;
const BETWEEN_TRIES_MS = 50;

export function removeFolder(folder: string): void {
  for (let tried = 1; ; tried += 1)
    try {
      fs.rmSync(folder, { recursive: true, force: true });
      return;
    } catch (error) {
      if (tried === TRIES || !hasCode(error, 'ENOTEMPTY')) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BETWEEN_TRIES_MS);
    }
}

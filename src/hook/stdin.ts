// Reads all of standard input at once. Clients hand it over as a socket, which `/dev/stdin` cannot open.

import fs from 'node:fs';
import { hasCode } from '../store/files.ts';

const AT_MOST = 256 * 1024 * 1024;

/** Null: more than anybody sends. */
export function readStdin(): string | null {
  const chunks: Buffer[] = [];
  let total = 0;
  for (;;) {
    const chunk = readChunk();
    if (chunk === null) return (chunks[1] ? Buffer.concat(chunks) : (chunks[0] ?? '')).toString('utf8');
    total += chunk.length;
    if (total > AT_MOST) return null;
    chunks.push(chunk);
  }
}

/** Null at the end. */
function readChunk(): Buffer | null {
  const buffer = Buffer.allocUnsafe(64 * 1024);
  for (;;) {
    try {
      const count = fs.readSync(0, buffer);
      return count === 0 ? null : buffer.subarray(0, count);
    } catch (error) {
      if (hasCode(error, 'EOF')) return null;
      // A pipe that the parent made non-blocking: nothing there yet.
      if (!hasCode(error, 'EAGAIN')) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
}

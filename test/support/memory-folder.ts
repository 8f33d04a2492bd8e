// The fast suites write in memory where the machine has such a folder: a commit waits for the disk several times, and
// on a disk half of the suites' time is that wait. Whether what was written is really on the disk is not theirs to
// see; the suites that disturb Holdfast (crash, race, fuzz, linux) stay on the disk.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const TMPFS = 0x01021994;
const NEEDED_BYTES = 512 * 1024 * 1024;

/** Null where there is none, where it is small, or where programs may not be started from it: then it is the disk. */
export function memoryFolder(folder = '/dev/shm'): string | null {
  try {
    const { type, bavail, bsize } = fs.statfsSync(folder);
    return type === TMPFS && bavail * bsize >= NEEDED_BYTES && startsPrograms(folder) ? folder : null;
  } catch {
    return null;
  }
}

function startsPrograms(folder: string): boolean {
  const own = fs.mkdtempSync(path.join(folder, 'holdfast-test-'));
  try {
    const program = path.join(own, 'program');
    fs.writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
    execFileSync(program);
    return true;
  } catch {
    return false;
  } finally {
    fs.rmSync(own, { recursive: true, force: true });
  }
}

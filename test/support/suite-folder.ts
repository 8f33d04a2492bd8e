// What the workers of one run of the suites share: a folder, which goes when the run is over.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { memoryFolder } from './memory-folder.ts';

/** The run is the parent of every worker. */
const folderOf = (run: number, place: string): string => path.join(place, `holdfast-suite-${run}`);

export function suiteFolder(name: string): string {
  return path.join(folderOf(process.ppid, os.tmpdir()), name);
}

/** In there, with a name of its own: a worker is killed at its end and takes nothing away itself. */
export function makeSuiteFolder(name: string): string {
  fs.mkdirSync(path.dirname(suiteFolder(name)), { recursive: true, mode: 0o755 });
  return fs.mkdtempSync(suiteFolder(name));
}

/** For the run itself, as a global setup of vitest's: it answers with what is done at the end. */
export default function tidyUp(): () => void {
  return () => {
    for (const place of [memoryFolder(), os.tmpdir()])
      if (place !== null) fs.rmSync(folderOf(process.pid, place), { recursive: true, force: true });
  };
}

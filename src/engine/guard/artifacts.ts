// Have a workflow's artifacts changed by content since the last hold? Sizes and times answer most stops;
// the contents are read only when those differ.

import fs from 'node:fs';
import { fingerprint } from '../../store/fingerprint.ts';
import { openOwn, readAll } from '../../store/open.ts';

const READ_AT_MOST = 16 * 1024 * 1024;

export type ArtifactSeal = { stamp: string; content: string };

/** The seal of these files now; `known` saves reading contents that cannot have changed. */
export function sealArtifacts(files: readonly string[], known: ArtifactSeal): ArtifactSeal {
  const stamp = fingerprint(files.map(stampOf).join('\n'));
  if (stamp === known.stamp) return known;
  return { stamp, content: fingerprint(files.map(contentOf).join('\n')) };
}

/** A link that goes in circles or a folder we may not enter counts as nothing there. */
function stampOf(file: string): string {
  try {
    const found = fs.statSync(file, { bigint: true, throwIfNoEntry: false });
    return found === undefined ? `${file} -` : `${file} ${found.ino} ${found.size} ${found.mtimeNs}`;
  } catch {
    return `${file} -`;
  }
}

/** A folder, a FIFO, an unreadable or a giant file counts by its stamp alone: nothing may hang or fail here. */
function contentOf(file: string): string {
  try {
    const descriptor = openOwn(file);
    if (descriptor === null) return stampOf(file);
    try {
      if (fs.fstatSync(descriptor).size > READ_AT_MOST) return stampOf(file);
      return `${file} ${fingerprint(readAll(descriptor))}`;
    } finally {
      fs.closeSync(descriptor);
    }
  } catch {
    return stampOf(file);
  }
}

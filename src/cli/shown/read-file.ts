// A file of a run, for people to read: its end where it is long, and nothing that lies outside the project.

import fs from 'node:fs';
import { isInside, openInside, realPath } from '../../store/open.ts';
import { below } from '../../store/paths.ts';
import type { FileText } from '../../views/shown.ts';

const MOST = 512 * 1024;

/** Null: it is not there, or leads out of the project. */
export function readForPeople(root: string, name: string): FileText | null {
  const descriptor = openUnlessOut(below(root, name), root);
  if (descriptor === null) return null;
  try {
    const { size } = fs.fstatSync(descriptor);
    const from = Math.max(0, size - MOST);
    const bytes = Buffer.alloc(size - from);
    const read = fs.readSync(descriptor, bytes, 0, bytes.length, from);
    const text = bytes.toString('utf8', 0, read);
    // Not in the middle of a line.
    return from === 0 ? { text, cut: false } : { text: text.slice(text.indexOf('\n') + 1), cut: true };
  } finally {
    fs.closeSync(descriptor);
  }
}

function openUnlessOut(file: string, root: string): number | null {
  const real = realPath(file);
  return real === null || !isInside(real, root) ? null : openInside(file, root);
}

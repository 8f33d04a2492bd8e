// What a frame's task is: the beginning of its prompt file, so that no compaction ever loses the goal.

import fs from 'node:fs';
import path from 'node:path';
import { homeOf } from '../../store/home.ts';
import { isInside, openInside, realPath } from '../../store/open.ts';
import { taskOf } from './fallback.ts';
import { FALLBACK_FILE } from './files.ts';
import type { FoundLoop } from './read-loop.ts';
import type { RawFrame } from './state-format.ts';

export type Task = {
  text: string;
  /** The file that holds all of it, where the text had to be cut. */
  cutFrom: string | null;
};

const SHOWN = 2048;

/** Null when the frame names no file that we may read. */
export function taskOfFrame(frame: RawFrame | undefined, found: FoundLoop, root: string): Task | null {
  if (found.source === 'file') return shorten(Buffer.from(taskOf(found.text)), FALLBACK_FILE);
  const file = frame?.prompt_file;
  if (typeof file === 'string') return readTask(file, root);
  const spoken = frame?.issue_id ?? frame?.filter;
  if (typeof spoken !== 'string') return null;
  return { text: oneLine(spoken), cutFrom: null };
}

/**
 * A name out of the state, which an agent can write: only a file of our own folder is opened, where every task is put. Any
 * other one may be a file of the project that its client denies to it.
 */
export function readTask(name: string, root: string): Task | null {
  const real = realPath(homeOf(root));
  if (real === null || !isInside(real, root)) return null;
  const descriptor = openQuietly(path.resolve(root, name), real);
  if (descriptor === null) return null;
  try {
    const buffer = Buffer.alloc(SHOWN + 1);
    const count = fs.readSync(descriptor, buffer, 0, buffer.length, 0);
    return shorten(buffer.subarray(0, count), name);
  } finally {
    fs.closeSync(descriptor);
  }
}

function openQuietly(file: string, root: string): number | null {
  try {
    return file.includes('\0') ? null : openInside(file, root);
  } catch {
    return null; // A link that leads out, a FIFO, a folder, no permission: the loop goes on without its task's text.
  }
}

function shorten(bytes: Buffer, file: string): Task | null {
  const cut = bytes.length > SHOWN;
  // Half a character at the cut would become U+FFFD.
  const decoded = bytes.toString('utf8', 0, SHOWN);
  const text = (cut ? decoded.replace(/\uFFFD$/, '') : decoded).trim();
  if (text === '') return null;
  return { text, cutFrom: cut ? oneLine(file) : null };
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 300);
}

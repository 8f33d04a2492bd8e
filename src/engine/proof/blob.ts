// What a file in the work tree is to git: its mode and the id its content has as a blob, worked out by us. So it is
// the same before and after the file is staged or committed, and no filter of the repository is run.

import { createHash, type Hash } from 'node:crypto';
import fs from 'node:fs';
import { hasCode } from '../../store/files.ts';
import { openInsideNoLink, Refused } from '../../store/open.ts';
import type { GitFolders } from './git-folders.ts';

export type Blob = { mode: string; id: string };

const CHUNK = 1024 * 1024;
const chunk = Buffer.allocUnsafe(CHUNK);

/** Null where there is no file, and for a folder. */
export async function blobOf(file: Buffer, top: string, hash: GitFolders['hash']): Promise<Blob | null> {
  try {
    const found = fs.lstatSync(file);
    if (found.isDirectory()) return null;
    if (found.isSymbolicLink()) {
      const target = fs.readlinkSync(file, { encoding: 'buffer' });
      return { mode: '120000', id: begin(hash, target.length).update(target).digest('hex') };
    }
    // Opened, a FIFO could keep us waiting, and a device could do anything.
    if (!found.isFile()) return { mode: '000000', id: 'special' };
    return await readBlob(file, top, hash);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return null;
    // Whoever cannot read it cannot test it either; it counts as long as it is there.
    if (hasCode(error, 'EACCES', 'EPERM')) return { mode: '000000', id: 'unreadable' };
    // Replaced by a link or a socket since we looked.
    if (error instanceof Refused || hasCode(error, 'ELOOP', 'ENXIO')) return moving();
    throw error;
  }
}

const TRIES = 3;

async function readBlob(file: Buffer, top: string, hash: GitFolders['hash']): Promise<Blob | null> {
  const descriptor = openInsideNoLink(file, top);
  if (descriptor === null) return null;
  try {
    for (let tries = 0; tries < TRIES; tries++) {
      const before = fs.fstatSync(descriptor, { bigint: true });
      if (!before.isFile()) return moving();
      const size = Number(before.size);
      const content = begin(hash, size);
      const read =
        size <= CHUNK ? readSmall(descriptor, content) : await readLarge(descriptor, content, size);
      const after = fs.fstatSync(descriptor, { bigint: true });
      if (read === size && after.ctimeNs === before.ctimeNs && after.size === before.size)
        return { mode: (before.mode & 0o100n) === 0n ? '100644' : '100755', id: content.digest('hex') };
    }
    return moving();
  } finally {
    fs.closeSync(descriptor);
  }
}

function readSmall(descriptor: number, content: Hash): number {
  const read = fs.readSync(descriptor, chunk, 0, CHUNK, 0);
  content.update(chunk.subarray(0, read));
  return read;
}

/** Piece by piece, and between them whoever asks us to end is heard. */
async function readLarge(descriptor: number, content: Hash, size: number): Promise<number> {
  let position = 0;
  while (position < size) {
    const read = fs.readSync(descriptor, chunk, 0, CHUNK, position);
    if (read === 0) break;
    content.update(chunk.subarray(0, read));
    position += read;
    await new Promise(setImmediate);
  }
  return position;
}

/** Somebody writes it all the time: it is never the same as anything. */
function moving(): Blob {
  return { mode: '000000', id: `moving-${process.hrtime.bigint()}` };
}

function begin(hash: GitFolders['hash'], size: number): Hash {
  return createHash(hash).update(`blob ${size}\0`);
}

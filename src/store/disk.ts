// Every step by which Holdfast writes to the disk, one small function each. Nothing else in the product
// writes, so a test can put a disk that fails or dies at any step in this module's place.

import fs from 'node:fs';
import { closeFolder, copyFolder, openEmptied, openFolder, openOutput, openThere } from './open.ts';
import { makeFolderAsOwner, makeNewFolder, openAsOwner } from './owner.ts';

export const disk = {
  makeFolder(path: string): void {
    makeFolderAsOwner(path);
  },
  /** EEXIST where something is. */
  makeNewFolder(path: string, mode: number): void {
    makeNewFolder(path, mode);
  },
  setFolderMode(path: string, mode: number): void {
    fs.chmodSync(path, mode);
  },
  /** Never follows a link and never opens what is there already. */
  createNew(path: string, mode: number): number {
    const flags =
      fs.constants.O_WRONLY | fs.constants.O_CREAT | fs.constants.O_EXCL | fs.constants.O_NOFOLLOW;
    return openAsOwner(path, flags, mode);
  },
  /** Never follows a link; never waits on a FIFO. */
  openAppend(path: string, mode: number): number {
    const { O_RDWR, O_CREAT, O_APPEND, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
    return openAsOwner(path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK, mode);
  },
  /** For what a program prints: it is read again by the same descriptor. */
  createOutput(path: string): number {
    return openOutput(path);
  },
  setMode(descriptor: number, mode: number): void {
    fs.fchmodSync(descriptor, mode);
  },
  writeAll(descriptor: number, content: string | Buffer): void {
    const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
    let written = 0;
    while (written < bytes.length) written += fs.writeSync(descriptor, bytes, written);
  },
  /** In milliseconds. */
  setTime(descriptor: number, time: number): void {
    fs.futimesSync(descriptor, time / 1000, time / 1000);
  },
  sync(descriptor: number): void {
    fs.fsyncSync(descriptor);
  },
  close(descriptor: number): void {
    fs.closeSync(descriptor);
  },
  /** With all that is in it, links and modes as they are. */
  copyFolder(from: string, to: string): void {
    copyFolder(from, to);
  },
  rename(from: string, to: string): void {
    fs.renameSync(from, to);
  },
  /** Has this content afterwards, whether its owner may write it or not. Never through a link. */
  fill(path: string, content: string): void {
    const found = openThere(path);
    try {
      const { mode, nlink } = fs.fstatSync(found);
      // A second name of what lies elsewhere was put there meanwhile.
      if (nlink > 1) return;
      fs.fchmodSync(found, mode | 0o200);
      const written = openEmptied(found);
      try {
        disk.writeAll(written, content);
      } finally {
        fs.closeSync(written);
        fs.fchmodSync(found, mode);
      }
    } finally {
      fs.closeSync(found);
    }
  },
  removeFile(path: string): void {
    fs.unlinkSync(path);
  },
  /** ENOTEMPTY where something is in it. */
  removeEmptyFolder(path: string): void {
    fs.rmdirSync(path);
  },
  /** Whatever is there, with all that is in it. Not by fs.rmSync: loading what it needs costs a stop a millisecond. */
  remove(path: string): void {
    const found = fs.lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return;
    if (!found.isDirectory()) {
      fs.unlinkSync(path);
      return;
    }
    // Held on to: a link that is put in its place is not emptied.
    const folder = openFolder(path, fs.constants.O_NOFOLLOW);
    if (folder === null) return;
    try {
      for (const name of fs.readdirSync(folder.way)) disk.remove(`${folder.way}/${name}`);
    } finally {
      closeFolder(folder);
    }
    fs.rmdirSync(path);
  },
  syncFolder(descriptor: number): void {
    fs.fsyncSync(descriptor);
  },
};

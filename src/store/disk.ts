// Every step by which Holdfast writes to the disk, one small function each. Nothing else in the product
// writes, so a test can put a disk that fails or dies at any step in this module's place.

import fs from 'node:fs';
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
  setMode(descriptor: number, mode: number): void {
    fs.fchmodSync(descriptor, mode);
  },
  writeAll(descriptor: number, content: string): void {
    const bytes = Buffer.from(content, 'utf8');
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
    fs.cpSync(from, to, { recursive: true, verbatimSymlinks: true });
  },
  rename(from: string, to: string): void {
    fs.renameSync(from, to);
  },
  /** Has this content afterwards, whether its owner may write it or not. Never through a link. */
  fill(path: string, content: string): void {
    const { O_RDONLY, O_WRONLY, O_TRUNC, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
    const found = fs.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const { mode } = fs.fstatSync(found);
      fs.fchmodSync(found, mode | 0o200);
      const written = fs.openSync(`/proc/self/fd/${found}`, O_WRONLY | O_TRUNC);
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
    for (const name of fs.readdirSync(path)) disk.remove(`${path}/${name}`);
    fs.rmdirSync(path);
  },
  syncFolder(path: string): void {
    const descriptor = fs.openSync(path, 'r');
    try {
      fs.fsyncSync(descriptor);
    } finally {
      fs.closeSync(descriptor);
    }
  },
};

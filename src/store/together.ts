// Carries out the writes of one commit together: all new contents are on disk before the first name changes, then
// the names change in order, and only then are they on disk too.

import path from 'node:path';
import { disk } from './disk.ts';
import { appendUnsynced, carryOut, removeQuietly, type Staged, stageFile } from './files.ts';
import type { Write } from './writes.ts';

/** A write, and the real path of the folder that it may not leave. */
type PlacedWrite = { write: Write; root: string };

// Not at the same time by node's threads: starting those takes a stop longer than one more wait for the disk.
export function carryOutTogether(writes: readonly PlacedWrite[]): void {
  const staged = new Map<Write, Staged>();
  const open: number[] = [];
  try {
    for (const { write, root } of writes) {
      if (write.kind !== 'replace') continue;
      const ready = stageFile(write.path, write.content, root, write.mode);
      staged.set(write, ready);
      open.push(ready.descriptor);
    }
    for (const { descriptor } of staged.values()) disk.sync(descriptor);
    const appended = inOrder(writes, staged);
    open.push(...appended);
    for (const descriptor of appended) disk.sync(descriptor);
    for (const folder of foldersOf(staged)) disk.syncFolder(folder);
  } catch (error) {
    for (const { temporary } of staged.values()) removeQuietly(temporary);
    throw error;
  } finally {
    for (const descriptor of open) disk.close(descriptor);
  }
}

/** The order is the commit's promise: what comes later is never seen without what came before. */
function inOrder(writes: readonly PlacedWrite[], staged: ReadonlyMap<Write, Staged>): number[] {
  const appended: number[] = [];
  for (const { write, root } of writes) {
    const ready = staged.get(write);
    if (ready !== undefined) disk.rename(ready.temporary, ready.target);
    else if (write.kind === 'append') appended.push(appendUnsynced(write.path, write.line, root));
    else carryOut(write, root);
  }
  return appended;
}

function foldersOf(staged: ReadonlyMap<Write, Staged>): string[] {
  return [...new Set([...staged.values()].map(({ target }) => path.dirname(target)))];
}

// Carries out the writes of one commit together. All new contents are on disk before the first name changes,
// then the names change in order, then their folders are synced: two waits for the disk, however many files.

import path from 'node:path';
import { disk } from './disk.ts';
import { appendUnsynced, carryOut, removeQuietly, type Staged, stageFile } from './files.ts';
import type { Write } from './writes.ts';

/** A write, and the real path of the folder that it may not leave. */
export type PlacedWrite = { write: Write; root: string };

export async function carryOutTogether(writes: readonly PlacedWrite[]): Promise<void> {
  const staged = new Map<Write, Staged>();
  const open: number[] = [];
  try {
    for (const { write, root } of writes) {
      if (write.kind !== 'replace') continue;
      const ready = stageFile(write.path, write.content, root, write.mode);
      staged.set(write, ready);
      open.push(ready.descriptor);
    }
    await disk.syncAll(open);
    const appended = inOrder(writes, staged);
    open.push(...appended);
    const folders = foldersOf(staged).map((folder) => disk.openFolder(folder));
    open.push(...folders);
    await disk.syncAll([...appended, ...folders]);
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

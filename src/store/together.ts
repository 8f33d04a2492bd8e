// Carries out the writes of one commit together: all new contents are on disk before the first name changes, then
// the names change in order, and only then are they on disk too.

import { disk } from './disk.ts';
import { appendUnsynced, carryOut, forget, putInPlace, type Staged, stageFile } from './files.ts';
import type { Write } from './writes.ts';

/** A write, and the real path of the folder that it may not leave. */
type PlacedWrite = { write: Write; root: string };

// Not at the same time by node's threads: starting those takes a stop longer than one more wait for the disk.
export function carryOutTogether(writes: readonly PlacedWrite[]): void {
  const staged = new Map<Write, Staged>();
  const appended: number[] = [];
  try {
    for (const { write, root } of writes)
      if (write.kind === 'replace') staged.set(write, stageFile(write.path, write.content, root, write.mode));
    for (const { descriptor } of staged.values()) disk.sync(descriptor);
    inOrder(writes, staged, appended);
    for (const descriptor of appended) disk.sync(descriptor);
    for (const folder of foldersOf(staged)) disk.syncFolder(folder);
  } finally {
    for (const each of staged.values()) forget(each);
    for (const descriptor of appended) disk.close(descriptor);
  }
}

/** The order is the commit's promise: what comes later is never seen without what came before. */
function inOrder(
  writes: readonly PlacedWrite[],
  staged: ReadonlyMap<Write, Staged>,
  appended: number[],
): void {
  for (const { write, root } of writes) {
    const ready = staged.get(write);
    if (ready !== undefined) putInPlace(ready);
    else if (write.kind === 'append') appended.push(appendUnsynced(write.path, write.line, root));
    else carryOut(write, root);
  }
}

/** Several files of one folder need one wait for it. */
function foldersOf(staged: ReadonlyMap<Write, Staged>): number[] {
  const folders = [...staged.values()].map(({ folder }) => folder);
  return [...new Map(folders.map(({ real, descriptor }) => [real, descriptor])).values()];
}

// Says when something was written: the system's own notices wake it, and where those do not reach it looks by itself,
// seldom. Never more than twice a second.

import fs from 'node:fs';

/** Two looks are at least this far apart. */
export const GAP_MS = 500;
/** After a notice: what writes is mostly a stop, which is left to end before many views look all at once. */
const SETTLE_MS = 200;
/** Without any notice: for files that lie elsewhere, and for systems without notices. */
const SELDOM_MS = 3000;

/** `paths` is asked again after each look, since new ones come. `look` must not fail. Answers with how to end it. */
export function watchFiles(
  paths: () => readonly string[],
  look: () => Promise<void>,
  seldomMs = SELDOM_MS,
): () => void {
  const watchers = new Map<string, fs.FSWatcher>();
  let timer: NodeJS.Timeout | null = null;
  let due = 0;
  let lastLook = Number.NEGATIVE_INFINITY;
  let isLooking = false;
  let isOver = false;

  const lookAt = (time: number): void => {
    if (isOver || (timer !== null && due <= time)) return;
    if (timer !== null) clearTimeout(timer);
    due = time;
    timer = setTimeout(() => void lookNow(), Math.max(0, time - performance.now()));
  };
  const noticed = (): void => {
    if (!isLooking) lookAt(Math.max(lastLook + GAP_MS, performance.now() + SETTLE_MS));
    else wasNoticed = true;
  };
  let wasNoticed = false;
  const lookNow = async (): Promise<void> => {
    timer = null;
    isLooking = true;
    wasNoticed = false;
    lastLook = performance.now();
    await look();
    arm();
    isLooking = false;
    lookAt(lastLook + (wasNoticed ? GAP_MS : seldomMs));
  };
  const arm = (): void => {
    if (isOver) return;
    const wanted = new Set(paths());
    for (const path of watchers.keys()) if (!wanted.has(path)) drop(path);
    for (const path of wanted) if (!watchers.has(path)) watchOne(path);
  };
  const drop = (path: string): void => {
    watchers.get(path)?.close();
    watchers.delete(path);
  };
  const watchOne = (path: string): void => {
    try {
      const watcher = fs.watch(path, { persistent: false }, (event) => {
        // Another file may have its name by now: the next look watches that one.
        if (event === 'rename') drop(path);
        noticed();
      });
      // It was removed, or there are no more notices to be had.
      watcher.on('error', () => drop(path));
      watchers.set(path, watcher);
    } catch {
      // Not there yet, or too many are watched: the seldom look has to do.
    }
  };

  arm();
  lookAt(performance.now() + seldomMs);
  return () => {
    isOver = true;
    if (timer !== null) clearTimeout(timer);
    for (const watcher of watchers.values()) watcher.close();
  };
}

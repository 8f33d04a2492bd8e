// What a helper made for the tests of a file is taken away when that file is over. One worker plays many files and
// loads a helper once, so that `afterAll` in a helper would be for the first of them alone.

import type { ChildProcess } from 'node:child_process';

const left: (() => unknown)[] = [];

export function atTheEnd(takeAway: () => unknown): void {
  left.push(takeAway);
}

/** Called after each file (end-of-file.ts). What came last goes first: processes before the folders they work in. */
export async function takeAllAway(): Promise<void> {
  for (const takeAway of left.splice(0).reverse()) await takeAway();
}

/** A process that a test started and may leave running. */
export function endAtTheEnd(child: ChildProcess): void {
  atTheEnd(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  });
}

// A view and an exporter read the journal while hooks write it and close its segments: nothing is lost, nothing twice.

import fs from 'node:fs';
import { type Cursor, journalFrom } from '../../src/store/journal-forward.ts';
import { Bench } from '../crash/bench.ts';
import { startLoop } from '../crash/idle.ts';
import { marks } from '../support/marks.ts';

/** Lines of nearly a kilobyte: more than a segment holds. */
const LONG = 9000;
const ROUNDS = 3;

/** What was wrong. */
export async function readWhileWritten(): Promise<string[]> {
  const bench = new Bench();
  try {
    await startLoop(bench, 1000);
    const reader = new Reader(bench.root);
    const byHand = { session_id: undefined };
    for (let round = 0; round < ROUNDS; round++) {
      fs.appendFileSync(bench.at('.holdfast/journal.jsonl'), marks(round * LONG, LONG));
      const stops = Promise.all(Array.from({ length: 6 }, () => bench.stop(byHand)));
      await reader.until(stops);
    }
    const expected = 1 + ROUNDS * (LONG + 6);
    return [
      ...(reader.seen.size === reader.count ? [] : [`${reader.count - reader.seen.size} lines came twice`]),
      ...(reader.count === expected ? [] : [`${reader.count} lines of ${expected}`]),
    ];
  } finally {
    bench.remove();
  }
}

class Reader {
  readonly #root: string;
  #cursor: Cursor | null = null;
  readonly seen = new Set<string>();
  count = 0;

  constructor(root: string) {
    this.#root = root;
  }

  /** Reads on until all that is awaited is there, and once more. */
  async until(work: Promise<unknown>): Promise<void> {
    let isOver = false;
    const over = work.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      this.#read();
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await over;
    this.#read();
  }

  #read(): void {
    for (const { position, next } of journalFrom(this.#root, this.#cursor)) {
      this.#cursor = next;
      this.count += 1;
      this.seen.add(`${position.segment}:${position.offset}`);
    }
  }
}

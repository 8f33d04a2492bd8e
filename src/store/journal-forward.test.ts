import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type TempProject, tempProject } from '../../test/support/project.ts';
import { ensureHome } from './home.ts';
import { appendToJournal, keepJournalWithin } from './journal.ts';
import { journalBefore, journalLineAt } from './journal-backward.ts';
import { type Cursor, cursorBack, isCursor, journalFrom } from './journal-forward.ts';
import type { CommandEntry } from './journal-lines.ts';

let temp: TempProject;
let root: string;
beforeEach(() => {
  temp = tempProject();
  root = temp.root;
  ensureHome(root);
});
afterEach(() => temp.remove());

const entry = (number: number): CommandEntry => ({
  schema: 2,
  time: '2026-01-01T00:00:00.000Z',
  session: null,
  event: 'start',
  workflow: 'idle',
  run: `r${number}`,
});

const add = (from: number, to: number): void => {
  for (let number = from; number <= to; number++) appendToJournal(root, entry(number));
};

const LINE = `${JSON.stringify(entry(1))}\n`.length;

/** So that each segment has three lines. */
const rotate = (bytes = 1_000_000): void => keepJournalWithin(root, { bytes, segmentBytes: LINE * 2 + 1 });

function readFrom(cursor: Cursor | null): { runs: (string | null)[]; cursor: Cursor | null } {
  let at = cursor;
  const runs: (string | null)[] = [];
  for (const { entry: read, next } of journalFrom(root, cursor)) {
    runs.push(read?.run ?? null);
    at = next;
  }
  return { runs, cursor: at };
}

const journal = (): string => path.join(root, '.holdfast/journal.jsonl');

describe('the journal read forward', () => {
  it('begins with the oldest line and goes on where it left off', () => {
    add(1, 3);
    const first = readFrom(null);
    expect(first.runs).toEqual(['r1', 'r2', 'r3']);
    expect(readFrom(first.cursor).runs).toEqual([]);
    add(4, 5);
    expect(readFrom(first.cursor).runs).toEqual(['r4', 'r5']);
  });

  it('loses nothing and gives nothing twice while segments are closed under it', () => {
    let cursor: Cursor | null = null;
    const seen: (string | null)[] = [];
    for (let number = 1; number <= 40; number++) {
      add(number, number);
      if (number % 3 === 0) rotate();
      if (number % 4 !== 0) continue;
      const read = readFrom(cursor);
      seen.push(...read.runs);
      cursor = read.cursor;
    }
    expect(seen).toEqual(Array.from({ length: 40 }, (_, index) => `r${index + 1}`));
  });

  it('finds what a hook that had the file open wrote to it after it was closed', () => {
    add(1, 3);
    const late = fs.openSync(journal(), 'a');
    rotate();
    add(4, 4);
    const read = readFrom(null);
    expect(read.runs).toEqual(['r1', 'r2', 'r3', 'r4']);
    fs.writeSync(late, `${JSON.stringify(entry(99))}\n`);
    fs.closeSync(late);
    const again = readFrom(read.cursor);
    expect(again.runs).toEqual(['r99']);
    expect(readFrom(again.cursor).runs).toEqual([]);
  });

  it('waits for the end of a torn line, and passes over one that never came', () => {
    add(1, 1);
    const text = JSON.stringify(entry(2));
    fs.appendFileSync(journal(), text.slice(0, 20));
    const read = readFrom(null);
    expect(read.runs).toEqual(['r1']);
    fs.appendFileSync(journal(), `${text.slice(20)}\n{"torn`);
    const more = readFrom(read.cursor);
    expect(more.runs).toEqual(['r2']);
    add(3, 3);
    expect(readFrom(more.cursor).runs).toEqual([null, 'r3']);
  });

  it('goes on with the oldest that is kept when its segment is gone', () => {
    add(1, 3);
    const { cursor } = readFrom(null);
    for (let number = 4; number <= 30; number++) {
      add(number, number);
      if (number % 3 === 0) rotate(LINE * 9);
    }
    const { runs } = readFrom(cursor);
    expect(runs.at(-1)).toBe('r30');
    expect(runs.length).toBeLessThan(27);
    expect(runs).toEqual([...new Set(runs)]);
  });

  it('begins again where somebody emptied the journal or removed its folder', () => {
    add(1, 3);
    rotate();
    add(4, 5);
    const { cursor } = readFrom(null);
    fs.rmSync(path.join(root, '.holdfast/journal'), { recursive: true });
    fs.rmSync(journal());
    add(6, 6);
    expect(readFrom(cursor).runs).toEqual(['r6']);
    const next = readFrom(null).cursor;
    fs.truncateSync(journal(), 0);
    add(7, 7);
    fs.truncateSync(journal(), 0);
    expect(readFrom(next).runs).toEqual([]);
    add(8, 8);
    expect(readFrom({ segment: 1, offset: 10_000, before: 0 }).runs).toEqual(['r8']);
  });

  it('begins so many bytes before its end, at a whole line', () => {
    add(1, 3);
    rotate();
    add(4, 5);
    expect(readFrom(cursorBack(root, LINE + 5)).runs).toEqual(['r5']);
    expect(readFrom(cursorBack(root, LINE * 3)).runs).toEqual(['r3', 'r4', 'r5']);
    expect(readFrom(cursorBack(root, 1_000_000)).runs).toHaveLength(5);
  });

  it.each([
    [0, { segment: 2, offset: 2, before: 3 }],
    [1, { segment: 2, offset: 1, before: 3 }],
    [2, { segment: 1, offset: 3, before: 0 }],
    [3, { segment: 1, offset: 2, before: 0 }],
    [5, { segment: 1, offset: 0, before: 0 }],
    [9, { segment: 1, offset: 0, before: 0 }],
  ])('has the cursor %s lines before its end', (lines, expected) => {
    add(1, 3);
    rotate();
    add(4, 5);
    const { segment, offset, before } = cursorBack(root, lines * LINE);
    expect({ segment, offset: offset / LINE, before: before / LINE }).toEqual(expected);
  });

  it('begins with the second file that earlier versions had', () => {
    add(1, 2);
    fs.renameSync(journal(), `${journal()}.1`);
    add(3, 3);
    expect(readFrom(null).runs).toEqual(['r1', 'r2', 'r3']);
    expect(readFrom(cursorBack(root, 1_000_000)).runs).toEqual(['r1', 'r2', 'r3']);
    expect(readFrom({ segment: 0, offset: LINE, before: 0 }).runs).toEqual(['r2', 'r3']);
  });

  it('is empty where there is none', () => {
    expect(readFrom(null).runs).toEqual([]);
    expect(readFrom(cursorBack(root, 100)).runs).toEqual([]);
  });

  it('gives each line as it stands there, with its place and the cursor behind it', () => {
    add(1, 3);
    rotate();
    add(4, 4);
    fs.appendFileSync(journal(), '\nforeign\n');
    const [first, , , fourth, fifth, ...more] = [...journalFrom(root, null)];
    expect(first).toEqual({
      entry: entry(1),
      text: JSON.stringify(entry(1)),
      position: { segment: 1, offset: 0 },
      next: { segment: 1, offset: LINE, before: 0 },
    });
    expect(fourth?.position).toEqual({ segment: 2, offset: 0 });
    expect(fourth?.next).toEqual({ segment: 2, offset: LINE, before: LINE * 3 });
    expect(fifth).toEqual({
      entry: null,
      text: 'foreign',
      position: { segment: 2, offset: LINE + 1 },
      next: { segment: 2, offset: LINE + 9, before: LINE * 3 },
    });
    expect(more).toEqual([]);
  });

  it.each([
    [{ segment: 1, offset: 0, before: 0 }, true],
    [{ segment: 1, offset: 0 }, false],
    [{ segment: -1, offset: 0, before: 0 }, false],
    [{ segment: 1, offset: '0', before: 0 }, false],
    [{ segment: 1, offset: 0, before: 0.5 }, false],
    [null, false],
  ])('goes on from %j: %s', (value, expected) => {
    expect(isCursor(value)).toBe(expected);
  });

  it('reads no link and no folder in the journal’s place', () => {
    fs.writeFileSync(path.join(temp.home, 'secret'), `${JSON.stringify(entry(1))}\n`);
    fs.symlinkSync(path.join(temp.home, 'secret'), journal());
    expect(readFrom(null).runs).toEqual([]);
    fs.rmSync(journal());
    fs.mkdirSync(journal());
    expect(readFrom(null).runs).toEqual([]);
  });
});

describe('the journal read backward', () => {
  it('goes on from any line to the oldest', () => {
    add(1, 3);
    rotate();
    add(4, 5);
    const all = [...journalBefore(root, null)];
    expect(all.map((each) => each.entry?.run)).toEqual(['r5', 'r4', 'r3', 'r2', 'r1']);
    const from = all[1]?.position ?? null;
    expect([...journalBefore(root, from)].map((each) => each.entry?.run)).toEqual(['r3', 'r2', 'r1']);
    add(6, 6);
    rotate();
    expect([...journalBefore(root, from)].map((each) => each.entry?.run)).toEqual(['r3', 'r2', 'r1']);
  });

  it('gives the line behind a mark, and nothing for a place in the middle of one', () => {
    add(1, 3);
    const positions = [...journalBefore(root, null)].map(({ position }) => position);
    rotate();
    expect(journalLineAt(root, positions[0] ?? { segment: 0, offset: 0 })).toBe(JSON.stringify(entry(3)));
    expect(journalLineAt(root, { segment: 1, offset: 3 })).toBeNull();
    expect(journalLineAt(root, { segment: 9, offset: 0 })).toBeNull();
  });
});

// The journal read backward, and where its lines stand, over all of its segments.

import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { emptyFolder } from '../../test/support/bare-project.ts';
import { journalBefore, journalLineAt } from './journal-backward.ts';
import type { Position } from './journal-segments.ts';

let root: string;
beforeEach(() => {
  root = emptyFolder();
  fs.mkdirSync(path.join(root, '.holdfast/journal'), { recursive: true });
});

const line = (run: string): string =>
  JSON.stringify({
    ...{ schema: 2, time: '2026-01-01T00:00:00.000Z', session: null },
    ...{ event: 'start', workflow: 'idle', run },
  });
const LENGTH = line('r1').length + 1;
const put = (name: string, ...lines: readonly string[]): void =>
  fs.writeFileSync(path.join(root, '.holdfast', name), lines.map((each) => `${each}\n`).join(''));
const readBefore = (position: Position | null): [string | null, number, number][] =>
  [...journalBefore(root, position)].map(({ entry, position: { segment, offset } }) => [
    entry?.run ?? null,
    segment,
    offset,
  ]);
const three = (): void => {
  put('journal.jsonl.1', line('r0'));
  put('journal/00000001.jsonl', line('r1'), line('r2'));
  put('journal.jsonl', line('r3'), line('r4'));
};

describe('the journal read backward', () => {
  it('gives the newest first, with the place of each', () => {
    three();
    expect(readBefore(null)).toEqual([
      ['r4', 2, LENGTH],
      ['r3', 2, 0],
      ['r2', 1, LENGTH],
      ['r1', 1, 0],
      ['r0', 0, 0],
    ]);
  });

  it.each<[Position, string[]]>([
    [{ segment: 2, offset: LENGTH }, ['r3', 'r2', 'r1', 'r0']],
    [{ segment: 2, offset: 0 }, ['r2', 'r1', 'r0']],
    [{ segment: 1, offset: LENGTH }, ['r1', 'r0']],
    [{ segment: 1, offset: 0 }, ['r0']],
    [{ segment: 0, offset: 0 }, []],
    [{ segment: 7, offset: 0 }, ['r4', 'r3', 'r2', 'r1', 'r0']],
  ])('goes on before %j', (position, runs) => {
    three();
    expect(readBefore(position).map(([run]) => run)).toEqual(runs);
  });

  it('has no entry for a line that is foreign or torn', () => {
    put('journal.jsonl', line('r1'), 'what is this');
    fs.appendFileSync(path.join(root, '.holdfast/journal.jsonl'), '{"schema"');
    expect(readBefore(null).map(([run]) => run)).toEqual([null, null, 'r1']);
  });

  it('passes over a file that cannot be read as one', () => {
    three();
    fs.rmSync(path.join(root, '.holdfast/journal.jsonl'));
    fs.mkdirSync(path.join(root, '.holdfast/journal.jsonl'));
    expect(readBefore(null).map(([run]) => run)).toEqual(['r2', 'r1', 'r0']);
  });

  it('is empty where there is none, and leaves no file open', () => {
    expect(readBefore(null)).toEqual([]);
    three();
    const open = fs.readdirSync('/proc/self/fd').length;
    readBefore(null);
    for (const _ of journalBefore(root, null)) break;
    expect(journalLineAt(root, { segment: 1, offset: 0 })).toBe(line('r1'));
    expect(journalLineAt(root, { segment: 1, offset: 3 })).toBeNull();
    expect(fs.readdirSync('/proc/self/fd')).toHaveLength(open);
  });
});

describe('one line of the journal', () => {
  it.each<[Position, string | null]>([
    [{ segment: 0, offset: 0 }, 'r0'],
    [{ segment: 1, offset: 0 }, 'r1'],
    [{ segment: 1, offset: LENGTH }, 'r2'],
    [{ segment: 2, offset: 0 }, 'r3'],
    [{ segment: 2, offset: LENGTH }, 'r4'],
    [{ segment: 2, offset: 2 * LENGTH }, null],
    [{ segment: 2, offset: 2 * LENGTH + 1 }, null],
    [{ segment: 1, offset: 1 }, null],
    [{ segment: 1, offset: LENGTH - 1 }, null],
    [{ segment: 1, offset: LENGTH + 1 }, null],
    [{ segment: 3, offset: 0 }, null],
  ])('at %j is that of %s', (position, run) => {
    three();
    expect(journalLineAt(root, position)).toBe(run === null ? null : line(run));
  });

  it('is given as it stands there, whatever it is, once it has its end', () => {
    put('journal.jsonl', 'what is this');
    expect(journalLineAt(root, { segment: 1, offset: 0 })).toBe('what is this');
    fs.appendFileSync(path.join(root, '.holdfast/journal.jsonl'), 'half');
    expect(journalLineAt(root, { segment: 1, offset: 13 })).toBeNull();
  });

  it.each([
    [1024 * 1024 - 1, true],
    [1024 * 1024, false],
  ])('of %d characters is read: %s', (length, isRead) => {
    put('journal.jsonl', 'x'.repeat(length));
    expect(journalLineAt(root, { segment: 1, offset: 0 })?.length).toBe(isRead ? length : undefined);
  });
});

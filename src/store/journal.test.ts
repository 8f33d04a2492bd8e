import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type TempProject, tempProject } from '../../test/support/project.ts';
import { disk } from './disk.ts';
import { Refused } from './files.ts';
import { homeOf, journalFolder, journalPath } from './home.ts';
import { appendToJournal, holdsJournal, journalFiles, journalFromEnd, keepJournalWithin } from './journal.ts';
import type { JournalEntry, StopEntry } from './journal-lines.ts';

let project: TempProject;
let file: string;
let folder: string;

beforeEach(() => {
  project = tempProject();
  file = journalPath(homeOf(project.root));
  folder = journalFolder(homeOf(project.root));
});

afterEach(() => {
  vi.restoreAllMocks();
  project.remove();
});

function entry(turn: string): StopEntry {
  return {
    schema: 2,
    time: '2026-01-01T00:00:00.000Z',
    event: 'stop',
    client: 'claude-code',
    session: 's1',
    turn,
    workflow: 'toy',
    run: 'a',
    state: { phase: 'working' },
    facts: {},
    guard: null,
    step: { kind: 'hold' },
    answer: 'hold',
    notice: false,
    error: null,
    milliseconds: 12.3,
  };
}

const append = (...turns: string[]): void => {
  for (const turn of turns) appendToJournal(project.root, entry(turn));
};
const turnOf = (line: JournalEntry): string | null => (line.event === 'stop' ? line.turn : line.event);
const turns = (): (string | null)[] => [...journalFromEnd(project.root)].map(turnOf);
/** Closes the current file if it holds anything, and keeps as many bytes as are said. */
const close = (bytes = 1_000_000): void => keepJournalWithin(project.root, { bytes, segmentBytes: 10 });
const segments = (): string[] => fs.readdirSync(folder).sort();

describe('the journal', () => {
  it('gives back what was put in, newest first', () => {
    append('1', '2', '3');

    expect(turns()).toEqual(['3', '2', '1']);
    expect([...journalFromEnd(project.root)][0]).toEqual(entry('3'));
  });

  it('is only its owner’s to read', () => {
    append('1');

    expect((fs.statSync(file).mode & 0o777).toString(8)).toBe('600');
  });

  it('is empty when there is none', () => {
    expect(turns()).toEqual([]);
  });

  it('loses nothing but the line that a crash cut short', () => {
    append('1', '2');
    fs.truncateSync(file, fs.statSync(file).size - 10);

    append('3');

    expect(turns()).toEqual(['3', '1']);
  });

  it('gives the last line even when only its line end is missing', () => {
    append('1', '2');
    fs.truncateSync(file, fs.statSync(file).size - 1);

    expect(turns()).toEqual(['2', '1']);
  });

  it('passes over lines that are broken or foreign', () => {
    append('1');
    fs.appendFileSync(file, '\n\nnot json\n[]\nnull\n"text"\n{}\n\0\0\0\n{"time":1}\n');
    append('2');

    expect(turns()).toEqual(['2', '1']);
  });

  it('takes several lines in one write', () => {
    const { schema, time, session } = entry('1');
    appendToJournal(project.root, entry('1'), {
      schema,
      time,
      session,
      event: 'end',
      workflow: 'toy',
      run: 'a',
      outcome: 'stuck',
    });

    expect(turns()).toEqual(['end', '1']);
  });

  it('reads entries of many chunks', () => {
    const long = 'x'.repeat(100_000);
    append(`${long}1`, `${long}2`, `${long}3`);

    expect(turns().map((turn) => turn?.at(-1))).toEqual(['3', '2', '1']);
  });

  it('closes its file when a reader leaves early', () => {
    append('1', '2');
    const next = () => {
      const descriptor = fs.openSync(project.root, 'r');
      fs.closeSync(descriptor);
      return descriptor;
    };
    const before = next();

    for (const _ of journalFromEnd(project.root)) break;

    expect(next()).toBe(before);
  });
});

describe('the segments of the journal', () => {
  it('are numbered, and read as one history', () => {
    for (const turn of ['1', '2', '3']) {
      append(turn);
      close();
    }
    append('4');

    expect(segments()).toEqual(['00000001.jsonl', '00000002.jsonl', '00000003.jsonl']);
    expect(turns()).toEqual(['4', '3', '2', '1']);
    expect(journalFiles(project.root)).toHaveLength(4);
  });

  it('come before the second file that earlier versions had', () => {
    append('1');
    fs.renameSync(file, `${file}.1`);
    append('2');
    close();
    append('3');

    expect(turns()).toEqual(['3', '2', '1']);
  });

  it('are read when nothing was written since the last was closed', () => {
    append('1');
    close();

    expect(fs.existsSync(file)).toBe(false);
    expect(turns()).toEqual(['1']);
  });

  it('are not begun for a short journal, nor for none', () => {
    keepJournalWithin(project.root, { bytes: 1000 });
    append('1');
    keepJournalWithin(project.root, { bytes: 1_000_000 });
    keepJournalWithin(project.root, { bytes: 1_000_000, segmentBytes: fs.statSync(file).size });

    expect(fs.existsSync(folder)).toBe(false);
  });

  it('go from the oldest on, the file of earlier versions first, when they are more than is kept', () => {
    append('0');
    const size = fs.statSync(file).size;
    fs.renameSync(file, `${file}.1`);
    for (const turn of ['1', '2', '3']) {
      append(turn);
      close(size * 3 + 10);
    }
    expect(turns()).toEqual(['3', '2', '1']);
    expect(fs.existsSync(`${file}.1`)).toBe(false);

    append('4');
    close(size * 3 + 10);
    expect(segments()).toEqual(['00000002.jsonl', '00000003.jsonl', '00000004.jsonl']);
  });

  it('stay when only one is there, however long somebody made it', () => {
    append('1');
    fs.truncateSync(file, 100_000_000);
    close(1000);

    expect(segments()).toEqual(['00000001.jsonl']);
  });

  it('are shorter where little is kept', () => {
    append('1');
    keepJournalWithin(project.root, { bytes: fs.statSync(file).size });

    expect(segments()).toEqual(['00000001.jsonl']);
  });

  it('keep their numbers when older ones go: the next is never one that was', () => {
    for (const turn of ['1', '2', '3']) {
      append(turn);
      close(20);
    }

    expect(segments()).toEqual(['00000003.jsonl']);
  });

  it('are given once to a reader during whose reading the file became one', () => {
    append('1');
    close();
    append('2', '3');
    const reader = journalFromEnd(project.root);
    const read = [reader.next().value];
    close();
    append('4');
    close();
    append('5');

    for (const line of reader) read.push(line);

    expect(read.map((line) => turnOf(line as JournalEntry))).toEqual(['3', '2', '1']);
  });

  it('take the line of whoever had the file open when it became one', () => {
    append('1');
    const descriptor = fs.openSync(file, 'a');
    close();
    fs.writeSync(descriptor, `${JSON.stringify(entry('2'))}\n`);
    fs.closeSync(descriptor);
    append('3');

    expect(turns()).toEqual(['3', '2', '1']);
  });

  it('leave what is not theirs alone', () => {
    project.write('.holdfast/journal/notes.txt', 'mine');
    project.write('.holdfast/journal/00000001.jsonl.aside', 'mine');
    fs.mkdirSync(path.join(folder, '00000007.jsonl'));
    append('1');
    close(20);

    expect(segments()).toEqual(['00000001.jsonl.aside', '00000007.jsonl', '00000008.jsonl', 'notes.txt']);
  });

  it('are numbered from one on, whatever else lies in their folder', () => {
    for (const name of ['notes.txt', 'x00000009.jsonl', '00000009.jsonl.x', '000000009.jsonl'])
      project.write(`.holdfast/journal/${name}`, 'mine');
    append('1');
    close();

    expect(segments()).toContain('00000001.jsonl');
    expect(turns()).toEqual(['1']);
  });

  it('are 8 MiB long where nothing else is said', () => {
    append('1');
    fs.truncateSync(file, 8 * 1024 * 1024);
    keepJournalWithin(project.root, { bytes: 1_000_000_000 });
    expect(fs.existsSync(folder)).toBe(false);
    fs.truncateSync(file, 8 * 1024 * 1024 + 1);
    keepJournalWithin(project.root, { bytes: 1_000_000_000 });
    expect(segments()).toEqual(['00000001.jsonl']);
  });

  it('keep the newest also where somebody writes on while it is closed', () => {
    append('1');
    fs.truncateSync(file, 100_000);
    const { rename } = disk;
    vi.spyOn(disk, 'rename').mockImplementationOnce((from, to) => {
      rename(from, to);
      append('2');
    });
    close(1000);

    expect(segments()).toEqual(['00000001.jsonl']);
    expect(turns()).toEqual(['2', '1']);
  });

  it('are not begun beyond the last number: nothing is overwritten', () => {
    project.write('.holdfast/journal/99999999.jsonl', `${JSON.stringify(entry('1'))}\n`);
    append('2');

    expect(() => close()).toThrow(Refused);
    expect(turns()).toEqual(['2', '1']);
  });

  it('are not kept behind a link, and not read through one', () => {
    const outside = path.join(path.dirname(project.root), 'outside');
    fs.mkdirSync(outside);
    fs.writeFileSync(path.join(outside, '00000001.jsonl'), `${JSON.stringify(entry('x'))}\n`);
    append('1');
    fs.symlinkSync(outside, folder);

    expect(() => close()).toThrow(Refused);
    expect(turns()).toEqual(['1']);
    expect(fs.readdirSync(outside)).toHaveLength(1);
  });

  it('are not read where one is a link', () => {
    append('1');
    close();
    append('2');
    close();
    fs.rmSync(path.join(folder, '00000001.jsonl'));
    fs.symlinkSync('00000002.jsonl', path.join(folder, '00000001.jsonl'));

    expect(turns()).toEqual(['2']);
  });

  it('cannot be begun where a file is in their folder’s place', () => {
    append('1');
    project.write('.holdfast/journal', 'in the way');

    expect(() => close()).toThrow();
    expect(turns()).toEqual(['1']);
  });
});

describe('a file that is to be the journal', () => {
  it.each([
    ['', true],
    ['x\n{}\n', false],
    ['{"schema":9,"time":"t","event":"from later","session":null}\nx', true],
    [`${JSON.stringify(entry('1'))}\n{"torn`, true],
  ])('with %j in it is one: %s', (text, expected) => {
    project.write('some.jsonl', text);

    expect(holdsJournal(path.join(project.root, 'some.jsonl'))).toBe(expected);
  });
});

describe('what is to be the journal, but is no file', () => {
  it('holds nothing foreign: nothing is there, or a link that is not followed', () => {
    const place = path.join(project.root, 'link.jsonl');
    project.write('foreign.txt', 'x\n');
    fs.symlinkSync('foreign.txt', place);

    expect([holdsJournal(path.join(project.root, 'none.jsonl')), holdsJournal(place)]).toEqual([true, true]);
    expect(holdsJournal(path.join(project.root, 'foreign.txt'))).toBe(false);
  });
});

describe('something else in the journal’s place', () => {
  it('is not followed when it is a link, neither for writing nor for reading', () => {
    append('1');
    fs.renameSync(file, path.join(project.root, 'stolen.jsonl'));
    const before = project.read('stolen.jsonl');
    fs.symlinkSync('../stolen.jsonl', file);

    expect(() => append('2')).toThrow(Refused);
    keepJournalWithin(project.root, { bytes: 0 });

    expect(project.read('stolen.jsonl')).toBe(before);
    expect(fs.lstatSync(file).isSymbolicLink()).toBe(true);
    expect(turns()).toEqual([]);
  });

  it('is not followed when it is a link out of the project, there or not', () => {
    const target = path.join(path.dirname(project.root), 'target');
    fs.mkdirSync(homeOf(project.root));
    fs.symlinkSync(target, file);

    expect(() => append('1')).toThrow(Refused);

    expect(fs.existsSync(target)).toBe(false);
  });

  it('is refused when it is a FIFO, without waiting', () => {
    fs.mkdirSync(homeOf(project.root));
    execFileSync('mkfifo', [file]);

    expect(() => append('1')).toThrow(Refused);
    expect(() => turns()).toThrow(Refused);
  });
});

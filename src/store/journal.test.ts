import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { type TempProject, tempProject } from '../../test/support/project.ts';
import { Refused } from './files.ts';
import { homeOf, journalPath } from './home.ts';
import {
  appendToJournal,
  entriesFromEnd,
  type JournalEntry,
  parseJournalLine,
  rotateJournal,
} from './journal.ts';

let project: TempProject;
let file: string;

beforeEach(() => {
  project = tempProject();
  file = journalPath(homeOf(project.root));
});

afterEach(() => project.remove());

function entry(turn: string): JournalEntry {
  return {
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
const turns = (from = file): (string | null)[] => [...entriesFromEnd(from)].map(({ turn }) => turn);

describe('the journal', () => {
  it('gives back what was put in, newest first', () => {
    append('1', '2', '3');

    expect(turns()).toEqual(['3', '2', '1']);
    expect([...entriesFromEnd(file)][0]).toEqual(entry('3'));
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

    for (const _ of entriesFromEnd(file)) break;

    expect(next()).toBe(before);
  });
});

describe('a line of the journal', () => {
  test.each([
    ['time', 1],
    ['time', undefined],
    ['answer', 'perhaps'],
    ['session', 1],
    ['workflow', {}],
    ['run', undefined],
    ['error', false],
  ])('is none of ours when its %s is %j', (key, value) => {
    expect(parseJournalLine(JSON.stringify({ ...entry('1'), [key]: value }))).toBeNull();
  });

  it('may know more than we do', () => {
    expect(parseJournalLine(JSON.stringify({ ...entry('1'), later: true }))).toMatchObject(entry('1'));
  });
});

describe('rotating the journal', () => {
  it('moves it aside once it is too long, over the one that was moved before', () => {
    append('1');
    rotateJournal(project.root, 10);
    append('2');
    rotateJournal(project.root, 10);
    append('3');

    expect(turns()).toEqual(['3']);
    expect(turns(`${file}.1`)).toEqual(['2']);
  });

  it('leaves a short one, and none, alone', () => {
    rotateJournal(project.root, 10);
    append('1');

    rotateJournal(project.root, fs.statSync(file).size);
    rotateJournal(project.root);

    expect(turns()).toEqual(['1']);
    expect(fs.existsSync(`${file}.1`)).toBe(false);
  });

  it('leaves what is no file alone', () => {
    fs.mkdirSync(file, { recursive: true });

    rotateJournal(project.root, 0);

    expect(fs.statSync(file).isDirectory()).toBe(true);
  });
});

describe('something else in the journal’s place', () => {
  it('is not followed when it is a link, neither for writing nor for reading', () => {
    append('1');
    fs.renameSync(file, path.join(project.root, 'stolen.jsonl'));
    const before = project.read('stolen.jsonl');
    fs.symlinkSync('../stolen.jsonl', file);

    expect(() => append('2')).toThrow(Refused);
    rotateJournal(project.root, 0);

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

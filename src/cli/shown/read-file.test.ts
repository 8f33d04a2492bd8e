import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readForPeople } from './read-file.ts';

const MOST = 524_288;
let folder: string;
let root: string;

beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-read-')));
  root = path.join(folder, 'project');
  fs.mkdirSync(path.join(root, 'notes'), { recursive: true });
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

const write = (name: string, text: string): void => fs.writeFileSync(path.join(root, name), text);

it('a file of a run is read whole', () => {
  write('notes/a.md', 'first\nsecond ✓\n');
  write('empty.md', '');
  expect(readForPeople(root, 'notes/a.md')).toEqual({ text: 'first\nsecond ✓\n', cut: false });
  expect(readForPeople(root, 'empty.md')).toEqual({ text: '', cut: false });
});

it('a file of half a mebibyte is whole, and of a longer one its end is shown, from the beginning of a line', () => {
  const line = `${'x'.repeat(63)}\n`;
  const whole = line.repeat(MOST / 64);
  write('whole.log', whole);
  expect(readForPeople(root, 'whole.log')).toEqual({ text: whole, cut: false });
  write('long.log', `a${whole}`);
  expect(readForPeople(root, 'long.log')).toEqual({ text: line.repeat(MOST / 64 - 1), cut: true });
  write('one-line.log', `${'y'.repeat(MOST)}z`);
  expect(readForPeople(root, 'one-line.log')).toEqual({ text: `${'y'.repeat(MOST - 1)}z`, cut: true });
});

it('what is not there, or leads out of the project, is not read', () => {
  fs.writeFileSync(path.join(folder, 'secret'), 'secret\n');
  fs.symlinkSync(path.join(folder, 'secret'), path.join(root, 'out'));
  fs.symlinkSync('notes', path.join(root, 'in'));
  write('notes/a.md', 'inside\n');
  for (const name of ['nothing', 'notes/nothing', 'out', '../secret', 'a/../../secret'])
    expect({ name, read: readForPeople(root, name) }).toEqual({ name, read: null });
  expect(() => readForPeople(root, 'notes')).toThrow('is not a regular file');
  expect(readForPeople(root, 'in/a.md')).toEqual({ text: 'inside\n', cut: false });
});

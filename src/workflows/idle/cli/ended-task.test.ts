import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { emptyFolder, projectIn, writeIn } from '../../../../test/support/bare-project.ts';
import { LOG_FILE } from '../files.ts';
import { endedTask } from './ended-task.ts';

let root: string;
beforeEach(() => {
  root = emptyFolder();
  for (const name of ['a', 'b', 'c']) writeIn(projectIn(root), `.holdfast/${name}.md`, `Do ${name}.\n`);
});

const line = (body: unknown): string =>
  JSON.stringify({ type: 'message', body: typeof body === 'string' ? body : JSON.stringify(body) });
/** Lines of the log, oldest first. */
const log = (...lines: readonly string[]): string =>
  writeIn(projectIn(root), LOG_FILE, lines.map((each) => `${each}\n`).join(''));
const state = (run: string, ...files: readonly unknown[]) => ({
  run_id: run,
  stack: files.map((file) => ({ prompt_file: typeof file === 'string' ? `.holdfast/${file}` : file })),
});
const ended = () => endedTask(root, 'r1');

describe('what a loop that has ended was asked for', () => {
  it('is the task of its outermost frame, in the last state that had one', () => {
    log(
      line(state('r1', 'a.md')),
      line(state('r1', 'b.md', 'c.md')),
      line(state('r2', 'c.md')),
      line(state('r1')),
    );
    expect(ended()).toBe('Do b.');
  });

  it.each<[string, string]>([
    ['no JSON', 'r1 {'],
    ['a list', '["r1"]'],
    ['no body', '{"id":"r1"}'],
    ['a body that is no text', JSON.stringify({ body: { ...state('r1', 'c.md') } })],
    ['a body that is no JSON', line('r1')],
    ['a body that is no state', line('["r1"]')],
    ['another run that names it', line({ ...state('r2', 'c.md'), note: 'r1' })],
    ['no stack', line({ run_id: 'r1' })],
    ['a stack that is none', line({ run_id: 'r1', stack: { 0: { prompt_file: 'c.md' } } })],
    ['a frame that is none', line({ run_id: 'r1', stack: ['c.md'] })],
    ['a frame whose file is none', line(state('r1', 7))],
  ])('passes over a line with %s', (_, text) => {
    log(line(state('r1', 'a.md')), text);
    expect(ended()).toBe('Do a.');
  });

  it('is nothing where nothing of it is left', () => {
    expect(ended()).toBeNull();
    log(line(state('r2', 'a.md')));
    expect(ended()).toBeNull();
    log(line(state('r1', 'a.md')), line(state('r1', 'gone.md')));
    expect(ended()).toBeNull();
  });

  it('is nothing where the log is no file', () => {
    fs.mkdirSync(path.join(root, LOG_FILE), { recursive: true });
    expect(ended()).toBeNull();
  });

  it('is looked for in the last megabyte', () => {
    const blank = (length: number): string => ' '.repeat(length);
    log(line(state('r1', 'a.md')), blank(1024 * 1024 - 300));
    expect(ended()).toBe('Do a.');
    log(line(state('r1', 'a.md')), blank(1024 * 1024));
    expect(ended()).toBeNull();
  });
});

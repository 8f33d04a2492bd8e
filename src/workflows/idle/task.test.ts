import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { emptyFolder } from '../../../test/support/bare-project.ts';
import type { FoundLoop } from './read-loop.ts';
import { readTask, taskOfFrame } from './task.ts';

let root: string;
beforeEach(() => {
  root = emptyFolder();
  fs.mkdirSync(path.join(root, '.holdfast'));
});

const put = (text: string | Buffer, name = '.holdfast/task.md'): string => {
  fs.writeFileSync(path.join(root, name), text);
  return name;
};
const found = (source: FoundLoop['source'], text = ''): FoundLoop => ({
  state: { kind: 'nothing' },
  run: null,
  raw: null,
  source,
  text,
  log: null,
});

describe('the task of a frame', () => {
  it('is what stands in its file, without the blanks around it', () => {
    expect(readTask(put('\n Fix it.\nAll of it. \n\n'), root)).toEqual({
      text: 'Fix it.\nAll of it.',
      cutFrom: null,
    });
  });

  it('is cut after 2048 bytes, and says from which file', () => {
    expect(readTask(put('x'.repeat(2048)), root)).toEqual({ text: 'x'.repeat(2048), cutFrom: null });
    expect(readTask(put('x'.repeat(2049)), root)).toEqual({
      text: 'x'.repeat(2048),
      cutFrom: '.holdfast/task.md',
    });
  });

  it('is not cut within a character', () => {
    expect(readTask(put(`${'x'.repeat(2047)}é`), root)).toEqual({
      text: 'x'.repeat(2047),
      cutFrom: '.holdfast/task.md',
    });
    expect(readTask(put(`${'x'.repeat(2046)}é`), root)).toEqual({
      text: `${'x'.repeat(2046)}é`,
      cutFrom: null,
    });
  });

  it('keeps a character that was broken before', () => {
    expect(readTask(put(Buffer.from([0x61, 0xff])), root)).toEqual({ text: 'a\uFFFD', cutFrom: null });
  });

  it('is none where the file is empty, missing, a folder, not in our own folder, or has no name', () => {
    const outside = path.join(os.tmpdir(), `holdfast-task-${process.pid}.md`);
    fs.writeFileSync(outside, 'not ours');
    fs.symlinkSync(outside, path.join(root, '.holdfast/link.md'));
    fs.mkdirSync(path.join(root, '.holdfast/folder'));
    try {
      for (const name of [
        put(' \n', '.holdfast/blank.md'),
        ...['.holdfast/missing.md', '.holdfast/folder', '.holdfast/link.md', outside],
        'a\0b',
      ])
        expect([name, readTask(name, root)]).toEqual([name, null]);
    } finally {
      fs.rmSync(outside);
    }
  });

  it('is the body of the fallback file', () => {
    expect(taskOfFrame(undefined, found('file', '---\nactive: true\n---\nFix it.\n'), root)).toEqual({
      text: 'Fix it.',
      cutFrom: null,
    });
    expect(taskOfFrame(undefined, found('file', `---\n---\n${'x'.repeat(3000)}`), root)).toEqual({
      text: 'x'.repeat(2048),
      cutFrom: '.claude/idle-loop.local.md',
    });
    expect(taskOfFrame({ prompt_file: put('no') }, found('file', 'no frontmatter'), root)).toBeNull();
  });

  it('is its file before its issue, and its issue before its filter', () => {
    const all = { prompt_file: put('From the file.'), issue_id: 'A-1', filter: 'bugs' };
    expect(taskOfFrame(all, found('topic'), root)?.text).toBe('From the file.');
    expect(taskOfFrame({ ...all, prompt_file: 7 }, found('topic'), root)?.text).toBe('A-1');
    expect(taskOfFrame({ filter: 'bugs' }, found('topic'), root)?.text).toBe('bugs');
    expect(taskOfFrame({ ...all, prompt_file: 'gone.md' }, found('topic'), root)).toBeNull();
  });

  it('is none where the frame says nothing', () => {
    expect(taskOfFrame(undefined, found('topic'), root)).toBeNull();
    expect(taskOfFrame({}, found('topic'), root)).toBeNull();
    expect(taskOfFrame({ issue_id: 7, filter: 'bugs' }, found('topic'), root)).toBeNull();
  });

  it('is one line of at most 300 characters where it is an issue', () => {
    expect(taskOfFrame({ issue_id: ' a \n\t b ' }, found('topic'), root)).toEqual({
      text: 'a b',
      cutFrom: null,
    });
    expect(taskOfFrame({ filter: 'y'.repeat(301) }, found('topic'), root)?.text).toBe('y'.repeat(300));
  });
});

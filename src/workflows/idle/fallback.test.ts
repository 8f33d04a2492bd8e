import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readFallback, taskOf, withIteration } from './fallback.ts';
import { FALLBACK_FILE } from './files.ts';

let root: string;

beforeEach(() => {
  root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-fallback-')));
  fs.mkdirSync(path.join(root, '.claude'));
});

afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

const write = (text: string): void => fs.writeFileSync(path.join(root, FALLBACK_FILE), text);
const frameOf = (text: string) => {
  write(text);
  const found = readFallback(root);
  return found.kind === 'file' ? found.frame : found.kind;
};

describe('the fallback file', () => {
  it('is one frame', () => {
    expect(frameOf('---\nactive: true\nmode: grind\niteration: 3\nmax_iterations: 20\n---\nTask\n')).toEqual({
      mode: 'grind',
      iter: 3,
      max: 20,
    });
  });

  it('is read with CRLF, quotes, comments and blanks', () => {
    const text =
      '---\r\nactive: true # yes\r\nmode: "issue"\r\niteration:   7\r\nmax_iterations: \'9\'\r\n---\r\nTask\r\n';
    expect(frameOf(text)).toEqual({ mode: 'issue', iter: 7, max: 9 });
  });

  it('has defaults for what is missing', () => {
    expect(frameOf('---\nactive: true\n---\n')).toEqual({ mode: 'loop', iter: null, max: null });
  });

  it('passes on a count that is no number, to be found corrupt', () => {
    expect(frameOf('---\nactive: true\niteration: three\n---\n')).toMatchObject({ iter: 'three' });
  });

  it('is none when there is no file, or it is not active', () => {
    expect(readFallback(root)).toEqual({ kind: 'none' });
    expect(frameOf('---\nactive: false\nmode: loop\n---\n')).toBe('none');
    expect(frameOf('---\nmode: loop\n---\n')).toBe('none');
  });

  it.each(['', 'no frontmatter', 'text\n---\nactive: true\n---\n', '---\nactive: true\n'])(
    'is unreadable as %j',
    (text) => {
      expect(frameOf(text)).toBe('unreadable');
    },
  );

  it('is refused when it leads out of the project', () => {
    const outside = path.join(os.tmpdir(), `holdfast-outside-${process.pid}.md`);
    fs.writeFileSync(outside, '---\nactive: true\n---\n');
    fs.symlinkSync(outside, path.join(root, FALLBACK_FILE));
    expect(() => readFallback(root)).toThrow(/leads out/);
    fs.rmSync(outside);
  });

  it('changes its iteration and nothing else', () => {
    const text =
      '---\nactive: true\niteration: 3 # so far\nmax_iterations: 10\n---\niteration: 3 stays in the task\n';
    expect(withIteration(text, 4)).toBe(
      '---\nactive: true\niteration: 4\nmax_iterations: 10\n---\niteration: 3 stays in the task\n',
    );
  });

  it('keeps the indentation of its iteration', () => {
    expect(withIteration('---\n  active: true\n  iteration: 3\n---\n', 4)).toBe(
      '---\n  active: true\n  iteration: 4\n---\n',
    );
  });

  it('has no comment where no blank stands before the #', () => {
    expect(frameOf('---\nactive: true\niteration: 3# 4\n---\n')).toMatchObject({ iter: '3# 4' });
    expect(frameOf('---\nactive: true\niteration: 3\t#4\n---\n')).toMatchObject({ iter: 3 });
  });

  it('gets an iteration where it had none', () => {
    expect(withIteration('---\r\nactive: true\r\n---\r\nTask', 1)).toBe(
      '---\r\niteration: 1\r\nactive: true\r\n---\r\nTask',
    );
  });

  it('has its task below the frontmatter', () => {
    expect(taskOf('---\nactive: true\n---\n\nFix it.\n---\nAll of it.\n')).toBe('Fix it.\n---\nAll of it.');
  });

  it.each([
    ['with a mark of its encoding', '\uFEFF---\nactive: true\niteration: 1\n---\nTask'],
    ['with blanks after its lines', '--- \t\nactive: true\niteration: 1\n---\t \nTask'],
    ['with lines that end as on Windows', '---\r\nactive: true\r\niteration: 1\r\n---\r\nTask'],
    ['with empty lines', '---\n\nactive: true\n\niteration: 1\n\n---\nTask'],
    [
      'with the same key twice, of which the first counts',
      '---\nactive: true\niteration: 1\niteration: 5\n---\nTask',
    ],
    ['with blanks around its keys', '---\n active : true\n\titeration\t:1\n---\nTask'],
    ['with quotes of both kinds', '---\nactive: "true"\niteration: \'1\'\n---\nTask'],
    ['with a line that is no field', '---\nactive: true\njust text\n1: x\niteration: 1\n---\nTask'],
  ])('is read %s', (_, text) => {
    expect(frameOf(text)).toEqual({ mode: 'loop', iter: 1, max: null });
    expect(taskOf(text)).toBe('Task');
    expect(withIteration(text, 2)).not.toBe(text);
    expect(frameOf(withIteration(text, 2))).toEqual({ mode: 'loop', iter: 2, max: null });
  });

  it.each([
    '---x\nactive: true\n---\n',
    '--\nactive: true\n--\n',
    '---\nactive: true\n---x\n',
    ' ---\nactive: true\n---\n',
    '---active: true\n---\n',
  ])('has no frontmatter in %j', (text) => {
    expect(frameOf(text)).toBe('unreadable');
  });

  it.each([
    ['', null],
    ['null', null],
    ['~', null],
    ['0', 0],
    ['007', 7],
    ['-1', '-1'],
    ['1.5', '1.5'],
    ['"3', '"3'],
    ['"3\'', '"3\''],
    ['# 3', null],
    ['3 # 4 # 5', 3],
    ['a#b', 'a#b'],
  ])('has in the count %j: %j', (written, count) => {
    expect(frameOf(`---\nactive: true\nmax_iterations: ${written}\n---\n`)).toEqual({
      mode: 'loop',
      iter: null,
      max: count,
    });
  });

  it('is as old as the file, and comes with its whole text', () => {
    const text = '---\nactive: true\n---';
    write(text);
    fs.utimesSync(path.join(root, FALLBACK_FILE), 1000, 1000);
    expect(readFallback(root)).toEqual({
      kind: 'file',
      text,
      frame: { mode: 'loop', iter: null, max: null },
      updatedAt: 1_000_000,
    });
  });

  it('without frontmatter has no task, and no iteration to change', () => {
    expect(taskOf('Fix it.')).toBe('');
    expect(withIteration('Fix it.', 2)).toBe('Fix it.');
  });

  it('gets its iteration as the first line where it had none', () => {
    expect(withIteration('---\nactive: true\n---\nTask', 1)).toBe(
      '---\niteration: 1\nactive: true\n---\nTask',
    );
  });
});

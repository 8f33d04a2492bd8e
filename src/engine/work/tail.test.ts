import { describe, expect, it } from 'vitest';
import { tailOf } from './tail.ts';

describe('the last lines of an output', () => {
  it.each([
    ['plain', 'one\ntwo\n', 'one\ntwo'],
    ['colours', '\u001b[1;31mred\u001b[0m and \u001b[38;5;12mblue\u001b[m', 'red and blue'],
    [
      'a title and a link',
      '\u001b]0;title\u0007x \u001b]8;;http://a\u001b\\text\u001b]8;;\u001b\\',
      'x text',
    ],
    ['a count on one line', 'start\n 1%\r 50%\r100%\r\nend', 'start\n100%\nend'],
    ['a moving cursor', 'a\u001b[2K\u001b[1Gb\u001b(Bc\u001b=', 'abc'],
    ['letters struck out', 'B\bBold', 'Bold'],
    ['what turns the direction of a line', 'a\u202eb\u0000c', 'a b c'],
    ['only spaces', '  \n\t\n ', ''],
    ['blanks at the end of lines', 'a \t\n  b\n', 'a\n  b'],
    ['line ends of both kinds', 'a\r\nb\nc\r\r\n', 'a\nb\nc'],
    ['a line that was cleared at its end', 'a\rb\r\nc', 'b\nc'],
    ['other texts for the terminal', '\u001bPq\u001b\\a\u001b_b\u0007c\u001b^d\u001b\\\u001bXe\u0007', 'ac'],
    // With a pattern that looks for an end, these would take half an hour.
    ['a megabyte of blanks', `${' '.repeat(1024 * 1024)}a`, 'a'],
    ['a megabyte of returns', `${'\r'.repeat(1024 * 1024)}a`, 'a'],
    ['an escape without an end', 'x\u001b]0;never', 'x'],
  ])('are plain: %s', (_, output, shown) => {
    expect(tailOf(output)).toBe(shown);
  });

  it('are whole lines, at most 2,000 characters of them', () => {
    const lines = Array.from({ length: 500 }, (_, each) => `line ${each}`);
    const tail = tailOf(lines.join('\n'));
    expect(tail.length).toBeLessThanOrEqual(2000);
    expect(tail.length).toBeGreaterThan(1900);
    expect(tail).toMatch(/^line \d+\n/);
    expect(tail).toMatch(/\nline 499$/);
  });

  it('are all of them up to 2,000 characters, and then whole ones', () => {
    const most = `a\n${'b'.repeat(1998)}`;
    expect(tailOf(most)).toBe(most);
    expect(tailOf(`x${most}`)).toBe('b'.repeat(1998));
    expect(tailOf(`${'a'.repeat(2000)}\n\n  b`)).toBe('b');
  });

  it('are cut in the middle of a line only where there is no other', () => {
    expect(tailOf('😀'.repeat(3000).slice(0, -1))).not.toMatch(/^[\udc00-\udfff]/);
    expect(tailOf('x'.repeat(5000))).toHaveLength(2000);
    expect(tailOf(`${'😀'.repeat(1000)}x`)).toBe(`${'😀'.repeat(999)}x`);
  });
});

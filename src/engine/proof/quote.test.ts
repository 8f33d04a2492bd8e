import { expect, it } from 'vitest';
import { MOST_QUOTED, quote } from './quote.ts';

it.each([
  ['', ''],
  ['one', '    one'],
  ['one\ntwo\n', '    one\n    two'],
  ['one\r\ntwo\r\r\n', '    one\n    two'],
  ['10%\r50%\r100%\ndone', '    100%\n    done'],
  ['one\r', '    one'],
  ['one  \t\n  two', '    one\n      two'],
  ['\n\n\none\n\n\n\ntwo\n\n', '    one\n\n    two'],
  ['\u001b[31mred\u001b[0m\u0007', '    red'],
])('a check that printed %j is quoted as a terminal shows it in the end', (output, quoted) => {
  expect(quote([output])).toEqual([quoted]);
});

it('ten checks are quoted', () => {
  expect(MOST_QUOTED).toBe(10);
});

it('one that printed much is quoted from a line’s start on, within 2,000 characters', () => {
  // 4 blanks, 5 letters, a line's end: ten characters for each line but the last.
  const lines = Array.from({ length: 300 }, (_, at) => String(10_000 + at));
  expect(quote([lines.join('\n')])).toEqual([
    lines
      .slice(-200)
      .map((line) => `    ${line}`)
      .join('\n'),
  ]);
  const [odd = ''] = quote([`${lines.join('\n')}x`]);
  expect(odd.split('\n')).toHaveLength(199 + 1);
  expect(odd.length).toBe(2000);
});

it('a last line that is too long by itself loses its end', () => {
  expect(quote([`first\n${'x'.repeat(3000)}`])).toEqual([`    ${'x'.repeat(1995)}…`]);
  expect(quote(['x'.repeat(1996)])).toEqual([`    ${'x'.repeat(1996)}`]);
});

it('what a short one leaves goes to the others', () => {
  const long = (letter: string): string => `head\n${letter.repeat(3000)}`;
  const [one = '', two = '', three = ''] = quote([long('a'), 'short', long('b')]);
  expect(two).toBe('    short');
  expect([one.length, three.length]).toEqual([995, 996]);
  expect([one.slice(0, 5), three.slice(0, 5)]).toEqual(['    a', '    b']);
});

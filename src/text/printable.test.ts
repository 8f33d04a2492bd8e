import { expect, test } from 'vitest';
import { printable } from './printable.ts';

test('what clears a screen, moves a cursor or sets a title is taken out', () => {
  expect(printable('a\u001b[2Jb\u001b]0;title\u0007c\u009b1Ad\re\0f')).toBe('a [2Jb ]0;title c 1Ad e f');
});

test('line ends, tabs, colours and every letter stay', () => {
  const text = 'one\n\ttwo \u001b[33mhold\u001b[0m \u001b[1;31mé🙂\u2028';
  expect(printable(text)).toBe(text);
});

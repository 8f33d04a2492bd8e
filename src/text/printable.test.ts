import { describe, expect, test } from 'vitest';
import { plainText, printable, visibleText } from './printable.ts';

test('what clears a screen, moves a cursor or sets a title is taken out', () => {
  expect(printable('a\u001b[2Jb\u001b]0;title\u0007c\u009b1Ad\re\0f')).toBe('a [2Jb ]0;title c 1Ad e f');
});

test('line ends, tabs, colours and every letter stay', () => {
  const text = 'one\n\ttwo \u001b[33mhold\u001b[0m \u001b[1;31mé🙂 שלום مرحبا';
  expect(printable(text)).toBe(text);
});

test('for a client not even a colour stays', () => {
  expect(plainText('one\n\ttwo \u001b[33mhold\u001b[0m')).toBe('one\n\ttwo  [33mhold [0m');
});

/** First and last of each range, as Unicode names it. */
const hidden: Readonly<Record<string, readonly number[]>> = {
  'Arabic letter mark': [0x61c],
  'left-to-right and right-to-left mark': [0x200e, 0x200f],
  'embeddings and overrides': [0x202a, 0x202b, 0x202c, 0x202d, 0x202e],
  isolates: [0x2066, 0x2067, 0x2068, 0x2069],
  'line and paragraph separator': [0x2028, 0x2029],
  'zero width': [0x200b, 0x200c, 0x200d, 0x2060, 0xfeff],
  'invisible operators and deprecated formats': [0x2061, 0x2064, 0x206a, 0x206f],
  'interlinear annotation': [0xfff9, 0xfffa, 0xfffb],
  'soft hyphen, grapheme joiner, fillers': [0xad, 0x34f, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x3164, 0xffa0],
  'Mongolian selectors and vowel separator': [0x180b, 0x180e, 0x180f],
  'variation selectors': [0xfe00, 0xfe0d, 0xe0100, 0xe01ef],
  tags: [0xe0001, 0xe0020, 0xe0041, 0xe007f],
  'next line': [0x85],
};

describe.each([
  ['a terminal', printable],
  ['a client', plainText],
])('for %s', (_, clean) => {
  test.each(Object.entries(hidden))('%s becomes a blank', (_name, codes) => {
    for (const code of codes) expect(clean(`a${String.fromCodePoint(code)}b`)).toBe('a b');
  });

  test('a name whose end is turned around is shown as it is spelled', () => {
    expect(clean('plan-\u202egpj.exe\u202c\u2066x\u2069')).toBe('plan- gpj.exe  x ');
  });

  test.each([
    ['an emoji of several', '👩‍👩‍👧 👩🏽‍💻 ❤️‍🔥 🏳️‍🌈'],
    ['a Persian word', 'می‌خواهم'],
    ['a Hindi word', 'क्‍ष'],
  ])('%s keeps its joiners', (_name, text) => {
    expect(text).toMatch(/[\u200c\u200d]/);
    expect(clean(text)).toBe(text);
  });

  test('a joiner beside plain letters, at an end, or beside another is taken out', () => {
    expect(clean('ad\u200cmin \u200d👩\u200d é\u200d\u200dé')).toBe('ad min  👩  é  é');
  });

  test('what is cleaned once stays as it is', () => {
    const text = Object.values(hidden)
      .flat()
      .map((code) => String.fromCodePoint(code))
      .join('x');
    expect(clean(clean(text))).toBe(clean(text));
  });
});

test.each([
  ['plain\ttext\n', 'plain\ttext\n'],
  ['\u001b[31mred\u001b[0m', '<U+001B>[31mred<U+001B>[0m'],
  ['a\u202eb\u{e0041}', 'a<U+202E>b<U+E0041>'],
  ['line\r\nover\rwritten', 'line\r\nover<U+000D>written'],
  ['می\u200cخواهم', 'می\u200cخواهم'],
  ['a\u200cb', 'a<U+200C>b'],
])('what a text hides shows by its number: %j', (text, seen) => {
  expect(visibleText(text)).toBe(seen);
});

import { expect, it } from 'vitest';
import { quotedName } from './name.ts';

it.each([
  ['src/a b.ts', 'src/a b.ts'],
  ['é/日本.ts', 'é/日本.ts'],
  ['a\nb', '"a\\nb"'],
  ['tab\there', '"tab\\there"'],
  ['"', '"\\""'],
  ['back\\slash', '"back\\\\slash"'],
  ['\u001b[2J', '"\\033[2J"'],
  ['\u0007\b\v\f\r', '"\\a\\b\\v\\f\\r"'],
  ['\u0001\u001f\u007f', '"\\001\\037\\177"'],
  ['a~ !', 'a~ !'],
  ['~ é\t', '"~ \\303\\251\\t"'],
  ['é\n', '"\\303\\251\\n"'],
  ['a\u202eb', 'a<U+202E>b'],
  ['a\u2028b', 'a<U+2028>b'],
  ['', ''],
])('%j is written %s', (name, written) => {
  expect(quotedName(Buffer.from(name))).toBe(written);
});

it('keeps bytes that are no UTF-8, and puts what comes before inside the quotes', () => {
  expect(quotedName(Buffer.from([0x66, 0xfc]))).toBe('"f\\374"');
  expect(quotedName(Buffer.from('x\n'), 'a/')).toBe('"a/x\\n"');
  expect(quotedName(Buffer.from('x'), 'b/')).toBe('b/x');
});

import { describe, expect, test } from 'vitest';
import { Lines } from './lines.ts';

const bytes = (text: string): Buffer => Buffer.from(text, 'utf8');

describe('lines of a stream', () => {
  test('come whole, however they are cut', () => {
    const text = '{"a":"ä€😀"}\n\n  \nsecond\r\nlast';
    const whole = new Lines();
    expect([...whole.push(bytes(text)), ...whole.rest()]).toEqual(['{"a":"ä€😀"}', 'second\r', 'last']);
    const single = new Lines();
    const found = [...bytes(text)].flatMap((byte) => single.push(Buffer.from([byte])));
    expect([...found, ...single.rest()]).toEqual(['{"a":"ä€😀"}', 'second\r', 'last']);
  });

  test('one that is too long is passed over, and the next one is read', () => {
    const lines = new Lines(10);
    expect(lines.push(bytes('12345678901\nshort\n'))).toEqual(['short']);
    expect(lines.push(bytes('123456'))).toEqual([]);
    expect(lines.push(bytes('78901'))).toEqual([]);
    expect(lines.push(bytes('xx\n1234567890\n'))).toEqual(['1234567890']);
    expect(lines.push(bytes('12345678901'))).toEqual([]);
    expect(lines.rest()).toEqual([]);
  });

  test('a line of 64 MB takes no memory', () => {
    const lines = new Lines();
    const chunk = Buffer.alloc(1024 * 1024, 0x78);
    for (let count = 0; count < 64; count++) expect(lines.push(chunk)).toEqual([]);
    expect(lines.push(bytes('\nafter\n'))).toEqual(['after']);
  });
});

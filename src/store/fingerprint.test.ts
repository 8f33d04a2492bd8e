import { describe, expect, it, test } from 'vitest';
import { fc } from '../../test/support/property.ts';
import { fingerprint } from './fingerprint.ts';

describe('a fingerprint', () => {
  it('is 28 hex digits, whatever the length of the data', () => {
    for (const length of [0, 1, 2, 3, 7, 64, 100_000])
      expect(fingerprint('é'.repeat(length))).toMatch(/^[0-9a-f]{28}$/);
  });

  it('stays what it is: sidecars on disk hold it', () => {
    expect(fingerprint('')).toBe('27c266735516ae214ba8e2de79c3');
    expect(fingerprint('{"phase":"reviewing"}\n')).toBe('13dc8b9168cc5f20ce45c1ba368d');
  });

  it('is the same for text and for its UTF-8 bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(fingerprint(Buffer.from(text, 'utf8'))).toBe(fingerprint(text));
        expect(fingerprint(new TextEncoder().encode(text))).toBe(fingerprint(text));
      }),
    );
  });

  it('takes half a surrogate pair for what it becomes on disk', () => {
    expect(fingerprint('\ud83d')).toBe(fingerprint('\ufffd'));
    expect(fingerprint('\ud83d\ude00')).not.toBe(fingerprint('\ufffd\ufffd'));
  });

  it('differs for 200,000 different texts', () => {
    const seen = new Set<string>();
    for (let i = 0; i < 100_000; i++) {
      seen.add(fingerprint(String(i)));
      seen.add(fingerprint(`{"phase":"reviewing","round":${i},"topic":"the same words"}\n`));
    }

    expect(seen.size).toBe(200_000);
  });

  it('differs for every change of a single byte', () => {
    const bytes = Buffer.from('a state file of some length, with a few fields in it\n'.repeat(4));
    const seen = new Set([fingerprint(bytes)]);
    for (let position = 0; position < bytes.length; position++) {
      for (let change = 1; change < 256; change++) {
        const changed = Buffer.from(bytes);
        changed[position] = (changed[position] ?? 0) ^ change;
        seen.add(fingerprint(changed));
      }
    }

    expect(seen.size).toBe(1 + bytes.length * 255);
  });

  it('differs for every pair of changed bytes next to each other', () => {
    const seen = new Set<string>();
    for (let first = 0; first < 256; first++)
      for (let second = 0; second < 256; second++) seen.add(fingerprint(Uint8Array.of(7, first, second, 9)));

    expect(seen.size).toBe(65_536);
  });

  it('differs for zeros of different lengths, and for the same bytes in another order', () => {
    const lengths = Array.from({ length: 5_000 }, (_, length) => fingerprint(new Uint8Array(length)));
    expect(new Set(lengths).size).toBe(lengths.length);
    expect(fingerprint('ab')).not.toBe(fingerprint('ba'));
  });

  test.each([0, 6, 7, 13, 14, 20, 21, 27])('has no digit that stays noProgress: digit %i', (digit) => {
    const values = new Set(Array.from({ length: 200 }, (_, i) => fingerprint(`text ${i}`)[digit]));

    // The top digit of each group of seven holds two bits, the others four.
    expect(values.size).toBe(digit % 7 === 0 ? 4 : 16);
  });
});

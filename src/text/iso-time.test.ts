import { describe, expect, it } from 'vitest';
import { fc } from '../../test/support/property.ts';
import { isoTime } from './iso-time.ts';

describe('a moment as text', () => {
  it('is what toISOString says, of every moment', () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true }), (date) => {
        expect(isoTime(date.getTime())).toBe(date.toISOString());
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([0, -1, Date.UTC(2026, 0, 1, 1, 2, 3, 4), Date.UTC(999, 11, 31), Date.UTC(10_000, 0, 1), 8.64e15])(
    'is what toISOString says of %d',
    (milliseconds) => {
      expect(isoTime(milliseconds)).toBe(new Date(milliseconds).toISOString());
    },
  );

  it('is refused where there is none', () => {
    expect(() => isoTime(Number.NaN)).toThrow(RangeError);
  });
});

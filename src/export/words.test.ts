import { describe, expect, it } from 'vitest';
import { cut, durationOf, modelWord, timeOf, word } from './words.ts';

describe('words that may leave the machine', () => {
  it.each([
    ['idle', 'idle'],
    ['a', 'a'],
    ['9a.b:c@d+e-f_g', '9a.b:c@d+e-f_g'],
    ['x'.repeat(64), 'x'.repeat(64)],
    ['x'.repeat(65), 'other'],
    ['', 'other'],
    ['-a', 'other'],
    ['a/b', 'other'],
    ['a b', 'other'],
    ['a\n', 'other'],
    [7, 'other'],
    [null, 'other'],
  ])('%j is %s', (value, said) => expect(word(value)).toBe(said));

  it.each([
    ['', 'default'],
    ['opus[1m]', 'opus[1m]'],
    ['openai/gpt-5', 'openai/gpt-5'],
    ['a/b/c', 'other'],
    ['/a', 'other'],
    ['a/', 'other'],
    ['my model', 'other'],
    [`${'x'.repeat(64)}/${'y'.repeat(64)}`, `${'x'.repeat(64)}/${'y'.repeat(64)}`],
    ['x'.repeat(65), 'other'],
    [`a/${'y'.repeat(65)}`, 'other'],
  ])('the model %j is %s', (value, said) => expect(modelWord(value)).toBe(said));

  it('are cut where they are long', () => {
    expect(cut('x'.repeat(1024))).toBe('x'.repeat(1024));
    expect(cut('x'.repeat(1025))).toBe(`${'x'.repeat(1023)}…`);
    expect(cut(`${'x'.repeat(1022)}😀😀`)).toBe(`${'x'.repeat(1022)}\ufffd…`);
    expect(cut('a\ud800')).toBe('a\ufffd');
  });

  it('are times that a run can have had', () => {
    expect(timeOf('2026-11-16T08:00:00.000Z')).toBe(Date.UTC(2026, 10, 16, 8));
    expect(timeOf('2000-01-01T00:00:00Z')).toBe(Date.UTC(2000));
    expect(timeOf('2200-01-01T00:00:00Z')).toBe(Date.UTC(2200));
    for (const none of ['1999-12-31T23:59:59Z', '2200-01-01T00:00:00.001Z', 'soon', '', null, 7])
      expect(timeOf(none)).toBeNull();
  });

  it('are durations of at most 90 days', () => {
    const most = 90 * 24 * 60 * 60 * 1000;
    expect([1.5, most, most + 1, 0, -1, Number.NaN, '7', null].map(durationOf)).toEqual([
      ...[1.5, most, most, 0, 0, 0, 0, 0],
    ]);
  });
});

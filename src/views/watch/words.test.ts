import { describe, expect, it } from 'vitest';
import { bar, elapsed, oneLine, progressWords, spinnerAt, timeOfDay } from './words.ts';

describe('words of the terminal view', () => {
  it.each([
    [-5, '0:00'],
    [999, '0:00'],
    [1000, '0:01'],
    [65_000, '1:05'],
    [3_599_999, '59:59'],
    [3_600_000, '1:00:00'],
    [7_805_000, '2:10:05'],
  ])('%d ms are %s', (milliseconds, said) => {
    expect(elapsed(milliseconds)).toBe(said);
  });

  it.each([
    [0, 10, '░░░░'],
    [5, 10, '██░░'],
    [10, 10, '████'],
    [11, 10, '████'],
    [-1, 10, '░░░░'],
    [1, 0, '░░░░'],
    [1, 8, '█░░░'],
  ])('%d of %d is drawn as %s', (at, of, drawn) => {
    expect(bar(at, of, 4)).toBe(drawn);
  });

  it('a progress without an end names none', () => {
    expect(progressWords({ unit: 'iteration', at: 3, of: 10 })).toBe('iteration 3 of 10');
    expect(progressWords({ unit: 'round', at: 2, of: null })).toBe('round 2');
  });

  it('the spinner moves on every quarter of a second, and comes round', () => {
    expect([0, 249, 250, 2499, 2500].map(spinnerAt)).toEqual(['⠋', '⠋', '⠙', '⠏', '⠋']);
  });

  it('a time of day has no date', () => {
    expect(timeOfDay(new Date(2026, 0, 2, 3, 4, 5).getTime())).toBe('03:04:05');
  });

  it('a text becomes one line that steers no terminal', () => {
    expect(oneLine('  one\n\t two\u001b[31m three ')).toBe('one two [31m three');
  });
});

import { describe, expect, it } from 'vitest';
import { isMode, modes, signalsOf } from './modes.ts';

const LOOP = ['COMPLETE', 'MAX_ITERATIONS', 'STUCK'].map((word) => `<loop-done>${word}</loop-done>`);

describe('a kind of loop', () => {
  it.each([
    ['loop', 10, LOOP, ['COMPLETE', 'MAX_ITERATIONS', 'STUCK']],
    [
      ...(['issue', 10] as const),
      [...LOOP, '<issue-complete>DONE</issue-complete>'],
      ['COMPLETE', 'MAX_ITERATIONS', 'STUCK', 'DONE'],
    ],
    [
      ...(['grind', 100] as const),
      ['<grind-done>NO_MORE_ISSUES</grind-done>', '<grind-done>MAX_ISSUES</grind-done>'],
      ['NO_MORE_ISSUES', 'MAX_ISSUES'],
    ],
  ] as const)('%s goes round %i times and ends by its signals', (mode, max, signals, reasons) => {
    expect(modes[mode].max).toBe(max);
    expect(signalsOf(mode)).toEqual(signals);
    expect(Object.values(modes[mode].signals)).toEqual(reasons);
    expect(isMode(mode)).toBe(true);
  });

  it.each(['Loop', '', 'toString', null, undefined, 7, ['loop']])('is not %j', (name) => {
    expect(isMode(name)).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import { readSaved } from './saved.ts';

describe('what claudex keeps in a sidecar', () => {
  it('is read as it was written', () => {
    const saved = { plan: 'abc', waitHeld: 2, waitNotified: 2, transcript: '/t.jsonl', warned: ['A'] };
    expect(readSaved(saved)).toEqual(saved);
  });

  it('is read under the name that earlier versions gave it', () => {
    expect(readSaved({ waitHeld: 2, waitTold: 2 })).toMatchObject({ waitHeld: 2, waitNotified: 2 });
    expect(readSaved({ waitTold: 1, waitNotified: 2 }).waitNotified).toBe(2);
  });

  it.each([
    ['nothing', undefined],
    ['no object', 'x'],
    ['a list', [1]],
    [
      'of other types',
      { plan: 1, waitHeld: '2', waitNotified: '2', waitTold: '2', transcript: 3, warned: 'A' },
    ],
  ])('counts as never written where it is %s', (_, value) => {
    expect(readSaved(value)).toEqual({
      plan: null,
      waitHeld: null,
      waitNotified: null,
      transcript: null,
      warned: [],
    });
  });
});

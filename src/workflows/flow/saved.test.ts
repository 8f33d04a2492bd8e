import { describe, expect, it } from 'vitest';
import { keepSignal, NOTHING_SAVED, readSaved, readWord, writeSaved, writeWord } from './saved.ts';

describe('what a flow keeps in the sidecar', () => {
  it('is read as it was written', () => {
    const saved = { seen: 'line-1', kept: { name: 'done', state: 'abc' } };
    expect(readSaved(writeSaved(saved))).toEqual(saved);
  });

  it.each([undefined, null, 1, 'x', [], {}, { seen: 1, kept: {} }, { kept: { name: 1, state: 'x' } }])(
    'counts as never written where it is %j',
    (value) => {
      expect(readSaved(value)).toEqual(NOTHING_SAVED);
    },
  );

  it('has a signal in it with the state it was given in', () => {
    const word = writeWord({ name: 'done', state: 'abc' });
    expect(readWord(word)).toEqual({ name: 'done', state: 'abc' });
    expect(readSaved(keepSignal({ seen: 's', kept: null }, word))).toEqual({
      seen: 's',
      kept: { name: 'done', state: 'abc' },
    });
  });
});

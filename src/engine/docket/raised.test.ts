import { describe, expect, it } from 'vitest';
import { comparable, isNamedAgain, isSaidAgain } from './raised.ts';
import type { Entry } from './types.ts';

const entry = (more: Partial<Entry> = {}): Entry => ({
  ...{ id: 'F9', review: 'new.md', round: 2, by: null, severity: 'high', file: null, line: null },
  ...{ claim: '', evidence: null, status: 'open', answer: null, earlier: [], others: {} },
  ...more,
});
const old = (more: Partial<Entry> = {}): Entry => entry({ id: 'F1', review: 'old.md', ...more });

describe('what is compared of a finding', () => {
  it('is the ids that it names and its words, when it is about no file', () => {
    const one = entry({
      claim: 'See F1, F23 (not F0, F04, xF5, F6x, f7 or F1234567890): die Übung_1 is BAD',
    });
    expect(comparable(one)).toEqual({
      entry: one,
      ids: new Set(['F1', 'F23']),
      words: new Set(['f1234567890', 'übung_1']),
    });
  });

  it('is the ids alone, when it is about a file', () => {
    const one = entry({ claim: 'F123456789 cache tenant', file: 'a.ts' });
    expect(comparable(one)).toEqual({ entry: one, ids: new Set(['F123456789']), words: new Set() });
  });

  it('is words of four letters or more, each once', () => {
    expect(comparable(entry({ claim: 'abc abcd ABCD' })).words).toEqual(new Set(['abcd']));
    expect(comparable(entry({ claim: 'a b' })).words).toEqual(new Set());
  });

  it('is in its first 2,000 characters', () => {
    const claim = (blanks: number): string => `${' '.repeat(blanks)}F1`;
    expect(comparable(entry({ claim: claim(1998) })).ids).toEqual(new Set(['F1']));
    expect(comparable(entry({ claim: claim(1999) })).ids).toEqual(new Set());
  });
});

describe('a finding names an answered one again', () => {
  it.each<[string, Partial<Entry>, Partial<Entry>, boolean]>([
    ['in the same file', { file: 'a.ts' }, { file: 'a.ts' }, true],
    ['not in another file', { file: 'a.ts' }, { file: 'b.ts' }, false],
    ['not where both are about none', {}, {}, false],
    ['by its id', { claim: 'F1 stands', file: 'a.ts' }, { file: 'b.ts' }, true],
    ['not by another id', { claim: 'F2 stands' }, {}, false],
    ['not in the same review', { claim: 'F1', file: 'a.ts', review: 'old.md' }, { file: 'a.ts' }, false],
  ])('%s', (_, one, answered, isAgain) => {
    expect(isNamedAgain(comparable(entry(one)), old(answered))).toBe(isAgain);
  });
});

describe('a finding says an answered one again', () => {
  it.each<[string, Partial<Entry>, Partial<Entry>, boolean]>([
    ['in the same words', { claim: 'cache tenant' }, { claim: 'Tenant, cache!' }, true],
    ['with half of all their words', { claim: 'beta' }, { claim: 'beta alpha' }, true],
    ['not with fewer', { claim: 'beta' }, { claim: 'beta alpha gamma' }, false],
    ['not with fewer, the other way', { claim: 'beta alpha gamma' }, { claim: 'beta' }, false],
    ['not without words', { claim: 'a b' }, { claim: 'a b' }, false],
    ['not in the same review', { claim: 'beta', review: 'old.md' }, { claim: 'beta' }, false],
    ['not where it is about a file', { claim: 'beta', file: 'a.ts' }, { claim: 'beta' }, false],
    ['not where the other is', { claim: 'beta' }, { claim: 'beta', file: 'a.ts' }, false],
  ])('%s', (_, one, answered, isAgain) => {
    expect(isSaidAgain(comparable(entry(one)), comparable(old(answered)))).toBe(isAgain);
  });

  it('not where one of them is about a file, whatever their words are', () => {
    const words = new Set(['beta']);
    const [one, other] = [comparable(entry({ claim: 'beta' })), comparable(old({ claim: 'beta' }))];
    const filed = { ...one, words, entry: entry({ file: 'a.ts' }) };
    expect(isSaidAgain(filed, other)).toBe(false);
    expect(isSaidAgain(one, { ...other, words, entry: old({ file: 'a.ts' }) })).toBe(false);
    expect(isSaidAgain(one, other)).toBe(true);
  });
});

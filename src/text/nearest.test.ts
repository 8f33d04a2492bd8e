import { describe, expect, it } from 'vitest';
import { didYouMean, nearestWord } from './nearest.ts';

describe('the nearest known word', () => {
  it.each([
    ['leav', 'a letter is missing'],
    ['xleave', 'a letter is too many'],
    ['leake', 'a letter is another'],
    ['elave', 'two are swapped'],
    ['laeve', 'two are swapped in the middle'],
    ['Laeve', 'swapped, and in capitals'],
    ['lea', 'only its beginning was typed'],
  ])('is found for "%s": %s', (word) => {
    expect(didYouMean(word, ['say', 'leave'])).toBe(' (did you mean "leave"?)');
  });

  it.each(['leaving', 'le', 'levea', 'elvae', 'lxavx', '', 'l'])('is not guessed from "%s"', (word) => {
    expect(didYouMean(word, ['say', 'leave'])).toBe('');
  });

  it('may have two slips in a long word, and is the one with fewer', () => {
    expect(nearestWord('--max-iterashuns', ['--max-iterations'])).toBe('--max-iterations');
    expect(nearestWord('--token', ['--taken-x', '--tokens'])).toBe('--tokens');
    expect(nearestWord('tost', ['Test', 'toast'])).toBe('Test');
  });

  it('is no word that only one of several begins with', () => {
    expect(nearestWord('complete-', ['complete-task', 'complete-plan'])).toBeNull();
    expect(nearestWord('constructor', [])).toBeNull();
  });
});

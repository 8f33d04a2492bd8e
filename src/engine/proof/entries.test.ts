import { describe, expect, it } from 'vitest';
import { changed, each, entriesIn, lineOf } from './entries.ts';

const PATHS = [
  '.a',
  '.a.b',
  '.a/x',
  '.a/y/z',
  '.a0',
  'b',
  'b-c',
  'b/c',
  'c.md',
  'd/e/f',
  'd/e/g',
  'd/e0',
  'z',
];
const blob = { mode: '100644', id: '0'.repeat(40) };

const entriesOf = (paths: readonly string[]) =>
  entriesIn(Buffer.concat(paths.map((file) => lineOf(blob, Buffer.from(file)))));
const pathsIn = (entries: ReturnType<typeof entriesOf>): string[] =>
  [...each(entries)].map(({ path }) => path.toString());

describe('a list that nobody changed', () => {
  it.each(['.a', '.a/y', 'a', 'b', 'c.md', 'c', 'd', 'd/e', 'z', 'zz', '.'])(
    'is without what is at or below %s, and nothing else',
    (left) => {
      const whole = entriesOf(PATHS);
      const expected = PATHS.filter((file) => file !== left && !file.startsWith(`${left}/`));

      expect(pathsIn(changed(whole, new Map(), [Buffer.from(left)]))).toEqual(expected);
    },
  );

  it('may be empty', () => {
    expect(pathsIn(changed(entriesOf([]), new Map(), [Buffer.from('a')]))).toEqual([]);
  });

  it('is the same list where nothing is left out', () => {
    const whole = entriesOf(PATHS);
    expect(changed(whole, new Map(), [Buffer.from('d/e/'), Buffer.from('y')])).toBe(whole);
  });
});

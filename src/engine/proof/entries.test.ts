import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  areAllOrdinary,
  changed,
  countOf,
  each,
  entriesIn,
  entryAt,
  fingerprintOf,
  hasMoreThan,
  isOrdinary,
  lineOf,
  placeOf,
} from './entries.ts';

const id = '1'.repeat(40);
const line = (file: string, tag = 'H', mode = '100644', stage = '0'): Buffer =>
  Buffer.from(`${tag} ${mode} ${id} ${stage}\t${file}\0`);
const listOf = (...lines: Buffer[]) => entriesIn(Buffer.concat(lines));
const plain = listOf(line('a'), line('b/c'), line('b/d.ts'), line('e'));
const own = (file: string): Buffer => lineOf({ mode: '100755', id }, Buffer.from(file));
const paths = (entries: typeof plain): string[] => [...each(entries)].map(({ path }) => path.toString());

it('a list knows each entry, how many there are and where a path would be', () => {
  expect([countOf(plain), countOf(listOf())]).toEqual([4, 0]);
  expect(entryAt(plain, 1)).toEqual({ tag: 'H', mode: '100644', id, stage: '0', path: Buffer.from('b/c') });
  expect([3, 4].map((many) => hasMoreThan(plain, many))).toEqual([true, false]);
  expect([hasMoreThan(listOf(), 0), hasMoreThan(listOf(line('a')), 0)]).toEqual([false, true]);
  const places = ['', 'a', 'a0', 'b/c', 'b/cc', 'e', 'f'].map((file) => placeOf(plain, Buffer.from(file)));
  expect(places).toEqual([0, 0, 1, 1, 2, 3, 4]);
  const names = Array.from({ length: 3000 }, (_, index) => `f${String(index).padStart(4, '0')}`);
  const long = listOf(...names.map((name) => line(name)));
  expect(countOf(long)).toBe(3000);
  for (const index of [0, 1023, 1024, 2048, 2999])
    expect(entryAt(long, index).path.toString()).toBe(names[index]);
});

it.each<[string, Buffer, boolean]>([
  ['a file', line('x'), true],
  ['a link', line('x', 'H', '120000'), true],
  ['another repository', line('x', 'H', '160000'), false],
  ['one that git was told to believe', line('x', 'h'), false],
  ['one that it was told to skip', line('x', 'S'), false],
  ['one in a merge', line('x', 'M', '100644', '2'), false],
])('an entry is ordinary or not: %s', (_, odd, ordinary) => {
  expect([areAllOrdinary(listOf(odd, line('z'))), areAllOrdinary(listOf(line('a'), odd))]).toEqual([
    ordinary,
    ordinary,
  ]);
  expect(isOrdinary(listOf(line('a'), odd), 1, 40)).toBe(ordinary);
  expect([isOrdinary(listOf(line('x', 'H', '100644', '1')), 0, 40), areAllOrdinary(listOf())]).toEqual([
    false,
    true,
  ]);
});

it('changes are in their places: added, replaced and gone, but for what is left out', () => {
  const changes = new Map(['0', 'b/cc', 'e', 'f'].map((file): [string, Buffer | null] => [file, own(file)]));
  const next = changed(plain, changes.set('b/c', null).set('gone', null), []);
  expect(paths(next)).toEqual(['0', 'a', 'b/cc', 'b/d.ts', 'e', 'f']);
  expect(entryAt(next, 4)).toMatchObject({ mode: '100755', tag: 'H', stage: '0' });
  expect(changed(plain, new Map([['gone', null]]), [])).toBe(plain);
  expect(paths(changed(listOf(), new Map([['x', own('x')]]), []))).toEqual(['x']);
  const below = new Map(['b', 'b/new', 'bb'].map((file) => [file, own(file)]));
  expect(paths(changed(plain, below, [Buffer.from('b')]))).toEqual(['a', 'bb', 'e']);
  const merged = listOf(line('a', 'M', '100644', '1'), line('a', 'M', '100644', '2'), line('b'));
  expect(paths(changed(merged, new Map([['a', own('a')]]), []))).toEqual(['a', 'b']);
});

it('a list is without what is at or below a path, and nothing else', () => {
  const files = '.a .a.b .a/x .a/y/z .a0 b b-c b/c c.md d/e/f d/e/g d/e0 z'.split(' ');
  const whole = listOf(...files.map((file) => line(file)));
  for (const left of '.a .a/y a b c.md c d d/e z zz .'.split(' ')) {
    const expected = files.filter((file) => file !== left && !file.startsWith(`${left}/`));
    expect(paths(changed(whole, new Map(), [Buffer.from(left)]))).toEqual(expected);
  }
  expect(paths(changed(listOf(), new Map(), [Buffer.from('a')]))).toEqual([]);
  expect(changed(whole, new Map(), [Buffer.from('d/e/'), Buffer.from('y')])).toBe(whole);
});

it.each<[string[] | null, string]>([
  [null, 'a b/c b/d.ts e'],
  [[], ''],
  [['a'], 'a'],
  [['b'], 'b/c b/d.ts'],
  [['./b/'], 'b/c b/d.ts'],
  [['b/**'], 'b/c b/d.ts'],
  [['**'], 'a b/c b/d.ts e'],
  [['b/*.ts'], 'b/d.ts'],
  [['**/*.ts', 'e', 'e'], 'b/d.ts e'],
  [['none'], ''],
])('the fingerprint by %j is of %s', (patterns, files) => {
  const hash = createHash('sha256');
  for (const file of files.split(' ').filter(Boolean)) hash.update(line(file));
  expect(fingerprintOf(plain, patterns)).toBe(hash.digest('hex'));
});

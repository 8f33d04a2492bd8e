import { describe, expect, it } from 'vitest';
import { globs } from './glob.ts';

describe('a pattern', () => {
  it.each([
    ['package.json', 'package.json'],
    ['./package.json', 'package.json'],
    ['/package.json', 'package.json'],
    ['test/**', 'test/a.ts'],
    ['test/**', 'test/deep/er/a.ts'],
    ['test/', 'test/deep/a.ts'],
    // A file in the folder's place.
    ['test/**', 'test'],
    ['test/**', 'test/.hidden/a.ts'],
    ['**/*.test.ts', 'a.test.ts'],
    ['**/*.test.ts', 'src/x/a.test.ts'],
    ['src/**/*.ts', 'src/a.ts'],
    ['src/**/test/**', 'src/a/b/test/c'],
    ['**', 'a/b/c'],
    ['*.{ts,js}', 'a.js'],
    ['{src,test}/{a,b{1,2}}.ts', 'test/b2.ts'],
    ['a?c', 'abc'],
    ['[a-c]x[!0-9]', 'bxy'],
    ['[]]', ']'],
    ['a\\*b', 'a*b'],
    ['*a*b*', 'xxaxxbxx'],
    ['{a}', '{a}'],
    ['a{b', 'a{b'],
    ['a.b', 'a.b'],
    ['packages/*/test/**', 'packages/core/test/x.ts'],
    ['{a\\,b,c}', 'a,b'],
    ['{a\\,b,c}', 'c'],
    ['{a,b\\}}', 'b}'],
    ['\\{a,b}', '{a,b}'],
    ['{a{b,c}', '{ab'],
    ['{,x}a', 'a'],
    ['{a,b,}c', 'c'],
    ['x{a,b}y{c,d}z', 'xbydz'],
    ['{{a,b},c}d', 'bd'],
    ['a,b', 'a,b'],
    ['.//test//a', 'test/a'],
    ['test//', 'test/x'],
    ['**/**/a', 'a'],
    ['a/**/**/b', 'a/b'],
    ['a/**/b', 'a/x/y/b'],
    ['a**b', 'axyb'],
    ['*', 'a'],
    ['a*', 'a'],
    ['*a', 'a'],
    ['*ab', 'aab'],
    ['a*b*c', 'axbxbc'],
    ['?', 'é'],
    ['[abc]', 'c'],
    ['[a-c]', 'a'],
    ['[a-c]', 'c'],
    ['[^a-c]', 'd'],
    ['[!a-c]', '`'],
    ['[-a]', '-'],
    ['[a-]', '-'],
    ['[!]a]', 'b'],
    ['a[', 'a['],
    ['[a', '[a'],
    ['[a]b[c]', 'abc'],
    ['a\\', 'a\\'],
    ['\\[a]', '[a]'],
    ['\\?', '?'],
  ])('%s matches %s', (pattern, path) => {
    expect(globs([pattern]).matches(path)).toBe(true);
  });

  it.each([
    ['package.json', 'packages.json'],
    ['package.json', 'sub/package.json'],
    ['*.ts', 'src/a.ts'],
    ['test/*', 'test/a/b'],
    ['test/**', 'tests/a'],
    ['**/*.test.ts', 'src/a.ts'],
    ['a?c', 'ac'],
    ['[!a]b', 'ab'],
    ['a.b', 'axb'],
    ['a\\*b', 'axb'],
    ['!test/**', 'src/a'],
    ['', 'a'],
    ['{a\\,b,c}', 'a'],
    ['{a,b}', '{a,b}'],
    ['{a,b}', 'ab'],
    ['x{a,b}y', 'xy'],
    ['[a-c]', 'd'],
    ['[a-c]', '`'],
    ['[a-c]', '-'],
    ['[^a-c]', 'b'],
    ['[!a-c]', 'a'],
    ['[!]a]', ']'],
    ['[a]b', 'a'],
    ['?', ''],
    ['?', 'ab'],
    ['a*', 'ba'],
    ['*a', 'ab'],
    ['a*b', 'abc'],
    ['a', 'aa'],
    ['aa', 'a'],
    ['a/**/b', 'a/x'],
    ['a/*/b', 'a/b'],
    ['test/', 'tests'],
    ['test', 'test/a'],
    ['\\?', 'a'],
  ])('%s does not match %s', (pattern, path) => {
    expect(globs([pattern]).matches(path)).toBe(false);
  });

  it('is one of several', () => {
    const either = globs(['test/**', 'package.json']);
    expect(['test/a', 'package.json', 'src/a'].map((path) => either.matches(path))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('with braces stands for 256 patterns at most', () => {
    const letters = Array.from({ length: 300 }, (_, index) => `n${index}`);
    const many = globs([`{${letters.join(',')}}`]);
    expect(letters.filter((name) => many.matches(name))).toHaveLength(256);
    const twice = globs([`{${letters.slice(0, 17).join(',')}}{a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p}`]);
    const names = letters.slice(0, 17).flatMap((name) => [...'abcdefghijklmnop'].map((last) => name + last));
    expect(names).toHaveLength(272);
    expect(names.filter((name) => twice.matches(name))).toHaveLength(256);
  });

  it('takes no longer for names and patterns that were made to take long', () => {
    const names = ['a'.repeat(250), 'a/'.repeat(2000)];
    // Of the processor's time: the machine may have other things to do.
    const before = process.cpuUsage();
    for (const pattern of [
      `**/${'*a'.repeat(100)}b`,
      `${'**/'.repeat(100)}b`,
      `${'**/a/'.repeat(50)}b`,
      `${'{a,aa}'.repeat(30)}b`,
      '{'.repeat(2000),
      '['.repeat(2000),
    ])
      for (const name of names) globs([pattern]).matches(name);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(2000);
  });
});

describe('a folder', () => {
  it.each([
    ['test/**', '', true],
    ['test/**', 'test', true],
    ['test/**', 'test/a/b', true],
    ['test/**', 'src', false],
    ['package.json', '', true],
    ['package.json', 'src', false],
    ['**/*.ts', 'any/where', true],
    ['packages/*/test/**', 'packages/a', true],
    ['packages/*/test/**', 'packages/a/src', false],
    ['**', '', true],
    ['**', 'a', true],
    ['a', 'a', false],
    ['a/b', 'a', true],
    ['a/b', 'a/b', false],
    ['a/b/c', 'a/b', true],
    ['*/b', 'x', true],
    ['*/b', 'x/y', false],
    ['{a,b}/c', 'b', true],
    ['{a,b}/c', 'c', false],
  ])('%s, in "%s": %s', (pattern, folder, may) => {
    expect(globs([pattern]).mayHold(folder)).toBe(may);
  });

  it('holds nothing for no pattern, and something for any of several', () => {
    expect([globs([]).mayHold(''), globs([]).matches('a')]).toEqual([false, false]);
    expect(globs(['a/b', 'c/d']).mayHold('c')).toBe(true);
  });
});

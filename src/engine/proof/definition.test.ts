import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { bareProject, writeIn } from '../../../test/support/bare-project.ts';
import { definitionOf, describeCheck, folderOfCheck } from './definition.ts';
import type { Check } from './types.ts';

const about = { name: 'test', run: 'npm test', timeout: 600, retries: 0, paths: null, cwd: null };
const check: Check = { ...about, from: 'project' };

it('a definition changes with all that is run or that its receipt is worth, not with the file it stands in', () => {
  const changes: Partial<Check>[] = [
    { name: 'other' },
    { run: 'npm  test' },
    { run: ['npm test'] },
    { timeout: 601 },
  ];
  const more: Partial<Check>[] = [{ retries: 1 }, { paths: [] }, { paths: ['src/**'] }, { cwd: 'a' }];
  const all = [{}, ...changes, ...more].map((change) => definitionOf({ ...check, ...change }));
  expect(new Set(all).size).toBe(9);
  expect(definitionOf({ ...check, from: 'user' })).toBe(all[0]);
  expect(all[0]).toMatch(/^[0-9a-f]{64}$/);
});

it.each<[Check['run'], string | null, string]>([
  ['  npm test ', null, 'npm test'],
  ['a | b && "c d"', null, 'a | b && "c d"'],
  [['a b', '', "it's"], null, "'a b' '' 'it'\\''s'"],
  ['npm test', 'packages/a b', "cd 'packages/a b' && npm test"],
  ['true\nrm -rf x', null, "sh -c $'true\\nrm -rf x'"],
  ['echo \u001b[2Jx', null, "sh -c $'echo \\u001b[2Jx'"],
  ["a\t'\\", null, "sh -c $'a\\t\\'\\\\'"],
  [['x\u202eb', '\u{e0041}'], null, "$'x\\u202eb' $'\\U000e0041'"],
  ['a\ufe0eb\ufe0f', null, "sh -c $'a\\ufe0eb\\ufe0f'"],
  ['npm\u00a0test\u3000x', null, "sh -c $'npm\\u00a0test\\u3000x'"],
  // Cyrillic in a Latin word, a word that only looks Latin, wide and mathematical letters; words that are their own.
  ['n\u0440m te\u0455t', null, "sh -c $'n\\u0440m te\\u0455t'"],
  [['\u0441\u043e\u0440\u0443', '\uff4e'], null, "$'\\u0441\\u043e\\u0440\\u0443' $'\\uff4e'"],
  ['cat тест/файл.js café 日本 ελληνικά', null, 'cat тест/файл.js café 日本 ελληνικά'],
  [`true${' '.repeat(3000)}; rm -rf x`, null, "sh -c $'true<3000 × blank>; rm -rf x'"],
  [`true${'\n'.repeat(20)}rm${'\u3000'.repeat(9)}x`, null, "sh -c $'true<20 × \\u000a>rm<9 × \\u3000>x'"],
  ['a        b', null, 'a        b'],
])('a command in words hides nothing: %j in %j', (run, cwd, expected) => {
  expect(describeCheck({ ...check, run, cwd })).toBe(expected);
});

it('a command in words means to a shell what is run', () => {
  const words = ["it's", 'a\nb', '\t\\', '\u202e\u{e0041}', '$HOME', '`x`', ''];
  const shown = describeCheck({ ...check, run: ['printf', '%s|', ...words] });
  const env = { LC_ALL: 'C.UTF-8', PATH: process.env.PATH ?? '' };
  expect(shown).not.toMatch(/[^\x20-\x7e]/);
  expect(execFileSync('bash', ['-c', shown], { encoding: 'utf8', env })).toBe(
    words.map((word) => `${word}|`).join(''),
  );
});

it('the folder of a check is the root or one inside it, and none where a link leads out', () => {
  const project = bareProject();
  writeIn(project, 'a/b/file', '');
  const at = (name: string): string => path.join(project.root, name);
  fs.symlinkSync(path.dirname(project.root), at('out'));
  fs.symlinkSync('a', at('in'));
  const folders = [null, 'a/b', 'in/b', 'c', 'a/b/file', 'out'].map((cwd) =>
    folderOfCheck({ ...check, cwd }, project.root),
  );
  expect(folders).toEqual([project.root, at('a/b'), at('a/b'), null, null, null]);
});

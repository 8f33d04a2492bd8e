import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { type TempProject, tempProject } from '../../../test/support/project.ts';
import { definitionOf, describeCheck, folderOfCheck } from './definition.ts';
import type { Check } from './types.ts';

const check: Check = {
  name: 'test',
  run: 'npm test',
  timeout: 600,
  retries: 0,
  paths: null,
  cwd: null,
  from: 'project',
};

describe('a definition', () => {
  test.each<Partial<Check>>([
    { name: 'other' },
    { run: 'npm  test' },
    { run: ['npm test'] },
    { run: ['npm', 'test'] },
    { timeout: 601 },
    { retries: 1 },
    { paths: [] },
    { paths: ['src/**'] },
    { cwd: 'a' },
  ])('changes with %j', (change) => {
    expect(definitionOf({ ...check, ...change })).not.toBe(definitionOf(check));
  });

  it('is the same in whichever file it stands', () => {
    expect(definitionOf({ ...check, from: 'user' })).toBe(definitionOf({ ...check }));
  });

  it('is a digest that nobody finds a second command for', () => {
    expect(definitionOf(check)).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('a command in words', () => {
  test.each<[Check['run'], string | null, string]>([
    ['npm test', null, 'npm test'],
    ['  npm test ', null, 'npm test'],
    ['a | b && "c d"', null, 'a | b && "c d"'],
    [['npx', 'tsc', '--noEmit'], null, 'npx tsc --noEmit'],
    [['a b', '', "it's"], null, "'a b' '' 'it'\\''s'"],
    ['npm test', 'packages/a b', "cd 'packages/a b' && npm test"],
    ['true\nrm -rf x', null, "sh -c $'true\\nrm -rf x'"],
    ['echo \u001b[2Jx', null, "sh -c $'echo \\u001b[2Jx'"],
    ['echo \u001b[8mhidden\u001b[0m', null, "sh -c $'echo \\u001b[8mhidden\\u001b[0m'"],
    ["a\t'\\", null, "sh -c $'a\\t\\'\\\\'"],
    [['x\u202eb', '\u{e0041}'], null, "$'x\\u202eb' $'\\U000e0041'"],
  ])('hides nothing: %j in %j', (run, cwd, expected) => {
    expect(describeCheck({ ...check, run, cwd })).toBe(expected);
  });

  it('means to a shell what is run', () => {
    const words = ["it's", 'a\nb', '\t\\', '\u202e\u{e0041}', '$HOME', '`x`', ''];
    const shown = describeCheck({ ...check, run: ['printf', '%s|', ...words] });
    const said = execFileSync('bash', ['-c', shown], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { LC_ALL: 'C.UTF-8', PATH: process.env.PATH ?? '' },
    });

    expect(shown).not.toMatch(/[^\x20-\x7e]/);
    expect(said).toBe(words.map((word) => `${word}|`).join(''));
  });
});

describe('the folder of a check', () => {
  let project: TempProject;
  beforeEach(() => {
    project = tempProject();
    project.write('a/b/file', '');
  });
  afterEach(() => project.remove());
  const folderOf = (cwd: string | null): string | null => folderOfCheck({ ...check, cwd }, project.root);

  it('is the root, or one inside it', () => {
    expect(folderOf(null)).toBe(project.root);
    expect(folderOf('a/b')).toBe(path.join(project.root, 'a/b'));
  });

  it('is none where there is none, or a file', () => {
    expect([folderOf('c'), folderOf('a/b/file'), folderOf('a/b/file/c')]).toEqual([null, null, null]);
  });

  it('is none where a link leads out', () => {
    fs.symlinkSync(project.home, path.join(project.root, 'out'));
    fs.symlinkSync('a', path.join(project.root, 'in'));

    expect(folderOf('out')).toBeNull();
    expect(folderOf('in/b')).toBe(path.join(project.root, 'a/b'));
  });
});

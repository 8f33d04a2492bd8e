// Patches of repositories that somebody filled for us, and of ones that a seed filled.

import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeChanges } from '../../src/engine/changes/make.ts';
import { gitIn, makeRepository } from '../proof/repository.ts';
// @ts-expect-error a build script, without types
import { seeded } from '../support/seeded.mjs';
import * as scenes from './changes-scenes.ts';

test.each(Object.entries(scenes))('%s', async (_, scene) => {
  expect(await scene(makeChanges)).toEqual([]);
});

const PIECES = [
  'a',
  'é',
  ' ',
  '\n',
  '\t',
  '"',
  '\\',
  "'",
  '-',
  '+',
  '@@ -1 +1 @@',
  'diff --git a/x b/x',
  '日',
  '%',
  '$(x)',
];

test.each([1, 2, 3, 4, 5, 6])('a patch makes of the beginning what is there now, seed %i', async (seed) => {
  const random = seeded(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const words = (most: number): string =>
    Array.from({ length: 1 + Math.floor(random() * most) }, () => pick(PIECES)).join('');
  const name = (): string => `n${words(3).replaceAll('/', '')}`;
  const repository = makeRepository();
  try {
    const names = Array.from({ length: 12 }, name);
    const fill = (): void => {
      for (const each of names) if (random() < 0.7) repository.write(each, random() < 0.1 ? '' : words(40));
    };
    repository.write('.holdfast/.gitignore', '*\n');
    fill();
    repository.git('add', '-A');
    repository.git('commit', '-qm', 'first');
    const base = repository.git('rev-parse', 'HEAD').trim();
    for (const each of names)
      if (random() < 0.3) fs.rmSync(path.join(repository.root, each), { force: true });
    fill();
    if (random() < 0.5) repository.git('add', '-A');
    if (random() < 0.5) repository.git('commit', '-qm', 'second', '--allow-empty');
    fill();
    const home = path.join(repository.root, '.holdfast');
    fs.mkdirSync(path.join(home, 'attempts/one'), { recursive: true });
    const made = await makeChanges(
      { root: repository.root, home, env: repository.env },
      { attempt: 'one', since: base, without: ['.holdfast'], whenAskedToEnd: () => {} },
    );
    const copy = path.join(repository.folder, 'copy');
    repository.git('worktree', 'add', '-q', copy, base);
    if (made?.file) gitIn(copy, repository.home, ['apply', '--whitespace=nowarn', made.file.path]);
    const treeOf = (folder: string): string => {
      gitIn(folder, repository.home, ['add', '-A']);
      return gitIn(folder, repository.home, ['write-tree']);
    };
    expect(treeOf(copy)).toBe(treeOf(repository.root));
  } finally {
    repository.end();
  }
});

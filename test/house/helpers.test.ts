// A worker of the fast and linux suites plays many files and loads a helper once: what a helper hangs on the end of a file
// at its own top is heard by the first of them alone, and the others leave their folders and processes behind.

import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { LONGEST } from '../support/longest-first.ts';

const root = path.resolve(import.meta.dirname, '../..');
/** Vitest runs the one before each file; the clients' suite has a worker for each. */
const LEFT_OUT = /^test\/(support\/end-of-file\.ts$|clients\/)/;

it('no helper has a hook of its own at its top: what it made goes by atTheEnd', () => {
  const helpers = ['src', 'test']
    .flatMap(list)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !LEFT_OUT.test(file));
  expect(helpers).toContain('test/toy/scene.ts');
  const hooked = helpers.filter((file) =>
    /^(?:after|before)(?:All|Each)\(/m.test(fs.readFileSync(path.join(root, file), 'utf8')),
  );
  expect(hooked).toEqual([]);
});

function list(folder: string): string[] {
  return fs
    .readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
}

it('no test replaces a module: the next file of its worker would have it, or this one would not', () => {
  const tests = ['src', 'test']
    .flatMap(list)
    .filter((file) => file.endsWith('.test.ts') && !LEFT_OUT.test(file));
  const replacing = tests.filter((file) =>
    /^\s*(?:await )?vi\.(?:mock|doMock)\(/m.test(fs.readFileSync(path.join(root, file), 'utf8')),
  );
  expect(replacing).toEqual([]);
});

it('the files that are begun first are there', () => {
  expect(LONGEST.filter((file) => !fs.existsSync(path.join(root, file)))).toEqual([]);
});

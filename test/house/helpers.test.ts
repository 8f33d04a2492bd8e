// A worker of the fast and linux suites plays many files and loads a helper once, and what a test draws by chance it draws
// again in every run: what every test file and helper keeps to.

import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { LONGEST } from '../support/longest-first.ts';

const root = path.resolve(import.meta.dirname, '../..');
/** Vitest runs the one before each file; the clients' suite has a worker for each. */
const LEFT_OUT = /^test\/(support\/end-of-file\.ts$|clients\/)/;

const read = (file: string): string => fs.readFileSync(path.join(root, file), 'utf8');
const files = ['src', 'test'].flatMap((folder) =>
  fs
    .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.includes('node_modules'))
    .map((file) => path.join(folder, file)),
);
const having = (pattern: RegExp, isTest: boolean): string[] =>
  files.filter(
    (file) => file.endsWith('.test.ts') === isTest && !LEFT_OUT.test(file) && pattern.test(read(file)),
  );

it('no helper has a hook of its own at its top, which its first file alone would hear: it goes by atTheEnd', () => {
  expect(files).toContain('test/toy/scene.ts');
  expect(having(/^(?:after|before)(?:All|Each)\(/m, false)).toEqual([]);
});

it('no test replaces a module: the next file of its worker would have it, or this one would not', () => {
  expect(having(/^\s*(?:await )?vi\.(?:mock|doMock)\(/m, true)).toEqual([]);
});

it('the files that are begun first are there', () => {
  expect(LONGEST.filter((file) => !fs.existsSync(path.join(root, file)))).toEqual([]);
});

/** Does it run properties, without a seed for them? It comes from `support/property.ts`, or from the suite's SEED. */
function isUnseeded(source: string): boolean {
  if (!/^import fc from 'fast-check';$/m.test(source)) return false;
  if (!/\bfc\.(?:assert|check|sample)\(/.test(source)) return false;
  return !/^import .*\bSEED\b.* from '\./m.test(source);
}

it('every property has a seed, and one without is found', () => {
  expect(files.filter((file) => isUnseeded(read(file)))).toEqual([]);
  const property = "import fc from 'fast-check';\nfc.assert(fc.property(fc.string(), () => true));\n";
  expect(isUnseeded(property)).toBe(true);
  expect(isUnseeded(`import { RUNS, SEED } from './broken.ts';\n${property}`)).toBe(false);
  expect(isUnseeded(property.replace("fc from 'fast-check'", "{ fc } from '../support/property.ts'"))).toBe(
    false,
  );
});

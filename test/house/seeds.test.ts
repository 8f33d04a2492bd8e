// What a test draws by chance it draws again in every run: fast-check comes from `support/property.ts`, which seeds it, or
// the file that runs a property takes its suite's SEED, which a variable can change.

import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const repository = path.resolve(import.meta.dirname, '../..');

/** Does it run properties, without a seed for them? */
function isUnseeded(source: string): boolean {
  if (!/^import fc from 'fast-check';$/m.test(source)) return false;
  if (!/\bfc\.(?:assert|check|sample)\(/.test(source)) return false;
  return !/^import .*\bSEED\b.* from '\./m.test(source);
}

const files = ['src', 'test'].flatMap((folder) =>
  fs
    .readdirSync(path.join(repository, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.includes('node_modules'))
    .map((file) => path.join(folder, file)),
);

it('every property has a seed', () => {
  const unseeded = files.filter((file) => isUnseeded(fs.readFileSync(path.join(repository, file), 'utf8')));
  expect(unseeded).toEqual([]);
});

it('one without a seed is found', () => {
  const property = "import fc from 'fast-check';\nfc.assert(fc.property(fc.string(), () => true));\n";
  expect(isUnseeded(property)).toBe(true);
  expect(isUnseeded(`import { RUNS, SEED } from './broken.ts';\n${property}`)).toBe(false);
  expect(isUnseeded(property.replace("fc from 'fast-check'", "{ fc } from '../support/property.ts'"))).toBe(
    false,
  );
});

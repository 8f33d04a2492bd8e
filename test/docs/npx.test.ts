// `npx holdfast` asks the registry for a package that is not published: it works in a clone alone, and each text that names
// it says so.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const repository = path.resolve(import.meta.dirname, '../..');

it('`npx holdfast` is said of a clone, in each file that says it', () => {
  const found = execFileSync(
    'git',
    ['grep', '-l', 'npx holdfast', '--', 'src', 'plugins', 'extensions', 'docs'],
    {
      cwd: repository,
      encoding: 'utf8',
    },
  );
  const files = found.split('\n').filter((file) => file !== '' && !/\.test\.ts$/.test(file));
  const unsaid = files.filter((file) => {
    const text = fs.readFileSync(path.join(repository, file), 'utf8');
    const endOfLine = text.indexOf('\n', text.indexOf('npx holdfast'));
    return !text.slice(0, endOfLine).includes('clone');
  });

  expect(files.length).toBeGreaterThan(3);
  expect(unsaid).toEqual([]);
});

// `npx holdfast` asks the registry for a package that is not published: it works in a clone alone, and each text that names
// it says so.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const repository = path.resolve(import.meta.dirname, '../..');

it('`npx holdfast` is said of a clone, wherever it is said', () => {
  const found = execFileSync(
    'git',
    ['grep', '-l', 'npx holdfast', '--', 'src', 'plugins', 'extensions', 'docs'],
    {
      cwd: repository,
      encoding: 'utf8',
    },
  );
  const files = found.split('\n').filter((file) => file !== '' && !/\.test\.ts$/.test(file));
  const unsaid = files.flatMap((file) => {
    const lines = fs.readFileSync(path.join(repository, file), 'utf8').split('\n');
    return lines.flatMap((line, at) => {
      const around = lines.slice(Math.max(0, at - 9), at + 1).join('\n');
      return line.includes('npx holdfast') && !around.includes('clone') ? [`${file}:${at + 1}`] : [];
    });
  });

  expect(files.length).toBeGreaterThan(3);
  expect(unsaid).toEqual([]);
});

import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { emptyFolder } from '../../test/support/bare-project.ts';
import { removeIfEmpty } from './remove-if-empty.ts';

it('a folder goes when nothing is in it, and stays while something is', () => {
  const root = emptyFolder();
  for (const folder of ['empty', 'full/sub']) fs.mkdirSync(path.join(root, folder), { recursive: true });
  for (const folder of ['empty', 'full', 'none']) removeIfEmpty(path.join(root, folder));
  expect(fs.readdirSync(root).sort()).toEqual(['.git', 'full']);
  expect(fs.readdirSync(path.join(root, 'full'))).toEqual(['sub']);
});

import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { emptyFolder } from '../../test/support/bare-project.ts';
import { Refused } from './files.ts';
import { refuseLinks } from './links.ts';

it('files, folders and what is not there yet are no links', () => {
  const root = emptyFolder();
  fs.writeFileSync(path.join(root, 'file'), '');
  expect(refuseLinks([root, path.join(root, 'file'), path.join(root, 'none/at/all')])).toBeUndefined();
  expect(refuseLinks([])).toBeUndefined();
});

it.each(['file', 'nowhere'])('a link to %s is refused with the command that removes it', (to) => {
  const root = emptyFolder();
  const link = path.join(root, 'my link');
  fs.writeFileSync(path.join(root, 'file'), '');
  fs.symlinkSync(to, link);
  const refuse = () => refuseLinks([path.join(root, 'file'), link]);
  expect(refuse).toThrow(Refused);
  expect(refuse).toThrow(
    `${link} is a link, and no reviewer is told to write through one; to fix it, run \`rm '${link}'\``,
  );
});

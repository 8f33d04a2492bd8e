import { expect, it } from 'vitest';
import { tempProject } from '../../../test/support/project.ts';
import { openDocket } from './keep.ts';

it('takes an empty docket for none, and one that is cut for a broken one', () => {
  const temp = tempProject();
  const place = { folder: temp.root, root: temp.root, shown: '.' };
  temp.write('docket.json', '\n');
  expect(openDocket(place, () => [])).toMatchObject({ text: null, broken: null, refused: null });
  temp.write('docket.json', '{"findings":[');
  expect(openDocket(place, () => [])).toMatchObject({ broken: { salvaged: 0, read: 0 } });
  temp.remove();
});

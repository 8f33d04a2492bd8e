import { describe, expect, it } from 'vitest';
import { projectIn } from '../../../../test/support/bare-project.ts';
import { refuseUnusable } from './usable-path.ts';

const refuse =
  (root: string, folder = '/plain') =>
  () =>
    refuseUnusable(projectIn(root), { root, path: folder, within: root, shared: true });
const CONTROL = 'has a line break or another control character in it';
const UNSEEN = 'has a character in it that is not seen or changes the direction of text';
const refusal = (what: string, folder: string, wrong: string) =>
  expect.objectContaining({
    name: 'NotNow',
    message: `claudex: the ${what}, ${folder}, ${wrong}, and no loop can be kept there. Rename the folder, and start again.`,
  });

describe('a path in which no loop can be kept', () => {
  it.each([
    ['/a\nb', '"/a\\nb"', CONTROL],
    ['/a\rb', '"/a\\rb"', CONTROL],
    ['/a\u0007b', '"/a\\u0007b"', CONTROL],
    ['/a\u007fb', '"/a\\u007fb"', CONTROL],
    ['/a\u0085\u0085b', '"/a\\u0085\\u0085b"', CONTROL],
    ['/a\u2028b', '"/a\\u2028b"', CONTROL],
    ['/a\u2029b', '"/a\\u2029b"', CONTROL],
    ['/a\u202eb', '"/a\\u202eb"', UNSEEN],
    ['/a\u200bb', '"/a\\u200bb"', UNSEEN],
  ])('is %j, of the project or of its loops', (folder, visible, wrong) => {
    expect(refuse(folder)).toThrow(refusal('path of this project', visible, wrong));
    expect(refuse('/plain', folder)).toThrow(refusal('folder CLAUDEX_STATE_DIR', visible, wrong));
  });

  it('is one of bytes that are no UTF-8', () => {
    expect(refuse('/nowhere/\uFFFD')).toThrow('has bytes in it that are no UTF-8');
  });

  it.each(['/a b/c', '/a\tb', "/it's/ä/計画"])('is not %j', (folder) => {
    expect(refuse(folder, folder)).not.toThrow();
    expect(refuse('/plain', folder)).not.toThrow();
  });
});

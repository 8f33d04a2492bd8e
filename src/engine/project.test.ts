import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { bareProject } from '../../test/support/bare-project.ts';
import { folderForNewRun, foldersWithRuns } from './project.ts';
import { refuseUnnamable } from './session-root.ts';

const traces = ['.toy', '.claude/claudex'];
let folder: string;
beforeEach(() => {
  folder = bareProject().root;
});
const at = (name: string): string => path.join(folder, name);
/** A name that ends in `:` is a file, one with `->` a link. */
function make(names: string): void {
  for (const name of ['home/user', ...names.split(' ')]) {
    const [from = '', to] = name.replace(/:$/, '').split('->');
    const place = at(name.endsWith(':') || to ? path.dirname(from) : from);
    fs.mkdirSync(place, { recursive: true });
    if (name.endsWith(':')) fs.writeFileSync(at(from), '');
    if (to) fs.symlinkSync(at(to), at(from));
  }
}
const inside = (place: string): string => path.relative(folder, place);

it.each<[string, string, string, string[], string?]>([
  [
    'from the start upward, nearest first',
    'p/.git p/.toy p/a/b/c p/a/b/.claude/claudex',
    'p/a/b/c',
    ['p/a/b', 'p'],
  ],
  ['not above the first folder with .git', '.toy p/.git p/a', 'p/a', []],
  [
    'not above a worktree, whose .git is a file',
    'p/.git p/.toy p/tree/a p/tree/.toy p/tree/.git:',
    'p/tree/a',
    ['p/tree'],
  ],
  [
    'from the physical place of a linked folder',
    'p/.git p/.toy p/a elsewhere/.toy elsewhere/link->p/a',
    'elsewhere/link',
    ['p'],
  ],
  ['nowhere from a folder that is not there', 'p/.git', 'missing', []],
  ['not by half of a trace', 'p/.git p/.claude', 'p', []],
  ['by a trace that is a file', 'p/.git p/.toy:', 'p', ['p']],
  [
    'below HOME alone',
    'home/user/.toy home/.toy .toy home/user/p/a home/user/p/.toy',
    'home/user/p/a',
    ['home/user/p'],
  ],
  [
    'below HOME alone, also where that is a repository',
    'home/user/.git home/user/.toy home/user/a',
    'home/user/a',
    [],
  ],
  ['in HOME for a client that was started there', 'home/user/.toy home/.toy', 'home/user', ['home/user']],
  ['above HOME for a client that was started there', 'home/user/.toy home/.toy', 'home', ['home']],
  [
    'below a HOME that is a link',
    'home/user/.toy home/user/a linked->home/user',
    'home/user/a',
    [],
    'linked',
  ],
  ['below HOME through a link', 'home/user/.toy home/user/a linked->home/user', 'linked/a', []],
  ['below a HOME with a slash at its end', 'home/user/.toy home/user/a', 'home/user/a', [], 'home/user/'],
  [
    'beside HOME, whatever begins alike',
    'home/user-two/.toy home/user-two/a home/us/.toy home/us/a',
    'home/us/a',
    ['home/us'],
  ],
  ['up to .git alone where HOME is unknown', 'p/.git p/.toy p/a', 'p/a', ['p'], ''],
  ['up to .git alone where HOME is gone', 'p/.git p/.toy p/a', 'p/a', ['p'], 'gone'],
])('folders with runs are looked for %s', (_, made, start, found, home = 'home/user') => {
  make(made);
  const HOME = home === '' ? undefined : `${folder}/${home}`;
  expect(foldersWithRuns(at(start), traces, { HOME }).map(inside)).toEqual(found);
});

it.each([
  ['the nearest folder that has runs', 'p/.git p/.toy p/a/.toy p/a/b', 'p/a/b', 'p/a'],
  ['the git top level where there are none', 'p/.git p/a/b', 'p/a/b', 'p'],
  [
    'where we are outside any repository, by its physical path',
    'home/user/p/a link->home/user/p/a',
    'link',
    'home/user/p/a',
  ],
  ['HOME only when we are there', 'home/user/.git', 'home/user', 'home/user'],
  ['not HOME when we are below it', 'home/user/.git home/user/a', 'home/user/a', 'home/user/a'],
])('a new run goes to %s', (_, made, start, found) => {
  make(made);
  expect(inside(folderForNewRun(at(start), traces, { HOME: at('home/user') }))).toBe(found);
});

it('a folder whose name is no UTF-8 is refused, and one that is really named so is not', () => {
  expect(() => refuseUnnamable(at('caf\uFFFD'))).toThrow(/no UTF-8/);
  make('caf\uFFFD');
  for (const name of ['caf\uFFFD', 'missing']) expect(() => refuseUnnamable(at(name))).not.toThrow();
});

// Which plans a project has, and what is read of one.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { emptyFolder } from '../../../test/support/bare-project.ts';
import { isMarkdown, listPlans, openPlan, readPlanFile, readStateFile } from './files.ts';

let root: string;
let plans: string;
beforeEach(() => {
  root = emptyFolder();
  plans = path.join(root, '.taskie/plans');
  fs.mkdirSync(plans, { recursive: true });
});
afterEach(() => vi.restoreAllMocks());

const at = (name: string): string => path.join(plans, name);
const put = (name: string, seconds = 1000, text = 'x'): string => {
  fs.mkdirSync(path.dirname(at(name)), { recursive: true });
  fs.writeFileSync(at(name), text);
  fs.utimesSync(at(name), seconds, seconds);
  return at(name);
};
const failing = (code: string): Error => Object.assign(new Error(code), { code });
/** What the system says of this path alone. */
const refuse = (file: string, code: string): void => {
  const { native } = fs.realpathSync;
  vi.spyOn(fs.realpathSync, 'native').mockImplementation(((place: string) => {
    if (place === file) throw failing(code);
    return native(place);
  }) as typeof native);
};

describe('the list of plans', () => {
  it('is empty where there is no folder of them', () => {
    expect(listPlans(root)).toEqual([]);
    expect(listPlans(path.join(root, 'none'))).toEqual([]);
  });

  it('has the one changed last first, by its markdown and its state alone', () => {
    put('old/plan.md', 1000);
    put('old/state.json', 1001);
    put('old/notes.txt', 9000);
    put('old/.hidden.md', 9000);
    put('newest/state.json', 3000);
    put('newest/plan.md', 500);
    put('middle/tasks.md', 2000);
    expect(listPlans(root)).toEqual(['newest', 'middle', 'old']);
  });

  it('has of two of the same time the later one of the alphabet first', () => {
    for (const name of ['b', 'c', 'a']) put(`${name}/plan.md`);
    expect(listPlans(root)).toEqual(['c', 'b', 'a']);
  });

  it('has names of any kind, whole, as their folders have them in NFC', () => {
    const names = [
      'v2.0 (draft)',
      'über'.normalize('NFD'),
      "it's “new”",
      '-rf',
      'x'.repeat(255),
      'ж'.repeat(127),
    ];
    for (const name of names) put(`${name}/plan.md`);
    for (const file of ['notes v1.txt', 'README.md']) put(file);
    expect(listPlans(root).sort()).toEqual(names.map((name) => name.normalize('NFC')).sort());
    for (const name of names) {
      expect(openPlan(root, name)).toMatchObject({ name, files: ['plan.md'] });
      expect(openPlan(root, name.normalize('NFC'))?.path).toBe(at(name));
    }
  });

  it('passes over what is no plan', () => {
    put('fine/plan.md');
    put('.my plan/plan.md');
    put('empty/notes.txt');
    put('file');
    fs.symlinkSync('round', at('round'));
    fs.symlinkSync('nowhere', at('gone'));
    expect(listPlans(root)).toEqual(['fine']);
  });

  it('follows a link within the project, and none out of it', () => {
    fs.mkdirSync(path.join(root, 'kept'));
    fs.writeFileSync(path.join(root, 'kept/plan.md'), 'x');
    const outside = path.join(path.dirname(root), 'outside');
    fs.mkdirSync(outside);
    fs.writeFileSync(path.join(outside, 'plan.md'), 'x');
    fs.symlinkSync(path.join(root, 'kept'), at('inner'));
    fs.symlinkSync(outside, at('outer'));
    expect(listPlans(root)).toEqual(['inner']);
    expect(openPlan(root, 'outer')).toBeNull();
    expect(openPlan(root, 'inner')?.path).toBe(path.join(root, 'kept'));
  });

  it('is not read at all while the system is short of something, but without a plan nobody may enter', () => {
    put('one/plan.md');
    put('two/plan.md');
    refuse(at('one'), 'EACCES');
    expect(listPlans(root)).toEqual(['two']);
    vi.restoreAllMocks();
    refuse(at('one'), 'EMFILE');
    expect(() => listPlans(root)).toThrow('EMFILE');
  });
});

describe('a plan that is opened', () => {
  it('has the names of its files, sorted, without its folders', () => {
    for (const name of ['tasks.md', 'plan.md', '.review-1.log', 'state.json']) put(`mine/${name}`);
    put('mine/notes/a.txt');
    expect(openPlan(root, 'mine')).toEqual({
      name: 'mine',
      path: at('mine'),
      files: ['.review-1.log', 'plan.md', 'state.json', 'tasks.md'],
      nested: false,
    });
  });

  it.each([
    ['notes/plan.md', true],
    ['notes/deep/er/plan.md', true],
    ['notes/.plan.md', false],
    ['notes/plan.txt', false],
    ['notes/plan.md/x.txt', false],
  ])('with %s in it has markdown in a folder below: %s', (name, nested) => {
    put('mine/plan.md');
    put(`mine/${name}`);
    expect(openPlan(root, 'mine')).toEqual({ name: 'mine', path: at('mine'), files: ['plan.md'], nested });
  });

  it('is searched for markdown beside a folder that cannot be read', () => {
    put('mine/closed/x.txt');
    put('mine/open/x.md');
    const read = fs.readdirSync;
    vi.spyOn(fs, 'readdirSync').mockImplementation(((folder: string, options: undefined) => {
      if (folder === at('mine/closed')) throw failing('EACCES');
      return read(folder, options);
    }) as typeof fs.readdirSync);
    expect(openPlan(root, 'mine')?.nested).toBe(true);
    fs.rmSync(at('mine/open/x.md'));
    expect(openPlan(root, 'mine')?.nested).toBe(false);
  });

  it.each([
    [4999, true],
    [5000, false],
  ])('is searched no further after five thousand entries: with %d it is %s', (count, nested) => {
    put('mine/late/plan.md');
    put('mine/many/x.txt');
    const read = fs.readdirSync;
    const [file] = read(at('mine/many'), { withFileTypes: true });
    vi.spyOn(fs, 'readdirSync').mockImplementation(((folder: string, options: { withFileTypes: true }) => {
      if (folder === at('mine/many')) return new Array(count).fill(file);
      // The folder that comes last is looked at first.
      return read(folder, options).sort((left, right) => (left.name < right.name ? -1 : 1));
    }) as never);
    expect(openPlan(root, 'mine')?.nested).toBe(nested);
  });

  it.each(['none', '.my plan', '../plans', ''])('is none where there is none: %j', (name) => {
    put('.my plan/plan.md');
    expect(openPlan(root, name)).toBeNull();
    expect(readStateFile(root, name)).toBeNull();
  });

  it('is none where a file is in its place', () => {
    put('mine');
    expect(openPlan(root, 'mine')).toBeNull();
  });
});

describe('a file of a plan', () => {
  const read = (name: string): string | null => {
    const folder = openPlan(root, 'mine');
    if (folder === null) throw new Error('there is no plan here');
    return readPlanFile(root, folder, name);
  };
  beforeEach(() => void put('mine/plan.md', 1000, 'The plan.\n'));

  it('is read as it is, and is none where it is not there', () => {
    expect([read('plan.md'), read('tasks.md')]).toEqual(['The plan.\n', null]);
    expect(readStateFile(root, 'mine')).toBeNull();
    put('mine/state.json', 1000, '{ }');
    expect([read('state.json'), readStateFile(root, 'mine')]).toEqual(['{ }', '{ }']);
  });

  it('counts as empty where it cannot be one', () => {
    fs.mkdirSync(at('mine/folder.md'));
    fs.writeFileSync(path.join(path.dirname(root), 'outside.md'), 'secret');
    fs.symlinkSync(path.join(path.dirname(root), 'outside.md'), at('mine/link.md'));
    expect([read('folder.md'), read('link.md')]).toEqual(['', '']);
  });

  it('counts as empty where it is larger than four megabytes', () => {
    put('mine/large.md');
    fs.truncateSync(at('mine/large.md'), 4 * 1024 * 1024);
    expect(read('large.md')).toHaveLength(4 * 1024 * 1024);
    fs.truncateSync(at('mine/large.md'), 4 * 1024 * 1024 + 1);
    expect(read('large.md')).toBe('');
  });

  it.each(['EACCES', 'EPERM', 'EMFILE', 'EIO'])('is never taken for empty on %s', (code) => {
    const { openSync } = fs;
    vi.spyOn(fs, 'openSync').mockImplementation((place, ...more) => {
      if (place === at('mine/plan.md')) throw failing(code);
      return openSync(place, ...more);
    });
    expect(() => read('plan.md')).toThrow(code);
  });
});

it.each([
  ['plan.md', true],
  ['.plan.md', false],
  ['plan.mdx', false],
  ['plan.MD', false],
  ['md', false],
  ['.md', false],
])('%s is markdown of a plan: %s', (name, is) => {
  expect(isMarkdown(name)).toBe(is);
});

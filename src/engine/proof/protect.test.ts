import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { bareProject, writeIn } from '../../../test/support/bare-project.ts';
import type { Project } from '../project.ts';
import { compareSeal, makeSeal, type Seal } from './protect.ts';

let project: Project;
beforeEach(() => {
  project = bareProject();
});
afterEach(() => vi.restoreAllMocks());

const PATHS = ['test/**', 'package.json'];
const MEGABYTE = 1024 * 1024;
const at = (file: string): string => path.join(project.root, file);
const write = (file: string, content = 'x'): string => writeIn(project, file, content);
const seal = (paths = PATHS): Promise<Seal> => makeSeal(project.root, {}, paths);
const names = async (paths?: string[]): Promise<string> =>
  (await seal(paths)).files.map(([file]) => file).join(' ');
/** `changed test/a +1`: one more test is skipped. */
const compare = async (sealed: Seal, paths = PATHS): Promise<string[]> =>
  (await compareSeal(project.root, {}, paths, sealed)).map(
    ({ file, how, skips }) => `${how} ${file}${skips ? ` +${skips}` : ''}`,
  );
const hash = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 32);
const failing = (name: 'openSync' | 'readdirSync', file: string, code: string): void => {
  const real = fs[name] as (...args: unknown[]) => unknown;
  vi.spyOn(fs, name).mockImplementation(((...args: unknown[]) => {
    if (args[0] === at(file)) throw Object.assign(new Error(code), { code });
    return real(...args);
  }) as never);
};

describe('a seal', () => {
  it('has the files that match and always our own config, as the disk has them', async () => {
    for (const file of ['test/a.ts', 'test/deep/.b', 'package.json', 'src/c.ts', 'holdfast.config.json'])
      write(file);
    write('.gitignore', 'test/\n');
    expect(await names()).toBe('holdfast.config.json package.json test/a.ts test/deep/.b');
    for (const pattern of ['test', './test', 'test/', '/test/'])
      expect(await names([pattern])).toBe('holdfast.config.json test/a.ts test/deep/.b');
    expect(await names([])).toBe('holdfast.config.json');
    fs.writeFileSync(path.join(path.dirname(project.root), 'secret'), 'x');
    expect(await names(['../**', '/etc/passwd', '../secret'])).toBe('holdfast.config.json');
  });

  it('leaves out what tools write, and names with a dot at the top, unless they are meant', async () => {
    const residue = [
      'node_modules',
      '__pycache__',
      '.pytest_cache',
      '.mypy_cache',
      '.ruff_cache',
      '.hypothesis',
    ];
    for (const name of residue) write(`test/${name}/a`);
    for (const file of ['.jwz/a', '.github/b', '.holdfast/c', '.git/d', 'x/f', '.g']) write(file);
    expect([await names(), await names(['**'])]).toEqual(['', 'x/f']);
    for (const name of residue) expect(await names([`test/${name}/**`])).toBe(`test/${name}/a`);
    expect([await names(['.github/**', '.g']), await names(['.holdfast/**', '.git/**'])]).toEqual([
      '.g .github/b',
      '',
    ]);
  });

  it('knows each file by its length and content, and a link by what it says, too', async () => {
    const long = 'long '.repeat(100_000);
    for (const [file, text] of [
      ['test/a', 'x'],
      ['test/empty', ''],
      ['test/long', long],
      ['src/b', 'linked'],
    ] as const)
      write(file, text);
    const links = {
      link: '../src/b',
      'link-out': '/etc/hostname',
      'link-to-folder': '../src',
      'link-to-nothing': 'nowhere',
    };
    for (const [name, target] of Object.entries(links)) fs.symlinkSync(target, at(`test/${name}`));
    execFileSync('mkfifo', [at('test/pipe')]);
    const sealed = await seal();
    expect(Object.fromEntries(sealed.files)).toEqual({
      'test/a': `1-${hash('x')}`,
      'test/empty': `0-${hash('')}`,
      'test/link': `link ${hash('../src/b')} 6-${hash('linked')}`,
      'test/link-out': `link ${hash('/etc/hostname')} elsewhere`,
      'test/link-to-folder': `link ${hash('../src')} unreadable`,
      'test/link-to-nothing': `link ${hash('nowhere')} elsewhere`,
      'test/long': `500000-${hash(long)}`,
      'test/pipe': 'no file',
    });
    expect([sealed.skips, sealed.cut, await compare(sealed)]).toEqual([{}, false, []]);
  });

  it('counts what a test of up to a megabyte skips, wherever that stands', async () => {
    const skipping = "it.skip('a');";
    // The mark lies across the parts in which a file is read.
    write('test/parts.test.ts', `${' '.repeat(256 * 1024 - 5)}${skipping}`);
    write('test/most.test.ts', skipping.padStart(MEGABYTE));
    write('test/more.test.ts', skipping.padStart(MEGABYTE + 1));
    write('test/notes.txt', skipping);
    write('test/b.test.ts', "it('a');");
    expect((await seal()).skips).toEqual({ 'test/most.test.ts': 1, 'test/parts.test.ts': 1 });
  });

  it('of more than 20,000 files is cut, and what came after the cut is not called added', async () => {
    fs.mkdirSync(at('test'));
    for (let number = 0; number < 20_001; number++)
      fs.writeFileSync(at(`test/f${String(number).padStart(6, '0')}`), '');
    const sealed = await seal();
    expect([sealed.files.length, sealed.cut, await compare(sealed)]).toEqual([20_000, true, []]);
    write('test/f000000a');
    expect(await compare(sealed)).toEqual(['added test/f000000a']);
    expect(await compare({ files: [], skips: {}, cut: true })).toEqual([]);
  });

  it.each([
    [499_999, false],
    [500_000, true],
  ])('is cut after so many names in its folders: %d, %s', async (before, cut) => {
    write('test/a');
    write('test/node_modules/b');
    const list = fs.readdirSync;
    vi.spyOn(fs, 'readdirSync').mockImplementation(((place: string, options: never) => {
      const found = list(place, options);
      return place === at('test')
        ? Array(before - 1)
            .fill(found[1])
            .concat(found[0])
        : found;
    }) as typeof fs.readdirSync);
    expect(await seal()).toMatchObject({ files: { length: cut ? 0 : 1 }, cut });
  });
});

describe('what is compared', () => {
  beforeEach(() => {
    write('test/a.test.ts', "it.skip('a'); it('b');");
    write('package.json', '{}');
  });
  const turn = (target: string): void => {
    fs.rmSync(at('test/link'), { force: true });
    fs.symlinkSync(target, at('test/link'));
  };

  it.each<[string, () => unknown, string[]]>([
    ['nothing, or only a time', () => fs.utimesSync(at('package.json'), 1, 1), []],
    ['what does not match', () => write('src/a.ts'), []],
    [
      'a file, another and a third',
      () => [write('package.json', '{1}'), write('test/new'), fs.rmSync(at('test/a.test.ts'))],
      ['changed package.json', 'removed test/a.test.ts', 'added test/new'],
    ],
    ['our own config', () => write('holdfast.config.json', '{}'), ['added holdfast.config.json']],
    [
      'a test of the same length',
      () => write('test/a.test.ts', "it.skip('a'); it('c');"),
      ['changed test/a.test.ts'],
    ],
    [
      'a test that skips more',
      () => write('test/a.test.ts', "it.skip('a'); it.only('b');"),
      ['changed test/a.test.ts +1'],
    ],
    ['a test that skips less', () => write('test/a.test.ts', "it('a');"), ['changed test/a.test.ts']],
    ['a new test that skips', () => write('test/z.test.ts', "it.skip('a');"), ['added test/z.test.ts +1']],
    [
      'a skipping test that is moved',
      () => fs.renameSync(at('test/a.test.ts'), at('test/z.test.ts')),
      ['removed test/a.test.ts', 'added test/z.test.ts'],
    ],
    ['a file named as a part of every object', () => write('test/__proto__', 'y'), ['added test/__proto__']],
    [
      'a link in the place of a file',
      () => [fs.rmSync(at('package.json')), fs.symlinkSync('/etc/hostname', at('package.json'))],
      ['changed package.json'],
    ],
    ['what a link inside leads to', () => write('one/a', 'y'), ['changed test/inside']],
    ['a link that is turned to another folder', () => turn('../two'), ['changed test/link']],
    [
      'a FIFO',
      () => [fs.rmSync(at('package.json')), execFileSync('mkfifo', [at('package.json')])],
      ['changed package.json'],
    ],
    [
      'what grew without end',
      () => fs.truncateSync(at('test/a.test.ts'), 200 * 1024 ** 3),
      ['changed test/a.test.ts'],
    ],
    [
      'a folder in the place of a file',
      () => [fs.rmSync(at('package.json')), write('package.json/a')],
      ['changed package.json', 'added package.json/a'],
    ],
  ])('is %s', async (_, act, expected) => {
    write('one/a');
    write('two/a');
    turn('../one');
    fs.symlinkSync('../one/a', at('test/inside'));
    const sealed = JSON.parse(JSON.stringify(await seal()));
    act();
    expect(await compare(sealed)).toEqual(expected);
  });

  it.each([
    [19_999, 1],
    [20_000, 0],
  ])('is not named beyond 20,000 files: of %d that are gone and two new ones %d', async (gone, added) => {
    const files = Array.from({ length: gone }, (_, index): [string, string] => [`test/${index}`, '1-x']);
    const changes = await compare({ files, skips: {}, cut: false });
    expect([changes.length, changes.filter((each) => each.startsWith('added')).length]).toEqual([
      20_000,
      added,
    ]);
  });
});

describe('a file that cannot be read, or changes while it is looked at', () => {
  beforeEach(() => {
    write('test/a');
    write('test/deep/b');
  });

  it.each(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP'])(
    'a folder for %s has nothing in it',
    async (code) => {
      failing('readdirSync', 'test/deep', code);
      expect(await names()).toBe('test/a');
    },
  );

  it.each(['EACCES', 'EPERM', 'ELOOP', 'EISDIR', 'ENXIO'])('for %s is sealed as such', async (code) => {
    const whole = await seal();
    failing('openSync', 'test/a', code);
    expect((await seal()).files[0]).toEqual(['test/a', 'unreadable']);
    expect(await compare(whole)).toEqual(['changed test/a']);
  });

  it('for another reason is an error', async () => {
    failing('openSync', 'test/a', 'EIO');
    await expect(seal()).rejects.toThrow('EIO');
    failing('readdirSync', 'test/deep', 'EIO');
    await expect(seal()).rejects.toThrow('EIO');
  });

  it('is neither sealed nor called added where it is gone, and does not keep us where it grows shorter', async () => {
    const list = fs.readdirSync;
    vi.spyOn(fs, 'readdirSync').mockImplementation(((place: string, options: never) => {
      const found = list(place, options);
      if (place === at('test')) fs.rmSync(at('test/a'), { force: true });
      return found;
    }) as typeof fs.readdirSync);
    const sealed = await seal();
    expect(sealed.files.map(([file]) => file)).toEqual(['test/deep/b']);
    write('test/a');
    expect(await compare(sealed)).toEqual([]);
    vi.restoreAllMocks();
    write('test/a', 'x'.repeat(600_000));
    const read = fs.readSync;
    vi.spyOn(fs, 'readSync').mockImplementation(((...args: Parameters<typeof fs.readSync>) => {
      fs.truncateSync(at('test/a'), 300_000);
      return read(...args);
    }) as typeof fs.readSync);
    expect((await seal()).files[0]).toEqual(['test/a', `600000-${hash('x'.repeat(300_000))}`]);
  });
});

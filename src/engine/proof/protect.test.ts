import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type TempProject, tempProject } from '../../../test/support/project.ts';
import { compareSeal, makeSeal, type ProtectedChange, type Seal } from './protect.ts';

let temp: TempProject;
beforeEach(() => {
  temp = tempProject();
});
afterEach(() => temp.remove());

const PATHS = ['test/**', 'package.json'];

const seal = (paths = PATHS): Promise<Seal> => makeSeal(temp.root, {}, paths);
const compare = (sealed: Seal, paths = PATHS): Promise<ProtectedChange[]> =>
  compareSeal(temp.root, {}, paths, sealed);
const names = ({ files }: Seal): string[] => files.map(([file]) => file);

/** Seals, does something, and says what is not as it was. */
async function changesAfter(act: () => void, paths = PATHS): Promise<ProtectedChange[]> {
  const sealed = await seal(paths);
  act();
  // As it comes back from a file.
  return compare(JSON.parse(JSON.stringify(sealed)), paths);
}

describe('a seal', () => {
  it('has the files that match, and always our own config', async () => {
    for (const file of ['test/a.ts', 'test/deep/.b', 'package.json', 'src/c.ts', 'holdfast.config.json'])
      temp.write(file, 'x');
    expect(names(await seal())).toEqual([
      'holdfast.config.json',
      'package.json',
      'test/a.ts',
      'test/deep/.b',
    ]);
    expect(names(await seal([]))).toEqual(['holdfast.config.json']);
  });

  it('takes a plain name for a file or a folder, with or without marks around it', async () => {
    temp.write('test/deep/a.ts', 'x');
    for (const pattern of ['test', './test', 'test/', '/test/'])
      expect(names(await seal([pattern]))).toEqual(['test/deep/a.ts']);
  });

  it('has files that git ignores', async () => {
    temp.write('.gitignore', 'test/\n');
    temp.write('test/conftest.py', 'x');
    expect(names(await seal())).toEqual(['test/conftest.py']);
  });

  it('leaves out what tools write, and names with a dot at the top, unless they are meant', async () => {
    for (const file of [
      '.jwz/a',
      '.github/b',
      '.holdfast/c',
      'node_modules/d',
      'x/__pycache__/e',
      'x/f',
      '.g',
    ])
      temp.write(file, 'x');
    expect(names(await seal(['**']))).toEqual(['x/f']);
    expect(names(await seal(['.github/**', '.g']))).toEqual(['.g', '.github/b']);
    expect(names(await seal(['node_modules/**']))).toEqual(['node_modules/d']);
    expect(names(await seal(['.holdfast/**', '.git/**']))).toEqual([]);
  });

  it('never leaves the root', async () => {
    fs.writeFileSync(path.join(temp.home, 'secret'), 'x');
    expect(names(await seal(['../**', '/etc/passwd', '../home/secret']))).toEqual([]);
  });

  it('counts only tests that skip something', async () => {
    temp.write('test/a.test.ts', "it.skip('a'); it.only('b');");
    temp.write('test/b.test.ts', "it('a');");
    expect((await seal()).skips).toEqual({ 'test/a.test.ts': 2 });
  });

  it('knows each file by its length and content, and a link by what it says, too', async () => {
    const hash = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 32);
    const at = (file: string): string => path.join(temp.root, file);
    const long = 'long '.repeat(100_000);
    temp.write('test/a', 'x');
    temp.write('test/empty', '');
    temp.write('test/long', long);
    temp.write('src/b', 'of the link');
    fs.symlinkSync('../src/b', at('test/link'));
    fs.symlinkSync('../src', at('test/link-to-folder'));
    fs.symlinkSync('nowhere', at('test/link-to-nothing'));
    fs.symlinkSync('/etc/hostname', at('test/link-out'));
    execFileSync('mkfifo', [at('test/pipe')]);
    expect(await seal()).toEqual({
      files: [
        ['test/a', `1-${hash('x')}`],
        ['test/empty', `0-${hash('')}`],
        ['test/link', `link ${hash('../src/b')} 11-${hash('of the link')}`],
        ['test/link-out', `link ${hash('/etc/hostname')} elsewhere`],
        ['test/link-to-folder', `link ${hash('../src')} unreadable`],
        ['test/link-to-nothing', `link ${hash('nowhere')} elsewhere`],
        ['test/long', `500000-${hash(long)}`],
        ['test/pipe', 'no file'],
      ],
      skips: {},
      cut: false,
    });
    expect(await compare(await seal())).toEqual([]);
  });

  it('counts what a test of up to a megabyte skips, wherever that stands', async () => {
    const skipping = "it.skip('a');";
    const most = 1024 * 1024;
    // The mark lies across the parts in which a file is read.
    temp.write('test/parts.test.ts', `${' '.repeat(256 * 1024 - 5)}${skipping}`);
    temp.write('test/most.test.ts', skipping.padStart(most));
    temp.write('test/more.test.ts', skipping.padStart(most + 1));
    temp.write('test/notes.txt', skipping);
    expect((await seal()).skips).toEqual({ 'test/most.test.ts': 1, 'test/parts.test.ts': 1 });
  });

  it.each([...['node_modules', '__pycache__', '.pytest_cache', '.mypy_cache', '.ruff_cache', '.hypothesis']])(
    'leaves out %s, unless a pattern names it',
    async (name) => {
      temp.write(`test/${name}/a`, 'x');
      expect(names(await seal(['test/**']))).toEqual([]);
      expect(names(await seal([`test/${name}/**`]))).toEqual([`test/${name}/a`]);
    },
  );

  it('of which nothing was kept calls nothing added', async () => {
    temp.write('test/a', 'x');
    expect(await compare({ files: [], skips: {}, cut: true })).toEqual([]);
    expect(await compare({ files: [], skips: {}, cut: false })).toEqual([
      { file: 'test/a', how: 'added', skips: 0 },
    ]);
  });

  it('of more than 20,000 files is cut, and what came after the cut is not called added', async () => {
    fs.mkdirSync(path.join(temp.root, 'test'));
    for (let number = 0; number < 20_010; number++)
      fs.writeFileSync(path.join(temp.root, 'test', `f${String(number).padStart(6, '0')}`), '');
    const sealed = await seal();
    expect(sealed.files).toHaveLength(20_000);
    expect(sealed.cut).toBe(true);
    expect(await compare(sealed)).toEqual([]);
    temp.write('test/f000000a', 'x');
    expect(await compare(sealed)).toEqual([{ file: 'test/f000000a', how: 'added', skips: 0 }]);
  });
});

describe('what is too much', () => {
  afterEach(() => vi.restoreAllMocks());

  it.each([
    [19_999, 20_000],
    [20_000, 20_000],
  ])('is not named: of %d files that are gone and a new one %d', async (gone, named) => {
    temp.write('test/new', 'x');
    const files = Array.from({ length: gone }, (_, index): [string, string] => [`test/${index}`, '1-x']);
    const changes = await compare({ files, skips: {}, cut: false });
    expect(changes).toHaveLength(named);
    expect(changes.some(({ how }) => how === 'added')).toBe(gone < named);
  });

  it.each([
    [499_999, false],
    [500_000, true],
  ])('is not looked through: after %d names in a folder the seal is cut: %s', async (before, cut) => {
    temp.write('test/a', 'x');
    temp.write('test/node_modules/b', 'x');
    const list = fs.readdirSync;
    vi.spyOn(fs, 'readdirSync').mockImplementation(((place: string, options: never) => {
      const found = list(place, options);
      if (place !== path.join(temp.root, 'test'))
        return found.filter((each) => String((each as unknown as fs.Dirent).name) === 'test');
      const [file, folder] = found;
      return Array(before - 1)
        .fill(folder)
        .concat(file);
    }) as typeof fs.readdirSync);
    expect(await seal()).toMatchObject({ files: cut ? [] : [['test/a', expect.any(String)]], cut });
  });
});

describe('what is compared', () => {
  beforeEach(() => {
    temp.write('test/a.test.ts', "it('a'); it('b');");
    temp.write('package.json', '{}');
    temp.write('holdfast.config.json', '{}');
  });

  it('is nothing when nothing was done, whatever git or the clock say', async () => {
    const changes = await changesAfter(() => {
      execFileSync('git', ['-C', temp.root, 'add', '.']);
      temp.write('src/a.ts', 'x');
      temp.write('test/a.test.ts', "it('a'); it('b');");
      fs.utimesSync(path.join(temp.root, 'package.json'), 1, 1);
    });
    expect(changes).toEqual([]);
  });

  it('is what was changed, removed and added', async () => {
    const changes = await changesAfter(() => {
      temp.write('test/a.test.ts', "it('a'); it('c');");
      temp.write('test/new.ts', 'x');
      temp.write('holdfast.config.json', '{"checks":{}}');
      fs.rmSync(path.join(temp.root, 'package.json'));
    });
    expect(changes).toEqual([
      { file: 'holdfast.config.json', how: 'changed', skips: 0 },
      { file: 'package.json', how: 'removed', skips: 0 },
      { file: 'test/a.test.ts', how: 'changed', skips: 0 },
      { file: 'test/new.ts', how: 'added', skips: 0 },
    ]);
  });

  it('names our own config when it was not there before', async () => {
    fs.rmSync(path.join(temp.root, 'holdfast.config.json'));
    expect(await changesAfter(() => temp.write('holdfast.config.json', '{}'), [])).toEqual([
      { file: 'holdfast.config.json', how: 'added', skips: 0 },
    ]);
  });

  it.each([
    ['one of the same length', "it('a'); xt('b');", 0],
    ['one that skips', "it.skip('a'); it('b');", 1],
    ['one that focuses and skips', "it.only('a'); it.skip('b');", 2],
  ])('is a test: %s', async (_, text, skips) => {
    expect(await changesAfter(() => temp.write('test/a.test.ts', text))).toEqual([
      { file: 'test/a.test.ts', how: 'changed', skips },
    ]);
  });

  it('does not call out what was skipped before', async () => {
    temp.write('test/a.test.ts', "it.skip('a'); it('b');");
    expect(await changesAfter(() => temp.write('test/a.test.ts', "it.skip('a');"))).toMatchObject([
      { skips: 0 },
    ]);
    expect(await changesAfter(() => temp.write('test/a.test.ts', "it('a');"))).toMatchObject([{ skips: 0 }]);
  });

  it('knows a skipping test again that was moved', async () => {
    temp.write('test/a.test.ts', "it.skip('a');");
    const move = (): void =>
      fs.renameSync(path.join(temp.root, 'test/a.test.ts'), path.join(temp.root, 'test/z.test.ts'));
    expect(await changesAfter(move)).toEqual([
      { file: 'test/a.test.ts', how: 'removed', skips: 0 },
      { file: 'test/z.test.ts', how: 'added', skips: 0 },
    ]);
  });

  it('calls out what a test skips more since it was moved', async () => {
    temp.write('test/a.test.ts', "it.skip('a');");
    const changes = await changesAfter(() => {
      fs.rmSync(path.join(temp.root, 'test/a.test.ts'));
      temp.write('test/z.test.ts', "it.skip('a'); it.skip('b');");
    });
    expect(changes).toEqual([
      { file: 'test/a.test.ts', how: 'removed', skips: 0 },
      { file: 'test/z.test.ts', how: 'added', skips: 2 },
    ]);
  });

  it('is a change far into a long file', async () => {
    const long = 'x'.repeat(600_000);
    temp.write('test/long', `${long}a`);
    expect(await changesAfter(() => temp.write('test/long', `${long}b`))).toEqual([
      { file: 'test/long', how: 'changed', skips: 0 },
    ]);
  });

  it('is a new test that skips', async () => {
    expect(await changesAfter(() => temp.write('test/z.test.ts', "it.skip('a');"))).toEqual([
      { file: 'test/z.test.ts', how: 'added', skips: 1 },
    ]);
  });

  it('is a file called as a part of every object', async () => {
    temp.write('test/__proto__', 'x');
    expect(await changesAfter(() => temp.write('test/__proto__', 'y'))).toEqual([
      { file: 'test/__proto__', how: 'changed', skips: 0 },
    ]);
  });

  it('is a link in the place of a file, one that was turned, and what one inside leads to', async () => {
    const at = (file: string): string => path.join(temp.root, file);
    temp.write('src/data', 'x');
    fs.symlinkSync('../src/data', at('test/inside'));
    fs.symlinkSync(temp.home, at('test/outside'));
    const changes = await changesAfter(() => {
      temp.write('src/data', 'y');
      fs.writeFileSync(path.join(temp.home, 'file'), 'not read');
      fs.rmSync(at('package.json'));
      fs.symlinkSync('/etc/hostname', at('package.json'));
    });
    expect(changes).toEqual([
      { file: 'package.json', how: 'changed', skips: 0 },
      { file: 'test/inside', how: 'changed', skips: 0 },
    ]);
    expect(
      await changesAfter(() => {
        fs.rmSync(at('test/outside'));
        fs.symlinkSync('/', at('test/outside'));
      }),
    ).toEqual([{ file: 'test/outside', how: 'changed', skips: 0 }]);
  });

  it('is a link to a folder that was turned to another', async () => {
    const at = (file: string): string => path.join(temp.root, file);
    temp.write('one/a', 'x');
    temp.write('two/a', 'x');
    fs.symlinkSync('../one', at('test/data'));
    const turn = (): void => {
      fs.rmSync(at('test/data'));
      fs.symlinkSync('../two', at('test/data'));
    };
    expect(await changesAfter(turn)).toEqual([{ file: 'test/data', how: 'changed', skips: 0 }]);
  });

  it('does not wait for a FIFO, nor read what grew without end', async () => {
    const changes = await changesAfter(() => {
      fs.rmSync(path.join(temp.root, 'package.json'));
      execFileSync('mkfifo', [path.join(temp.root, 'package.json')]);
      fs.truncateSync(path.join(temp.root, 'test/a.test.ts'), 200 * 1024 ** 3);
      fs.truncateSync(temp.write('test/new', ''), 200 * 1024 ** 3);
    });
    expect(changes).toEqual([
      { file: 'package.json', how: 'changed', skips: 0 },
      { file: 'test/a.test.ts', how: 'changed', skips: 0 },
      { file: 'test/new', how: 'added', skips: 0 },
    ]);
  });

  it('is a folder in the place of a file, and a file in the place of a folder', async () => {
    const changes = await changesAfter(() => {
      fs.rmSync(path.join(temp.root, 'package.json'));
      temp.write('package.json/a', 'x');
      fs.rmSync(path.join(temp.root, 'test'), { recursive: true });
      temp.write('test', 'x');
    });
    expect(changes).toEqual([
      { file: 'package.json', how: 'changed', skips: 0 },
      { file: 'package.json/a', how: 'added', skips: 0 },
      { file: 'test', how: 'added', skips: 0 },
      { file: 'test/a.test.ts', how: 'removed', skips: 0 },
    ]);
  });
});

describe('a file that somebody changes while it is looked at', () => {
  afterEach(() => vi.restoreAllMocks());
  const at = (file: string): string => path.join(temp.root, file);

  /** Right before this file is opened. */
  const beforeOpening = (file: string, act: () => void): void => {
    const open = fs.openSync;
    vi.spyOn(fs, 'openSync').mockImplementation((...args) => {
      if (args[0] === at(file)) act();
      return open(...args);
    });
  };
  /** Right after all were listed. */
  const afterListing = (act: () => void): void => {
    const list = fs.readdirSync;
    vi.spyOn(fs, 'readdirSync').mockImplementation(((place: string, options: never) => {
      const found = list(place, options);
      if (place === at('test')) act();
      return found;
    }) as typeof fs.readdirSync);
  };

  it('is not sealed, nor called added, where it is gone', async () => {
    temp.write('test/a', 'x');
    temp.write('test/b', 'x');
    afterListing(() => fs.rmSync(at('test/a'), { force: true }));
    const sealed = await seal();
    expect(names(sealed)).toEqual(['test/b']);
    temp.write('test/a', 'x');
    expect(await compare(sealed)).toEqual([]);
  });

  it('is sealed as no file where it goes at the last moment', async () => {
    temp.write('test/a', 'x');
    beforeOpening('test/a', () => fs.rmSync(at('test/a')));
    expect((await seal()).files).toEqual([['test/a', 'no file']]);
  });

  it('does not keep us where it grows shorter', async () => {
    temp.write('test/a', 'x'.repeat(600_000));
    const read = fs.readSync;
    vi.spyOn(fs, 'readSync').mockImplementation(((...args: Parameters<typeof fs.readSync>) => {
      fs.truncateSync(at('test/a'), 300_000);
      return read(...args);
    }) as typeof fs.readSync);
    const hash = createHash('sha256').update('x'.repeat(300_000)).digest('base64url').slice(0, 32);
    expect((await seal()).files).toEqual([['test/a', `600000-${hash}`]]);
  });
});

describe('a folder that cannot be listed', () => {
  const failAt = (name: string, code: string): void => {
    const list = fs.readdirSync;
    vi.spyOn(fs, 'readdirSync').mockImplementation(((place: string, options: never) => {
      if (place === path.join(temp.root, name)) throw Object.assign(new Error(code), { code });
      return list(place, options);
    }) as typeof fs.readdirSync);
  };
  beforeEach(() => {
    temp.write('test/a', 'x');
    temp.write('test/deep/b', 'x');
  });
  afterEach(() => vi.restoreAllMocks());

  it.each(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP'])('for %s has nothing in it', async (code) => {
    failAt('test/deep', code);
    expect(names(await seal())).toEqual(['test/a']);
  });

  it('for another reason is an error', async () => {
    failAt('test/deep', 'EIO');
    await expect(seal()).rejects.toThrow('EIO');
  });
});

describe('a file that cannot be read', () => {
  const failWith = (code: string): void => {
    const open = fs.openSync;
    vi.spyOn(fs, 'openSync').mockImplementation(((place: string, ...rest: never[]) => {
      if (place === path.join(temp.root, 'test/a')) throw Object.assign(new Error(code), { code });
      return (open as (...args: unknown[]) => number)(place, ...rest);
    }) as typeof fs.openSync);
  };
  beforeEach(() => temp.write('test/a', 'x'));
  afterEach(() => vi.restoreAllMocks());

  it.each(['EACCES', 'EPERM', 'ELOOP', 'EISDIR', 'ENXIO'])('for %s is sealed as such', async (code) => {
    const whole = await seal();
    failWith(code);
    expect((await seal()).files).toEqual([['test/a', 'unreadable']]);
    expect(await compare(whole)).toEqual([{ file: 'test/a', how: 'changed', skips: 0 }]);
  });

  it('for another reason is an error', async () => {
    failWith('EIO');
    await expect(seal()).rejects.toThrow('EIO');
  });
});

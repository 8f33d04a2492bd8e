// What counts as the content of a repository, in real ones.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { contentOf } from '../../src/engine/proof/content.ts';
import { gitIn, makeRepository, type Repository } from './repository.ts';

let repository: Repository;
beforeEach(() => {
  repository = makeRepository();
  repository.write('a.txt', 'one\n');
  repository.write('src/b.txt', 'two\n');
  repository.write('.gitignore', 'ignored\n');
  repository.git('add', '-A');
  repository.git('commit', '-qm', 'first');
});
afterEach(() => {
  vi.restoreAllMocks();
  repository.end();
});

const at = (file: string): string => path.join(repository.root, file);
const blob = (text: string): string =>
  createHash('sha1')
    .update(`blob ${Buffer.byteLength(text)}\0${text}`)
    .digest('hex');
const look = (root = repository.root, env = repository.env) =>
  contentOf(root, env, { without: ['.holdfast'] });
const ended = (child: ReturnType<typeof spawn>): Promise<unknown> =>
  new Promise((resolve) => child.once('exit', resolve));
async function isSeen(change: () => unknown): Promise<boolean> {
  const before = await repository.seen();
  await change();
  return (await repository.seen()) !== before;
}
/** A repository below this one; answers with its path. */
function nest(folder: string): string {
  fs.mkdirSync(at(folder), { recursive: true });
  gitIn(at(folder), repository.home, ['init', '-q']);
  return at(folder);
}

const sizes: [string, () => void][] = [
  ['small', () => {}],
  ['large', () => [repository.fill(), repository.git('add', '-A')]],
];

describe.each(sizes)('the content of a %s repository', (_, prepare) => {
  beforeEach(() => prepare());

  it('is the same before and after staging, committing, and a second look', async () => {
    repository.write('a.txt', 'changed\n');
    repository.write('new/run.sh', '#!/bin/sh\n');
    fs.chmodSync(at('new/run.sh'), 0o755);
    fs.symlinkSync('run.sh', at('new/link'));
    repository.remove('src/b.txt');
    const before = await repository.seen();
    expect(await repository.seen()).toBe(before);
    for (const args of [
      ['add', '-A'],
      ['commit', '-qm', 'second'],
      ['checkout', '-q', '-b', 'other'],
    ]) {
      repository.git(...args);
      expect(await repository.seen()).toBe(before);
    }
  });

  it('differs with every change of a file, and is the same again when it is undone', async () => {
    const before = await repository.seen();
    expect(await isSeen(() => repository.write('a.txt', 'two\n'))).toBe(true);
    repository.write('a.txt', 'one\n');
    expect(await repository.seen()).toBe(before);
    expect(await isSeen(() => fs.chmodSync(at('a.txt'), 0o755))).toBe(true);
    expect(await isSeen(() => fs.renameSync(at('a.txt'), at('b.txt')))).toBe(true);
    expect(await isSeen(() => fs.symlinkSync('b.txt', at('a.txt')))).toBe(true);
    expect(await isSeen(() => fs.rmSync(at('a.txt')))).toBe(true);
    expect(await isSeen(() => repository.write('x', ''))).toBe(true);
  });

  it('does not differ with what git ignores, nor with what is left out, staged or not', async () => {
    repository.write('.git/info/exclude', 'here\n');
    repository.write('../home/.gitconfig', '[core]\nexcludesFile = ~/my-ignores\n');
    repository.write('../home/my-ignores', 'mine\n');
    for (const name of ['ignored', 'here', 'mine', '.holdfast/journal'])
      expect(await isSeen(() => repository.write(name, 'x'))).toBe(false);
    repository.git('add', '-Af', '.holdfast');
    expect(await isSeen(() => repository.write('.holdfast/journal', 'y'))).toBe(false);
    expect(await isSeen(() => repository.write('.holdfast-other', 'x'))).toBe(true);
  });

  it('differs with a change that keeps size and time, whatever the config lets git believe', async () => {
    repository.age();
    for (const setting of ['core.trustctime', 'core.checkStat', 'core.fileMode'])
      repository.git('config', setting, setting === 'core.checkStat' ? 'minimal' : 'false');
    const { atime, mtime } = fs.statSync(at('a.txt'));
    // In a large repository git's word counts, and git knows the time of a change by the second.
    await new Promise((resolve) => setTimeout(resolve, 1100));
    const edit = () => [fs.writeFileSync(at('a.txt'), 'eno\n'), fs.utimesSync(at('a.txt'), atime, mtime)];
    expect(await isSeen(edit)).toBe(true);
    expect(await isSeen(() => fs.chmodSync(at('a.txt'), 0o700))).toBe(true);
    // And one in the same moment as it was staged.
    repository.write('a.txt', 'aaa\n');
    repository.git('add', 'a.txt');
    expect(await isSeen(() => repository.write('a.txt', 'bbb\n'))).toBe(true);
  });

  it('has what git was told not to look at, what is only going to be added, and a merge that is not done', async () => {
    repository.age();
    repository.git('update-index', '--assume-unchanged', 'a.txt');
    repository.git('update-index', '--skip-worktree', 'src/b.txt');
    expect(await isSeen(() => repository.write('a.txt', 'eno\n'))).toBe(true);
    expect(await isSeen(() => repository.write('src/b.txt', 'owt\n'))).toBe(true);
    repository.git('update-index', '--no-assume-unchanged', 'a.txt');
    repository.write('coming', 'one\n');
    expect(await isSeen(() => repository.git('add', '-N', 'coming'))).toBe(false);
    repository.git('commit', '-qam', 'more');
    repository.git('checkout', '-q', '-b', 'side');
    for (const branch of ['side', '-']) {
      if (branch === '-') repository.git('checkout', '-q', '-');
      repository.write('a.txt', `${branch}\n`);
      repository.git('commit', '-qam', branch);
    }
    expect(() => repository.git('merge', 'side')).toThrow();
    expect(await isSeen(() => repository.git('add', 'a.txt'))).toBe(false);
    expect(await isSeen(() => repository.write('a.txt', 'both\n'))).toBe(true);
  });

  it('has names with line ends, quotes and bytes that are no UTF-8', async () => {
    const odd = Buffer.concat([
      Buffer.from(`${repository.root}/`),
      Buffer.from([0x66, 0xff, 0xfe, 0x2e, 0x74]),
    ]);
    const names = [odd, Buffer.from(at('line\nend "quoted"\t.txt'))];
    for (const name of names) fs.writeFileSync(name, 'one');
    expect(await isSeen(() => repository.git('add', '-A'))).toBe(false);
    for (const name of names) expect(await isSeen(() => fs.writeFileSync(name, 'two'))).toBe(true);
  });

  it('is limited to patterns, with all that is below a folder', async () => {
    const below = [['src/**'], ['src'], ['src/'], ['./src/**/*.ts'], ['/src/**'], ['**/*.ts']];
    repository.write('src/deep/.hidden/c.ts', 'x');
    const first = await repository.content();
    repository.write('a.txt', 'changed\n');
    const second = await repository.content();
    for (const paths of [...below, ['b*']]) expect(second.of(paths), paths.join()).toBe(first.of(paths));
    expect(second.of(['a*'])).not.toBe(first.of(['a*']));
    repository.write('src/deep/.hidden/c.ts', 'y');
    const third = await repository.content();
    for (const paths of below) expect(third.of(paths), paths.join()).not.toBe(second.of(paths));
    expect(third.of(['a*', 'nothing/**'])).toBe(second.of(['a*', 'nothing/**']));
  });
});

describe('content', () => {
  it('names each file by the blob that git would make of it, also by SHA-256', async () => {
    repository.write('large', '');
    fs.truncateSync(at('large'), 300 * 1024 * 1024);
    const files = await repository.files();
    expect(Object.keys(files).sort()).toEqual(['.gitignore', 'a.txt', 'large', 'src/b.txt']);
    for (const [name, id] of Object.entries(files))
      expect(id, name).toBe(repository.git('hash-object', '--no-filters', name).trim());
    const other = makeRepository(['--object-format=sha256']);
    other.write('b', 'two');
    const before = await other.seen();
    expect((await other.files()).b).toBe(other.git('hash-object', 'b').trim());
    other.git('add', '-A');
    expect(await other.seen()).toBe(before);
    other.end();
  });

  it('opens no FIFO, no socket and no device', async () => {
    await ended(spawn('mkfifo', [at('fifo'), at('src/pipe')]));
    const server = net.createServer().listen(at('socket'));
    repository.remove('a.txt');
    expect(await isSeen(() => ended(spawn('mkfifo', [at('a.txt')])))).toBe(true);
    server.close();
  });

  it('is that of the whole repository, named from the project’s folder and by patterns from there', async () => {
    repository.write('src/deep/c.txt', 'c');
    repository.write('src/.holdfast/journal', 'ours');
    const before = await look(at('src'));
    repository.write('a.txt', 'changed\n');
    const after = await look(at('src'));
    const names = ['../.gitignore', '../a.txt', 'b.txt', 'deep/c.txt'];
    expect([...(after?.files() ?? [])].map(([file]) => file).sort()).toEqual(names);
    for (const paths of [null, ['../a.txt'], ['/../a.txt'], ['deep/../../a.txt']])
      expect(after?.of(paths)).not.toBe(before?.of(paths));
    for (const paths of [['**'], ['b.txt'], ['deep']]) expect(after?.of(paths)).toBe(before?.of(paths));
    repository.write('src/deep/c.txt', 'd');
    const last = await look(at('src'));
    for (const pattern of ['deep', 'deep/', '/deep', '//deep', './deep', 'deep/**'])
      expect(last?.of([pattern])).not.toBe(after?.of([pattern]));
  });

  it('is the same in a linked work tree', async () => {
    const tree = path.join(repository.folder, 'tree');
    repository.git('worktree', 'add', '-q', tree);
    const linked = await look(tree);
    expect(linked?.of(null)).toBe(await repository.seen());
    fs.writeFileSync(path.join(tree, 'a.txt'), 'changed\n');
    expect((await look(tree))?.of(null)).not.toBe(linked?.of(null));
  });

  it('is unknown without git, in a broken repository, and where nothing of ours can be written', async () => {
    expect(await look(repository.root, { ...repository.env, PATH: '/nowhere' })).toBeNull();
    expect(await look(repository.home)).toBeNull();
    const leftOver: unknown[] = [];
    const note = (error: unknown): number => leftOver.push(error);
    process.on('unhandledRejection', note);
    expect(await look(repository.root, { ...process.env, XDG_STATE_HOME: at('a.txt/state') })).toBeNull();
    await new Promise(setImmediate);
    process.off('unhandledRejection', note);
    expect(leftOver).toEqual([]);
    repository.git('update-index', '--split-index');
    expect(await look()).toBeNull();
    repository.git('update-index', '--no-split-index');
    repository.write('.git/index', 'DIRC nonsense');
    expect(await look()).toBeNull();
  });

  it.each([
    [Object.assign(new Error('EIO'), { syscall: 'lstat' }), null],
    [new Error('a mistake'), 'a mistake'],
  ])('is unknown where the disk fails, and our own mistakes are thrown: %s', async (error, thrown) => {
    const stat = fs.lstatSync;
    vi.spyOn(fs, 'lstatSync').mockImplementation(((place: Buffer | string, options: never) => {
      if (place.toString().endsWith('/a.txt')) throw error;
      return stat(place, options);
    }) as typeof fs.lstatSync);
    if (thrown === null) expect(await look()).toBeNull();
    else await expect(look()).rejects.toThrow(thrown);
  });

  // Beside .gitignore, a.txt, src/b.txt and what they are together.
  it.each<[string, number, number, boolean]>([
    ['2,000 files', 1997, 0, false],
    ['more than 2,000 files', 1998, 0, true],
    ['32 MB', 0, 32 * 1024 * 1024 - 16, false],
    ['more than 32 MB', 0, 32 * 1024 * 1024 - 15, true],
  ])('is by an index that somebody forged, or not, in %s', async (_, files, bytes, isBelieved) => {
    for (let count = 0; count < files; count++) repository.write(`many/${count}`, '');
    if (bytes > 0) {
      repository.write('large', '');
      fs.truncateSync(at('large'), bytes);
    }
    repository.write('a.txt', 'bad\n');
    repository.git('add', '-A');
    repository.age();
    const file = at('.git/index');
    const index = fs.readFileSync(file);
    const { atime, mtime } = fs.statSync(file);
    Buffer.from(blob('one\n'), 'hex').copy(index, index.indexOf(Buffer.from(blob('bad\n'), 'hex')));
    createHash('sha1')
      .update(index.subarray(0, -20))
      .digest()
      .copy(index, index.length - 20);
    fs.writeFileSync(file, index);
    fs.utimesSync(file, atime, mtime);
    expect((await repository.files())['a.txt']).toBe(blob(isBelieved ? 'one\n' : 'bad\n'));
  });
});

describe('repositories in the repository', () => {
  it('count with all their files, as submodules, checked out or not', async () => {
    const inner = nest('vendor/lib');
    repository.write('vendor/lib/x', 'x');
    gitIn(inner, repository.home, ['add', '-A']);
    gitIn(inner, repository.home, ['commit', '-qm', 'x']);
    repository.git('add', 'vendor/lib');
    repository.git('commit', '-qm', 'with a submodule');
    expect((await repository.files())['vendor/lib/x']).toBe(blob('x'));
    expect(await isSeen(() => repository.write('vendor/lib/x', 'y'))).toBe(true);
    // A commit there, and one here that takes it, change nothing.
    expect(await isSeen(() => gitIn(inner, repository.home, ['commit', '-qam', 'two']))).toBe(false);
    expect(await isSeen(() => repository.git('commit', '-qam', 'taken'))).toBe(false);
    repository.remove('vendor/lib');
    const own = async () =>
      Object.entries(await repository.files()).filter(([file]) => file.startsWith('vendor'));
    expect(await own()).toEqual([]);
    repository.write('vendor/lib/deep/er/x', 'y');
    repository.write('vendor/lib/deep/.git/config', 'git');
    fs.symlinkSync('hidden', at('vendor/lib/link'));
    expect(await own()).toEqual([
      ['vendor/lib/deep/er/x', blob('y')],
      ['vendor/lib/link', blob('hidden')],
    ]);
    const list = fs.readdirSync as (place: unknown, options: unknown) => unknown[];
    for (const [count, isKnown] of [
      [19_997, true],
      [19_998, false],
    ] as const) {
      // One name many times: as many files would take long.
      vi.spyOn(fs, 'readdirSync').mockImplementation(((place: unknown, options: unknown) => {
        const found = list(place, options);
        return String(place) === at('vendor/lib') ? [found[0], ...Array(count).fill(found[1])] : found;
      }) as typeof fs.readdirSync);
      expect((await look()) !== null).toBe(isKnown);
      vi.restoreAllMocks();
    }
    repository.remove('vendor/lib');
    fs.symlinkSync('../src', at('vendor/lib'));
    expect(await own()).toEqual([['vendor/lib', blob('../src')]]);
  });

  it.each([
    [8, true],
    [9, false],
  ])('that nobody added count %d deep: %s', async (depth, isSo) => {
    const place = Array.from({ length: depth }, () => 'in');
    for (let count = 1; count <= depth; count++) nest(place.slice(0, count).join('/'));
    repository.write(`${place.join('/')}/x`, 'x');
    const content = await look();
    const found = content && Object.fromEntries(content.files())[`${place.join('/')}/x`];
    expect(found).toBe(isSo ? blob('x') : null);
  });
});

describe('a hostile repository', () => {
  /** Everything in a config and in the work tree that makes git run a program. */
  function arm(root: string, home: string, mark: string): void {
    const program = path.join(path.dirname(mark), 'program');
    fs.writeFileSync(program, `#!/bin/sh\necho "$0 $*" >> '${mark}'\ncat\n`, { mode: 0o755 });
    const included = path.join(root, '.git/more');
    fs.writeFileSync(included, `[core]\n\tfsmonitor = ${program}\n`);
    const programs = 'core.fsmonitor core.editor core.pager core.sshCommand diff.external filter.evil.clean';
    const more = 'filter.evil.smudge filter.evil.process diff.evil.textconv diff.evil.command';
    for (const key of `${programs} ${more}`.split(' ')) gitIn(root, home, ['config', key, program]);
    const settings = {
      'filter.evil.required': 'true',
      'alias.ls-files': `!${program}`,
      'alias.diff-files': `!${program}`,
    };
    const files = {
      'core.hooksPath': '.git/hooks',
      'core.attributesFile': '.git/attributes',
      'include.path': '.git/more',
    };
    for (const [key, value] of Object.entries(settings)) gitIn(root, home, ['config', key, value]);
    for (const [key, file] of Object.entries(files))
      gitIn(root, home, ['config', key, path.join(root, file)]);
    for (const hook of ['post-index-change', 'fsmonitor-watchman', 'pre-commit', 'reference-transaction'])
      fs.copyFileSync(program, path.join(root, '.git/hooks', hook));
    for (const file of ['.gitattributes', '.git/info/attributes', '.git/attributes'])
      fs.writeFileSync(path.join(root, file), '* filter=evil diff=evil\n');
  }

  it('runs nothing, here and in what is nested in it', async () => {
    repository.fill();
    const inner = nest('inner');
    repository.write('inner/x', 'x');
    gitIn(inner, repository.home, ['add', '-A']);
    gitIn(inner, repository.home, ['commit', '-qm', 'x']);
    repository.git('add', '-A');
    const before = await repository.files();
    for (const root of [repository.root, inner]) arm(root, repository.home, repository.mark);
    // Racy: the same size and time as what was staged, so that git must compare contents, with filters.
    repository.write('a.txt', 'eno\n');
    const after = await repository.files();
    expect(fs.existsSync(repository.mark)).toBe(false);
    expect([after['a.txt'] === before['a.txt'], after['inner/x'] === before['inner/x']]).toEqual([
      false,
      true,
    ]);
    // The traps are armed: git itself walks into them, and may fail by it.
    try {
      repository.git('status');
    } catch {}
    expect(fs.existsSync(repository.mark)).toBe(true);
  });

  it('does not lead elsewhere, and brings no git of its own', async () => {
    repository.write('bin/git', `#!/bin/sh\ntouch '${repository.mark}'\nexec git "$@"\n`);
    fs.chmodSync(at('bin/git'), 0o755);
    const before = await repository.seen();
    repository.git('config', 'core.worktree', '/');
    expect(await repository.seen({ PATH: `${repository.root}/bin:bin:.:${process.env.PATH}` })).toBe(before);
    expect(fs.existsSync(repository.mark)).toBe(false);
  });
});

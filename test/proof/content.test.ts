// What counts as the content of a repository, in real ones.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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

afterEach(() => repository.end());

/** What `change` does is seen; once it is undone, nothing is. */
async function isSeen(change: () => unknown): Promise<boolean> {
  const before = await repository.seen();
  await change();
  return (await repository.seen()) !== before;
}

const sizes = [
  { size: 'small', prepare: () => {} },
  {
    size: 'large',
    prepare: () => {
      repository.fill();
      repository.git('add', '-A');
    },
  },
];

describe.each(sizes)('the content of a $size repository', ({ prepare }) => {
  beforeEach(() => prepare());

  it('is the same before and after staging, committing, and a second look', async () => {
    repository.write('a.txt', 'changed\n');
    repository.write('new/c.txt', 'new\n');
    repository.write('new/run.sh', '#!/bin/sh\n');
    fs.chmodSync(path.join(repository.root, 'new/run.sh'), 0o755);
    fs.symlinkSync('c.txt', path.join(repository.root, 'new/link'));
    repository.remove('src/b.txt');
    const before = await repository.seen();
    expect(await repository.seen()).toBe(before);
    repository.git('add', '-A');
    expect(await repository.seen()).toBe(before);
    repository.git('commit', '-qm', 'second');
    expect(await repository.seen()).toBe(before);
    repository.git('checkout', '-q', '-b', 'other');
    expect(await repository.seen()).toBe(before);
  });

  it('differs with an edit, and is the same again when the edit is undone', async () => {
    const before = await repository.seen();
    repository.write('a.txt', 'two\n');
    expect(await repository.seen()).not.toBe(before);
    repository.write('a.txt', 'one\n');
    expect(await repository.seen()).toBe(before);
  });

  it('differs when a file is made executable, becomes a link, is renamed, goes or comes', async () => {
    const file = path.join(repository.root, 'a.txt');
    expect(await isSeen(() => fs.chmodSync(file, 0o755))).toBe(true);
    expect(await isSeen(() => fs.renameSync(file, `${file}.txt`))).toBe(true);
    expect(await isSeen(() => fs.symlinkSync('a.txt.txt', file))).toBe(true);
    expect(await isSeen(() => fs.rmSync(file))).toBe(true);
    expect(await isSeen(() => repository.write('x', ''))).toBe(true);
  });

  it('does not differ with what git ignores', async () => {
    repository.write('.git/info/exclude', 'here\n');
    repository.write('../home/.gitconfig', '[core]\nexcludesFile = ~/my-ignores\n');
    repository.write('../home/my-ignores', 'mine\n');
    for (const name of ['ignored', 'here', 'mine'])
      expect(await isSeen(() => repository.write(name, 'x'))).toBe(false);
    expect(await isSeen(() => repository.write('other', 'x'))).toBe(true);
  });

  it('differs with a change of the same size in the same moment as it was staged', async () => {
    for (let tries = 0; tries < 5; tries++) {
      repository.write('a.txt', `${tries}aa\n`);
      repository.git('add', 'a.txt');
      const before = await repository.seen();
      repository.write('a.txt', `${tries}bb\n`);
      expect(await repository.seen()).not.toBe(before);
    }
  });

  it('differs with a change that keeps size and time, whatever the config lets git believe', async () => {
    repository.age();
    for (const setting of ['core.trustctime=false', 'core.checkStat=minimal', 'core.fileMode=false'])
      repository.git('config', ...(setting.split('=') as [string, string]));
    const file = path.join(repository.root, 'a.txt');
    const { atime, mtime } = fs.statSync(file);
    // In a large repository git's word counts, and git knows the time of a change by the second.
    await new Promise((resolve) => setTimeout(resolve, 1100));
    const edit = () => {
      fs.writeFileSync(file, 'eno\n');
      fs.utimesSync(file, atime, mtime);
    };
    expect(await isSeen(edit)).toBe(true);
    expect(await isSeen(() => fs.chmodSync(file, 0o700))).toBe(true);
  });

  it('has what git was told not to look at', async () => {
    repository.age();
    repository.git('update-index', '--assume-unchanged', 'a.txt');
    repository.git('update-index', '--skip-worktree', 'src/b.txt');
    expect(await isSeen(() => repository.write('a.txt', 'eno\n'))).toBe(true);
    expect(await isSeen(() => repository.write('src/b.txt', 'owt\n'))).toBe(true);
    expect(await isSeen(() => repository.remove('src/b.txt'))).toBe(true);
  });

  it('has files that are only going to be added, and those of a merge that is not done', async () => {
    repository.write('coming', 'one\n');
    const before = await repository.seen();
    repository.git('add', '-N', 'coming');
    expect(await repository.seen()).toBe(before);
    repository.git('add', '-A');
    repository.git('commit', '-qm', 'more');
    repository.git('checkout', '-q', '-b', 'side', 'HEAD');
    repository.write('a.txt', 'side\n');
    repository.git('commit', '-qam', 'side');
    repository.git('checkout', '-q', '-');
    repository.write('a.txt', 'main\n');
    repository.git('commit', '-qam', 'main');
    expect(() => repository.git('merge', 'side')).toThrow();
    const unmerged = await repository.seen();
    expect(await isSeen(() => repository.git('add', 'a.txt'))).toBe(false);
    repository.write('a.txt', 'both\n');
    expect(await repository.seen()).not.toBe(unmerged);
  });

  it('has names with line ends, quotes and bytes that are no UTF-8', async () => {
    const odd = Buffer.from([0x66, 0xff, 0xfe, 0x2e, 0x74]);
    const place = Buffer.concat([Buffer.from(`${repository.root}/`), odd]);
    fs.writeFileSync(place, 'one');
    repository.write('line\nend "quoted"\t.txt', 'one');
    const before = await repository.seen();
    repository.git('add', '-A');
    expect(await repository.seen()).toBe(before);
    expect(await isSeen(() => fs.writeFileSync(place, 'two'))).toBe(true);
    expect(await isSeen(() => repository.write('line\nend "quoted"\t.txt', 'two'))).toBe(true);
  });

  it('is asked for with none of git’s variables', async () => {
    const before = await repository.seen();
    const misleading = {
      GIT_DIR: '/nowhere',
      GIT_WORK_TREE: '/',
      GIT_INDEX_FILE: '/nowhere',
      GIT_OBJECT_DIRECTORY: '/nowhere',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.fsmonitor',
      GIT_CONFIG_VALUE_0: `touch '${repository.mark}'; false`,
      GIT_CONFIG_PARAMETERS: `'core.fsmonitor=touch ${repository.mark}'`,
      GIT_EXEC_PATH: '/nowhere',
      GIT_TRACE: repository.mark,
    };
    expect(await repository.seen(misleading)).toBe(before);
    expect(fs.existsSync(repository.mark)).toBe(false);
  });

  it('is limited to patterns, with all that is below a folder', async () => {
    repository.write('src/deep/.hidden/c.ts', 'x');
    const before = await repository.content();
    repository.write('a.txt', 'changed\n');
    const other = await repository.content();
    for (const paths of [['src/**'], ['src'], ['src/'], ['./src/**/*.ts'], ['/src/**'], ['**/*.ts'], ['b*']])
      expect(other.of(paths), paths.join()).toBe(before.of(paths));
    repository.write('src/deep/.hidden/c.ts', 'y');
    const third = await repository.content();
    for (const paths of [['src/**'], ['src'], ['src/'], ['./src/**/*.ts'], ['/src/**'], ['**/*.ts']])
      expect(third.of(paths), paths.join()).not.toBe(other.of(paths));
    expect(third.of(['a*', 'nothing/**'])).toBe(other.of(['a*', 'nothing/**']));
    expect(third.of(['a*'])).not.toBe(before.of(['a*']));
  });

  it('leaves out what does not count, staged or not', async () => {
    repository.write('.holdfast/journal', 'x');
    repository.write('.holdfast-other', 'x');
    repository.git('add', '-Af');
    repository.write('.holdfast/new', 'x');
    const before = await repository.seen();
    repository.write('.holdfast/journal', 'y');
    repository.remove('.holdfast/new');
    expect(await repository.seen()).toBe(before);
    expect(await isSeen(() => repository.write('.holdfast-other', 'y'))).toBe(true);
    expect(Object.keys(await repository.files()).filter((file) => file.startsWith('.holdfast/'))).toEqual([]);
  });
});

describe('content', () => {
  it('names each file by the blob that git would make of it', async () => {
    repository.write('a.txt', 'changed\n');
    repository.write('large', Buffer.alloc(3 * 1024 * 1024 + 17, 'x'));
    fs.truncateSync(path.join(repository.root, 'large'), 300 * 1024 * 1024);
    repository.write('empty', '');
    const files = await repository.files();
    for (const name of ['a.txt', 'src/b.txt', 'large', 'empty'])
      expect(files[name], name).toBe(repository.git('hash-object', '--no-filters', name).trim());
  });

  it('does not depend on an index that somebody wrote by hand, where there are few files', async () => {
    const before = await repository.seen();
    const old = repository.git('hash-object', 'a.txt').trim();
    repository.write('a.txt', 'bad\n');
    repository.git('add', 'a.txt');
    repository.age();
    const fresh = repository.git('hash-object', 'a.txt').trim();
    forgeIndex(path.join(repository.root, '.git/index'), fresh, old);
    expect(repository.git('status', '--porcelain')).toBe('');
    expect(await repository.seen()).not.toBe(before);
  });

  it('is known in a repository that names its objects by SHA-256', async () => {
    const other = makeRepository(['--object-format=sha256']);
    try {
      other.write('a', 'one');
      other.git('add', '-A');
      other.write('b', 'two');
      const files = await other.files();
      expect(files.b).toBe(other.git('hash-object', 'b').trim());
      expect(files.b).toHaveLength(64);
      const before = await other.seen();
      other.git('add', '-A');
      expect(await other.seen()).toBe(before);
    } finally {
      other.end();
    }
  });

  it('opens no FIFO, no socket and no device', async () => {
    const fifo = path.join(repository.root, 'fifo');
    await ended(spawn('mkfifo', [fifo, path.join(repository.root, 'src/pipe')]));
    const server = net.createServer().listen(path.join(repository.root, 'socket'));
    try {
      const before = await repository.seen();
      repository.remove('a.txt');
      await ended(spawn('mkfifo', [path.join(repository.root, 'a.txt')]));
      expect(await repository.seen()).not.toBe(before);
    } finally {
      server.close();
    }
  });

  it('is known while files come and go', async () => {
    let stopped = false;
    const busy = (async () => {
      for (let count = 0; !stopped; count++) {
        for (let each = 0; each < 20; each++) repository.write(`coming/${each}/${count % 3}`, `${count}`);
        await new Promise(setImmediate);
        fs.rmSync(path.join(repository.root, 'coming'), { recursive: true, force: true });
        await new Promise(setImmediate);
      }
    })();
    for (let count = 0; count < 10; count++) expect(await repository.seen()).toHaveLength(64);
    stopped = true;
    await busy;
  });

  it('is that of the whole repository when the project is one folder of it', async () => {
    const root = path.join(repository.root, 'src');
    const look = () => contentOf(root, repository.env, { without: ['mine'] });
    const before = await look();
    repository.write('a.txt', 'changed\n');
    const other = await look();
    expect(other?.of(null)).not.toBe(before?.of(null));
    expect(other?.of(['**'])).toBe(before?.of(['**']));
    expect(other?.of(['../a.txt'])).not.toBe(before?.of(['../a.txt']));
    expect([...(other?.files() ?? [])].map(([file]) => file).sort()).toEqual([
      '../.gitignore',
      '../a.txt',
      'b.txt',
    ]);
    repository.write('src/mine/x', 'x');
    expect((await look())?.of(null)).toBe(other?.of(null));
    repository.write('mine/x', 'x');
    expect((await look())?.of(null)).not.toBe(other?.of(null));
  });

  it('is the same in a linked work tree', async () => {
    const tree = path.join(repository.folder, 'tree');
    repository.git('worktree', 'add', '-q', tree);
    const linked = await contentOf(tree, repository.env, { without: [] });
    expect(linked?.of(null)).toBe(await repository.seen());
    fs.writeFileSync(path.join(tree, 'a.txt'), 'changed\n');
    expect((await contentOf(tree, repository.env, { without: [] }))?.of(null)).not.toBe(linked?.of(null));
  });

  it('is known before anything was ever staged', async () => {
    const empty = makeRepository();
    try {
      const before = await empty.seen();
      empty.write('a', 'x');
      expect(await empty.seen()).not.toBe(before);
    } finally {
      empty.end();
    }
  });

  it('is unknown without git, in a broken repository, and with an index in two parts', async () => {
    const nothing = { ...repository.env, PATH: '/nowhere' };
    expect(await contentOf(repository.root, nothing, { without: [] })).toBeNull();
    expect(await contentOf(repository.home, repository.env, { without: [] })).toBeNull();
    repository.git('update-index', '--split-index');
    expect(await contentOf(repository.root, repository.env, { without: [] })).toBeNull();
    repository.git('update-index', '--no-split-index');
    for (const file of fs.readdirSync(path.join(repository.root, '.git')))
      if (file.startsWith('sharedindex.')) repository.remove(`.git/${file}`);
    expect(await repository.seen()).toHaveLength(64);
    repository.write('.git/index', 'DIRC nonsense');
    expect(await contentOf(repository.root, repository.env, { without: [] })).toBeNull();
    repository.remove('.git/HEAD');
    expect(await contentOf(repository.root, repository.env, { without: [] })).toBeNull();
  });
});

describe("without a state folder that can be written, as in a client's sandbox", () => {
  it('nobody can tell, and no failure is left over', async () => {
    const leftOver: unknown[] = [];
    const note = (error: unknown): number => leftOver.push(error);
    process.on('unhandledRejection', note);
    const env = { ...process.env, XDG_STATE_HOME: path.join(repository.root, 'a.txt/state') };
    expect(await contentOf(repository.root, env, { without: [] })).toBe(null);
    await new Promise(setImmediate);
    process.off('unhandledRejection', note);
    expect(leftOver).toEqual([]);
  });
});

describe('repositories in the repository', () => {
  it('count with all their files, as submodules', async () => {
    const library = makeRepository();
    try {
      library.write('lib.txt', 'one\n');
      library.git('add', '-A');
      library.git('commit', '-qm', 'lib');
      repository.git('submodule', '--quiet', 'add', library.root, 'vendor/lib');
      repository.git('commit', '-qm', 'with a submodule');
      const before = await repository.seen();
      repository.write('vendor/lib/lib.txt', 'two\n');
      const changed = await repository.content();
      expect(changed.of(null)).not.toBe(before);
      expect(Object.keys(await repository.files())).toContain('vendor/lib/lib.txt');
      // A commit there, and one here that takes it, change nothing.
      gitIn(path.join(repository.root, 'vendor/lib'), repository.home, ['commit', '-qam', 'two']);
      expect(await repository.seen()).toBe(changed.of(null));
      repository.git('commit', '-qam', 'taken');
      expect(await repository.seen()).toBe(changed.of(null));
      expect((await repository.content()).of(['vendor/**'])).toBe(changed.of(['vendor/**']));
      expect(await isSeen(() => repository.write('vendor/lib/new', 'x'))).toBe(true);
      // Not checked out, but with something in its folder: git looks away.
      repository.git('submodule', '--quiet', 'deinit', '-f', 'vendor/lib');
      expect(await isSeen(() => repository.write('vendor/lib/hidden', 'x'))).toBe(true);
      expect(await isSeen(() => repository.write('vendor/lib/hidden', 'y'))).toBe(true);
    } finally {
      library.end();
    }
  });

  it('count with all their files, as folders that nobody added', async () => {
    fs.mkdirSync(path.join(repository.root, 'inner'));
    gitIn(path.join(repository.root, 'inner'), repository.home, ['init', '-q']);
    expect(await isSeen(() => repository.write('inner/x', 'x'))).toBe(true);
    expect(await isSeen(() => repository.write('inner/x', 'y'))).toBe(true);
    expect(Object.keys(await repository.files())).toContain('inner/x');
  });

  it('are bounded', async () => {
    let place = repository.root;
    for (let depth = 0; depth < 12; depth++) {
      place = path.join(place, 'inner');
      fs.mkdirSync(place);
      gitIn(place, repository.home, ['init', '-q']);
      fs.writeFileSync(path.join(place, 'x'), 'x');
    }
    expect(await contentOf(repository.root, repository.env, { without: [] })).toBeNull();
  });
});

describe('a hostile repository', () => {
  /** Everything in a config and in the work tree that makes git run a program. */
  function arm(root: string, home: string, mark: string): void {
    const program = path.join(path.dirname(mark), 'program');
    fs.writeFileSync(program, `#!/bin/sh\necho "$0 $*" >> '${mark}'\ncat\n`, { mode: 0o755 });
    const included = path.join(root, '.git/more');
    fs.writeFileSync(included, `[core]\n\tfsmonitor = ${program}\n`);
    const settings: [string, string][] = [
      ...['core.fsmonitor', 'core.editor', 'core.pager', 'core.sshCommand', 'diff.external'].map(
        (key): [string, string] => [key, program],
      ),
      ...['clean', 'smudge', 'process'].map((kind): [string, string] => [`filter.evil.${kind}`, program]),
      ['filter.evil.required', 'true'],
      ['diff.evil.textconv', program],
      ['diff.evil.command', program],
      ['alias.ls-files', `!${program}`],
      ['alias.diff-files', `!${program}`],
      ['core.hooksPath', path.join(root, '.git/hooks')],
      ['core.attributesFile', path.join(root, '.git/attributes')],
      ['include.path', included],
      ['includeIf.gitdir:/.path', included],
      ['status.submoduleSummary', 'true'],
    ];
    for (const [key, value] of settings) gitIn(root, home, ['config', key, value]);
    for (const hook of ['post-index-change', 'fsmonitor-watchman', 'pre-commit', 'reference-transaction'])
      fs.copyFileSync(program, path.join(root, '.git/hooks', hook));
    for (const file of ['.gitattributes', '.git/info/attributes', '.git/attributes'])
      fs.writeFileSync(path.join(root, file), '* filter=evil diff=evil\n');
  }

  it('runs nothing, here and in what is nested in it', async () => {
    repository.fill();
    repository.git('add', '-A');
    const inner = path.join(repository.root, 'inner');
    fs.mkdirSync(inner);
    gitIn(inner, repository.home, ['init', '-q']);
    fs.writeFileSync(path.join(inner, 'x'), 'x');
    gitIn(inner, repository.home, ['add', '-A']);
    gitIn(inner, repository.home, ['commit', '-qm', 'x']);
    repository.git('add', 'inner');
    const before = await repository.files();
    arm(repository.root, repository.home, repository.mark);
    arm(inner, repository.home, repository.mark);
    // Racy: the same size and time as what was staged, so that git must compare contents, with filters.
    repository.write('a.txt', 'eno\n');
    const after = await repository.files();
    expect(fs.existsSync(repository.mark)).toBe(false);
    expect(after['a.txt']).not.toBe(before['a.txt']);
    expect(after['inner/x']).toBe(before['inner/x']);
    // The traps are armed: git itself walks into them.
    try {
      repository.git('status');
    } catch {
      // As may be.
    }
    expect(fs.existsSync(repository.mark)).toBe(true);
  });

  it('does not lead elsewhere', async () => {
    const before = await repository.seen();
    repository.git('config', 'core.worktree', '/');
    expect(await repository.seen()).toBe(before);
  });

  it('does not bring a git of its own', async () => {
    const program = `#!/bin/sh\ntouch '${repository.mark}'\nexec git "$@"\n`;
    repository.write('bin/git', program);
    fs.chmodSync(path.join(repository.root, 'bin/git'), 0o755);
    const before = await repository.seen();
    const led = { PATH: `${repository.root}/bin:bin:.:${process.env.PATH}` };
    expect(await repository.seen(led)).toBe(before);
    expect(fs.existsSync(repository.mark)).toBe(false);
  });
});

/** As whoever may write it could: other ids under the right times, and the right sum at its end. */
function forgeIndex(file: string, from: string, to: string): void {
  const index = fs.readFileSync(file);
  const at = index.indexOf(Buffer.from(from, 'hex'));
  expect(at).toBeGreaterThan(0);
  Buffer.from(to, 'hex').copy(index, at);
  const body = index.subarray(0, -20);
  createHash('sha1').update(body).digest().copy(index, body.length);
  const { atime, mtime } = fs.statSync(file);
  fs.writeFileSync(file, index);
  fs.utimesSync(file, atime, mtime);
}

const ended = (child: ReturnType<typeof spawn>): Promise<unknown> =>
  new Promise((resolve) => child.once('exit', resolve));

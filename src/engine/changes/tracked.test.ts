import { describe, expect, it } from 'vitest';
import type { Git, GitOptions } from '../proof/git.ts';
import type { GitFolders } from '../proof/git-folders.ts';
import { ask, trackedChanges } from './tracked.ts';

const folders: GitFolders = {
  ...{ own: '/own', common: '/common', hash: 'sha1' },
  ...{ ignoreCase: false, precomposeUnicode: false, split: false },
};
const { signal } = new AbortController();

type Call = { args: readonly string[]; top: string; folders: GitFolders; options: GitOptions | undefined };

/** A git that says this when it is asked for the counts and for the patch, and notes how it was asked. */
function gitThat(counted: string | null, patch: string | null = '') {
  const calls: Call[] = [];
  const git: Git = async (args, top, given, options) => {
    calls.push({ args, top, folders: given, options });
    const said = args.includes('--numstat') ? counted : patch;
    return said === null ? null : Buffer.from(said, 'latin1');
  };
  return { calls, git };
}

const changes = ({ git }: { git: Git }, without: readonly string[] = []) =>
  trackedChanges({ git, top: '/top', folders, signal, without }, 'abc', 1000);

describe('what differs from a commit', () => {
  it('is asked of git so that nothing of the repository is run', async () => {
    const asked = gitThat('', '');
    await changes(asked, ['.holdfast', 'sub/[x]']);
    const diff = [
      ...['-c', 'core.quotePath=false', '-c', 'core.bigFileThreshold=16m', 'diff-index', '--no-color'],
      ...['--no-ext-diff', '--no-textconv', '--no-renames', '--ignore-submodules=dirty'],
      ...['--submodule=short', '--src-prefix=a/', '--dst-prefix=b/'],
    ];
    const patterns = ['--', ':(top,exclude,literal).holdfast', ':(top,exclude,literal)sub/[x]'];
    const here = { top: '/top', folders };
    expect(asked.calls).toEqual([
      {
        ...here,
        args: [...diff, '--numstat', '-z', 'abc', ...patterns],
        options: { signal, patterns: true },
      },
      {
        ...{ ...here, args: [...diff, '--patch', 'abc', ...patterns] },
        options: { signal, patterns: true, mostBytes: 1000 },
      },
    ]);
  });

  it('is one line for each file, and the patch as git wrote it', async () => {
    const counted = '12\t3\ta.txt\0-\t-\tb.bin\x000\t1\tsub/with blank\0';
    expect(await changes(gitThat(counted, 'the patch'))).toEqual({
      files: [
        { name: 'a.txt', how: '+12 -3' },
        { name: 'b.bin', how: 'binary, or marked so: not in the patch' },
        { name: 'sub/with blank', how: '+0 -1' },
      ],
      patch: Buffer.from('the patch'),
    });
  });

  it('keeps a name on its line, whatever it has in it', async () => {
    const counted = '1\t0\ta\tb\nc\0' + '1\t0\tf\u00fc\0' + '2\t0\t\u00c3\u00bc\0';
    expect((await changes(gitThat(counted)))?.files).toEqual([
      { name: '"a\\tb\\nc"', how: '+1 -0' },
      { name: '"f\\374"', how: '+1 -0' },
      { name: 'ü', how: '+2 -0' },
    ]);
  });

  it('names a file once that git counts twice, as it counted last', async () => {
    expect((await changes(gitThat('1\t0\ta\x005\t0\tb\x002\t2\ta\0')))?.files).toEqual([
      { name: 'a', how: '+2 -2' },
      { name: 'b', how: '+5 -0' },
    ]);
  });

  it('is nothing where git finds nothing', async () => {
    expect(await changes(gitThat('', ''))).toEqual({ files: [], patch: Buffer.alloc(0) });
  });

  it('has no patch where git does not make it, and is not known where git does not count', async () => {
    expect(await changes(gitThat('1\t0\ta\0', null))).toEqual({
      files: [{ name: 'a', how: '+1 -0' }],
      patch: null,
    });
    expect(await changes(gitThat(null, 'the patch'))).toBeNull();
  });
});

it('answers with what git says, asked without any pattern where nothing is left out', async () => {
  const { git, calls } = gitThat(null, 'said');
  const said = await ask({ git, top: '/top', folders, signal, without: [] }, ['ls-files'], { mostBytes: 7 });
  expect(said?.toString()).toBe('said');
  expect(calls).toEqual([
    {
      args: ['ls-files', '--'],
      top: '/top',
      folders,
      options: { mostBytes: 7, signal, patterns: true },
    },
  ]);
});

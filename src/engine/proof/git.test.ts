import { getEventListeners } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { bareProject, writeIn } from '../../../test/support/bare-project.ts';
import type { Environment } from '../../store/environment.ts';
import type { Project } from '../project.ts';
import { type Git, type GitOptions, ignoredBy, safeGit } from './git.ts';
import type { GitFolders } from './git-folders.ts';

let project: Project;
let folders: GitFolders;
/** Where the user's programs are: beside the project. */
let bin: string;

beforeEach(() => {
  project = bareProject();
  bin = beside('bin');
  folders = {
    ...{ own: path.join(project.root, '.git/own'), common: path.join(project.root, '.git/common') },
    ...{ hash: 'sha1', ignoreCase: false, precomposeUnicode: false, split: false },
  };
  project = { ...project, env: { ...project.env, PATH: `${bin}:/usr/bin:/bin`, SECRET: 'x', GIT_DIR: '/x' } };
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const beside = (name: string): string => path.join(path.dirname(project.root), name);
const put = (file: string, content: string, mode = 0o644): string => {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, content, { mode });
  return file;
};

/** A program that stands for git: notes how it is asked, and does what the script says. */
function standIn(script = ':', folder = bin): void {
  const note = `{ pwd; printf '%s\\n' "$@"; echo; env; } >'${beside('asked')}'`;
  put(path.join(folder, 'git'), `#!/bin/sh\n${note}\n${script}\n`, 0o755);
}

/** What a shell adds to its own environment. */
const SHELL = ['PWD', 'OLDPWD', 'SHLVL', '_'];

function asked(): { cwd: string | undefined; args: string[]; env: Record<string, string> } | null {
  if (!fs.existsSync(beside('asked'))) return null;
  const [head = '', variables = ''] = fs.readFileSync(beside('asked'), 'utf8').split('\n\n');
  const [cwd, ...args] = head.split('\n');
  const env = variables
    .trimEnd()
    .split('\n')
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const);
  return { cwd, args, env: Object.fromEntries(env.filter(([name]) => !SHELL.includes(name))) };
}

function git(): Git {
  const found = safeGit(project.env, project.root);
  if (found === null) throw new Error('no git');
  return found;
}

const say = async (script: string, options?: GitOptions): Promise<string | null> => {
  standIn(script);
  return (await git()(['show'], project.root, folders, options))?.toString('utf8') ?? null;
};

const state = (name: string): string => beside(path.join('state/holdfast', name));

const isolatedEnvironment = (empty: string): Record<string, string> => ({
  ...{ PATH: project.env.PATH ?? '', LC_ALL: 'C', HOME: empty, XDG_CONFIG_HOME: empty, GIT_DIR: empty },
  ...{ GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', GIT_ATTR_NOSYSTEM: '1' },
  ...{ GIT_OPTIONAL_LOCKS: '0', GIT_NO_LAZY_FETCH: '1', GIT_TERMINAL_PROMPT: '0' },
});

const settings = (preload: boolean, ignoreCase = false, precompose = false): string[] =>
  [
    ...['core.trustctime=true', 'core.checkStat=default', 'core.fileMode=true', 'core.fsmonitor=false'],
    ...['core.hooksPath=/dev/null', 'core.attributesFile=/dev/null', `core.preloadIndex=${preload}`],
    ...[`core.ignoreCase=${ignoreCase}`, `core.precomposeUnicode=${precompose}`],
  ].flatMap((each) => ['-c', each]);

describe('git that is asked', () => {
  it('sees nothing of the environment and of the repository’s config', async () => {
    vi.spyOn(os, 'availableParallelism').mockReturnValue(5);
    standIn();
    await git()(['show', 'a b'], project.root, folders);

    expect(asked()).toEqual({
      cwd: project.root,
      args: ['--no-optional-locks', '--literal-pathspecs', ...settings(true), 'show', 'a b'],
      env: {
        ...isolatedEnvironment(state('git-sha1')),
        GIT_WORK_TREE: project.root,
        GIT_INDEX_FILE: path.join(folders.own, 'index'),
        GIT_OBJECT_DIRECTORY: path.join(folders.common, 'objects'),
      },
    });
  });

  it('takes its paths as patterns where that is asked for, and the disk as git found it', async () => {
    vi.spyOn(os, 'availableParallelism').mockReturnValue(4);
    standIn();
    const odd = { ...folders, ignoreCase: true, precomposeUnicode: true };
    await git()(['show'], project.root, odd, { patterns: true });

    expect(asked()?.args).toEqual(['--no-optional-locks', ...settings(false, true, true), 'show']);
  });

  it.each([
    ['sha1', '[core]\n\trepositoryFormatVersion = 0\n'],
    ['sha256', '[core]\n\trepositoryFormatVersion = 1\n[extensions]\n\tobjectFormat = sha256\n'],
  ] as const)('finds an empty repository of the user’s in its place: %s', async (hash, config) => {
    standIn();
    const own = state(`git-${hash}`);
    await git()(['show'], project.root, { ...folders, hash });

    expect(asked()?.env.GIT_DIR).toBe(own);
    expect(fs.readdirSync(own).sort()).toEqual(['HEAD', 'config', 'objects', 'refs']);
    expect(fs.readFileSync(path.join(own, 'config'), 'utf8')).toBe(config);
    expect(fs.readFileSync(path.join(own, 'HEAD'), 'utf8')).toBe('ref: refs/heads/none\n');
    expect(fs.statSync(path.join(own, 'objects')).isDirectory()).toBe(true);
    for (const name of ['config', 'HEAD']) expect(fs.statSync(path.join(own, name)).mode & 0o777).toBe(0o600);
  });

  it('makes that repository once, its HEAD last', async () => {
    standIn();
    const own = state('git-sha1');
    put(path.join(own, 'HEAD'), 'mine');
    await git()(['show'], project.root, folders);
    expect(fs.readdirSync(own)).toEqual(['HEAD']);
    fs.rmSync(path.join(own, 'HEAD'));
    await git()(['show'], project.root, folders);
    expect(fs.readdirSync(own).sort()).toEqual(['HEAD', 'config', 'objects', 'refs']);
  });

  it('is none where there is none, or where it lies in the project', () => {
    project = { ...project, env: { ...project.env, PATH: bin } };
    expect(safeGit(project.env, project.root)).toBeNull();
    standIn(':', path.join(project.root, 'bin'));
    const inside: Environment = { ...project.env, PATH: path.join(project.root, 'bin') };
    expect(safeGit(inside, project.root)).toBeNull();
    standIn();
    expect(safeGit(project.env, project.root)).toBeInstanceOf(Function);
  });
});

describe('what git says', () => {
  it('is all of its standard output', async () => {
    expect(await say('printf one; echo no >&2; printf two')).toBe('onetwo');
    expect(await say(':')).toBe('');
    const long = await say('dd if=/dev/zero bs=1000 count=300 2>/dev/null | tr "\\0" x');
    expect(long).toBe('x'.repeat(300_000));
  });

  it('is nothing when it failed, was killed or could not be started', async () => {
    expect(await say('echo one; exit 1')).toBeNull();
    expect(await say('echo one; kill -KILL $$')).toBeNull();
    standIn('echo one');
    expect(await git()(['show'], path.join(project.root, 'gone'), folders)).toBeNull();
  });

  it('is nothing when it is too much', async () => {
    expect(await say('printf 0123456789', { mostBytes: 10 })).toBe('0123456789');
    expect(await say('printf 0123456789x', { mostBytes: 10 })).toBeNull();
    expect(await say('printf 0123456789x; exec sleep 60', { mostBytes: 10 })).toBeNull();
  });

  it('is nothing when its asker does not want it any more', async () => {
    const asking = new AbortController();
    const said = say('exec sleep 60', { signal: asking.signal });
    await vi.waitFor(() => expect(asked()).not.toBeNull());
    asking.abort();
    expect(await said).toBeNull();
    fs.rmSync(beside('asked'));
    expect(await say('echo one', { signal: asking.signal })).toBeNull();
    expect(asked()).toBeNull();
  });

  it('leaves nothing behind with its asker', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { signal } = new AbortController();
    expect(await say('echo one', { signal })).toBe('one\n');
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([
    [59_999, 'one\n'],
    [60_000, null],
  ])('after %s milliseconds is %j', async (milliseconds, expected) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const go = beside('go');
    const said = say(`while [ ! -e '${go}' ]; do sleep 0.01; done; echo one`);
    vi.advanceTimersByTime(milliseconds);
    put(go, '');
    expect(await said).toBe(expected);
  });
});

describe('what is ignored', () => {
  const ignored = (): Promise<string[]> => ignoredBy(folders, project.env, project.root);
  const ALWAYS = '--exclude-per-directory=.gitignore';
  const home = (file: string): string => path.join(beside('home'), file);

  it('is what the repository says in its folders, and in a file of its own', async () => {
    standIn();
    expect(await ignored()).toEqual([ALWAYS]);
    const own = put(path.join(folders.common, 'info/exclude'), 'x\n');
    expect(await ignored()).toEqual([ALWAYS, `--exclude-from=${own}`]);
    expect(asked()).toBeNull();
  });

  it('is what the user says where git looks without being told, first', async () => {
    const users = put(home('.config/git/ignore'), 'x\n');
    const own = put(path.join(folders.common, 'info/exclude'), 'x\n');
    expect(await ignored()).toEqual([ALWAYS, `--exclude-from=${users}`, `--exclude-from=${own}`]);

    const other = put(beside('settings/git/ignore'), 'x\n');
    project = { ...project, env: { ...project.env, XDG_CONFIG_HOME: beside('settings') } };
    expect(await ignored()).toEqual([ALWAYS, `--exclude-from=${other}`, `--exclude-from=${own}`]);

    project = { ...project, env: { ...project.env, XDG_CONFIG_HOME: 'settings' } };
    expect(await ignored()).toEqual([ALWAYS, `--exclude-from=${users}`, `--exclude-from=${own}`]);
  });

  it('is nothing where there is a folder in the place of the file', async () => {
    fs.mkdirSync(home('.config/git/ignore'), { recursive: true });
    fs.mkdirSync(path.join(folders.common, 'info/exclude'), { recursive: true });
    expect(await ignored()).toEqual([ALWAYS]);
  });

  it.each([
    ['.gitconfig', '[core]\n\texcludesFile = ~/x\n'],
    ['.gitconfig', '[Include]\n\tpath = x\n'],
    ['.config/git/config', '[core]\n\tEXCLUDESFILE = ~/x\n'],
  ])('is what the user’s config names, as git reads it: %s, %j', async (file, config) => {
    put(home(file), config);
    put(home('.config/git/ignore'), 'x\n');
    const named = put(home('named'), 'x\n');
    standIn(`echo '${named}'`);
    expect(await ignored()).toEqual([ALWAYS, `--exclude-from=${named}`]);

    const { GIT_CONFIG_NOSYSTEM: _, GIT_CONFIG_GLOBAL: __, ...env } = isolatedEnvironment(state('git-sha1'));
    expect(asked()).toEqual({
      cwd: '/',
      args: ['config', '--type=path', '--get', 'core.excludesFile'],
      env: { ...env, HOME: beside('home'), XDG_CONFIG_HOME: home('.config') },
    });
  });

  it('is nothing where the file that the config names is not there', async () => {
    put(home('.gitconfig'), '[core]\n\texcludesFile = ~/gone\n');
    put(home('.config/git/ignore'), 'x\n');
    standIn(`echo '${home('gone')}'`);
    expect(await ignored()).toEqual([ALWAYS]);
  });

  it('is what git looks at without being told where the config names none, or nobody can ask', async () => {
    put(home('.gitconfig'), '[include]\n\tpath = x\n');
    const users = put(home('.config/git/ignore'), 'x\n');
    for (const script of ['exit 1', 'echo', ':']) {
      standIn(script);
      expect(await ignored()).toEqual([ALWAYS, `--exclude-from=${users}`]);
    }
    fs.rmSync(bin, { recursive: true });
    project = { ...project, env: { ...project.env, PATH: bin } };
    expect(await ignored()).toEqual([ALWAYS, `--exclude-from=${users}`]);
  });

  it('is not asked of git in the project', async () => {
    put(home('.gitconfig'), '[include]\n\tpath = x\n');
    writeIn(project, 'named', 'x\n');
    standIn(`echo '${project.root}/named'`, path.join(project.root, 'bin'));
    project = { ...project, env: { ...project.env, PATH: path.join(project.root, 'bin') } };
    expect(await ignored()).toEqual([ALWAYS]);
    expect(asked()).toBeNull();
  });
});

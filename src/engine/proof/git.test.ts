import { getEventListeners } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { bareProject, writeIn } from '../../../test/support/bare-project.ts';
import type { Project } from '../project.ts';
import { type GitOptions, ignoredBy, safeGit } from './git.ts';
import type { GitFolders } from './git-folders.ts';

let project: Project;
let folders: GitFolders;
/** Where the user's programs are: beside the project. */
let bin: string;
beforeEach(() => {
  project = bareProject();
  bin = beside('bin');
  const own = path.join(project.root, '.git/own');
  const disk = { hash: 'sha1', ignoreCase: false, precomposeUnicode: false, split: false } as const;
  folders = { own, common: path.join(project.root, '.git/common'), ...disk };
  project = { ...project, env: { ...project.env, PATH: `${bin}:/usr/bin:/bin`, SECRET: 'x', GIT_DIR: '/x' } };
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const beside = (name: string): string => path.join(path.dirname(project.root), name);
const state = (name: string): string => beside(path.join('state/holdfast', name));
function put(file: string, content: string, mode = 0o644): string {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, content, { mode });
  return file;
}

/** A program that stands for git: notes how it is asked, and does what the script says. */
function standIn(script = ':', folder = bin): void {
  const note = `{ pwd; printf '%s\\n' "$@"; echo; env; } >'${beside('asked')}'`;
  put(path.join(folder, 'git'), `#!/bin/sh\n${note}\n${script}\n`, 0o755);
}
const isAsked = (): boolean => fs.existsSync(beside('asked'));
function asked(): { cwd: string | undefined; args: string[]; env: Record<string, string> } {
  const [head = '', variables = ''] = fs.readFileSync(beside('asked'), 'utf8').split('\n\n');
  const [cwd, ...args] = head.split('\n');
  const pairs = variables
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/=(.*)/s) as [string, string]);
  // What a shell adds to its own environment is nothing of ours.
  const given = pairs.filter(([name]) => !['PWD', 'OLDPWD', 'SHLVL', '_'].includes(name));
  return { cwd, args, env: Object.fromEntries(given.map(([name, value]) => [name, value])) };
}

async function ask(args: string[], options?: GitOptions, over: Partial<GitFolders> = {}, top = project.root) {
  const git = safeGit(project.env, project.root);
  return (await git?.(args, top, { ...folders, ...over }, options))?.toString('utf8') ?? null;
}
const say = (script: string, options?: GitOptions): Promise<string | null> => {
  standIn(script);
  return ask(['show'], options);
};
const isolated = (empty: string): Record<string, string> => ({
  ...{ PATH: project.env.PATH ?? '', LC_ALL: 'C', HOME: empty, XDG_CONFIG_HOME: empty, GIT_DIR: empty },
  ...{ GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', GIT_ATTR_NOSYSTEM: '1' },
  ...{ GIT_OPTIONAL_LOCKS: '0', GIT_NO_LAZY_FETCH: '1', GIT_TERMINAL_PROMPT: '0' },
});
const settings = (preload: boolean, odd: boolean): string[] => {
  const safe = 'core.trustctime=true core.checkStat=default core.fileMode=true core.fsmonitor=false';
  const none = 'core.hooksPath=/dev/null core.attributesFile=/dev/null';
  const disk = `core.preloadIndex=${preload} core.ignoreCase=${odd} core.precomposeUnicode=${odd}`;
  return `${safe} ${none} ${disk}`.split(' ').flatMap((each) => ['-c', each]);
};

describe('git that is asked', () => {
  it('sees nothing of the environment and of the repository’s config', async () => {
    const processors = vi.spyOn(os, 'availableParallelism').mockReturnValue(5);
    standIn();
    await ask(['show', 'a b']);
    const [GIT_INDEX_FILE, GIT_OBJECT_DIRECTORY] = [`${folders.own}/index`, `${folders.common}/objects`];
    const place = { GIT_WORK_TREE: project.root, GIT_INDEX_FILE, GIT_OBJECT_DIRECTORY };
    expect(asked()).toEqual({
      cwd: project.root,
      args: ['--no-optional-locks', '--literal-pathspecs', ...settings(true, false), 'show', 'a b'],
      env: { ...isolated(state('git-sha1')), ...place },
    });
    processors.mockReturnValue(4);
    await ask(['show'], { patterns: true }, { ignoreCase: true, precomposeUnicode: true });
    expect(asked().args).toEqual(['--no-optional-locks', ...settings(false, true), 'show']);
  });

  it.each([
    ['sha1', '[core]\n\trepositoryFormatVersion = 0\n'],
    ['sha256', '[core]\n\trepositoryFormatVersion = 1\n[extensions]\n\tobjectFormat = sha256\n'],
  ] as const)('finds an empty repository of the user’s in its place, made once: %s', async (hash, config) => {
    standIn();
    const own = state(`git-${hash}`);
    put(path.join(own, 'HEAD'), 'mine');
    await ask(['show'], {}, { hash });
    expect([asked().env.GIT_DIR, fs.readdirSync(own)]).toEqual([own, ['HEAD']]);
    fs.rmSync(path.join(own, 'HEAD'));
    await ask(['show'], {}, { hash });
    expect(fs.readdirSync(own).sort()).toEqual(['HEAD', 'config', 'objects', 'refs']);
    const text = (name: string): string => fs.readFileSync(path.join(own, name), 'utf8');
    expect([text('config'), text('HEAD')]).toEqual([config, 'ref: refs/heads/none\n']);
    expect(fs.statSync(path.join(own, 'config')).mode & 0o777).toBe(0o600);
  });

  it('is none where there is none, or where it lies in the project', () => {
    expect(safeGit({ ...project.env, PATH: bin }, project.root)).toBeNull();
    standIn(':', path.join(project.root, 'bin'));
    expect(safeGit({ ...project.env, PATH: path.join(project.root, 'bin') }, project.root)).toBeNull();
  });
});

describe('what git says', () => {
  it('is all of its standard output, and nothing when it failed, was killed or could not be started', async () => {
    expect(await say('printf one; echo no >&2; printf two')).toBe('onetwo');
    expect(await say('dd if=/dev/zero bs=1000 count=300 2>/dev/null | tr "\\0" x')).toBe('x'.repeat(300_000));
    expect(await say('echo one; exit 1')).toBeNull();
    expect(await say('echo one; kill -KILL $$')).toBeNull();
    expect(await ask(['show'], {}, {}, path.join(project.root, 'gone'))).toBeNull();
  });

  it('is nothing when it is too much, or its asker does not want it any more', async () => {
    expect(await say('printf 0123456789', { mostBytes: 10 })).toBe('0123456789');
    expect(await say('printf 0123456789x', { mostBytes: 10 })).toBeNull();
    expect(await say('printf 0123456789x; exec sleep 60', { mostBytes: 10 })).toBeNull();
    fs.rmSync(beside('asked'));
    const asking = new AbortController();
    const said = say('exec sleep 60', { signal: asking.signal });
    await vi.waitFor(() => expect(isAsked()).toBe(true));
    asking.abort();
    expect(await said).toBeNull();
    fs.rmSync(beside('asked'));
    expect([await say('echo one', { signal: asking.signal }), isAsked()]).toEqual([null, false]);
  });

  it.each([
    [59_999, 'one\n'],
    [60_000, null],
  ])('after %s milliseconds is %j, and leaves nothing behind', async (milliseconds, expected) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { signal } = new AbortController();
    const said = say(`while [ ! -e '${beside('go')}' ]; do sleep 0.01; done; echo one`, { signal });
    vi.advanceTimersByTime(milliseconds);
    put(beside('go'), '');
    expect(await said).toBe(expected);
    expect([getEventListeners(signal, 'abort'), vi.getTimerCount()]).toEqual([[], 0]);
  });
});

describe('what is ignored', () => {
  const home = (file: string): string => path.join(beside('home'), file);
  const ignored = async (): Promise<string[]> => {
    const [first, ...files] = await ignoredBy(folders, project.env, project.root);
    expect(first).toBe('--exclude-per-directory=.gitignore');
    return files.map((file) => file.replace('--exclude-from=', ''));
  };

  it('is what the user says where git looks without being told, then what the repository says', async () => {
    standIn();
    expect(await ignored()).toEqual([]);
    const own = put(path.join(folders.common, 'info/exclude'), 'x\n');
    const users = put(home('.config/git/ignore'), 'x\n');
    expect(await ignored()).toEqual([users, own]);
    const other = put(beside('settings/git/ignore'), 'x\n');
    project = { ...project, env: { ...project.env, XDG_CONFIG_HOME: beside('settings') } };
    expect(await ignored()).toEqual([other, own]);
    project = { ...project, env: { ...project.env, XDG_CONFIG_HOME: 'settings' } };
    fs.rmSync(users);
    fs.mkdirSync(users);
    expect(await ignored()).toEqual([own]);
    expect(isAsked()).toBe(false);
  });

  it.each([
    ['.gitconfig', '[core]\n\texcludesFile = ~/x\n'],
    ['.gitconfig', '[Include]\n\tpath = x\n'],
    ['.config/git/config', '[core]\n\tEXCLUDESFILE = ~/x\n'],
  ])('is what the user’s config names, as git reads it: %s, %j', async (file, config) => {
    put(home(file), config);
    const users = put(home('.config/git/ignore'), 'x\n');
    const named = put(home('named'), 'x\n');
    standIn(`echo '${named}'`);
    expect(await ignored()).toEqual([named]);
    const { GIT_CONFIG_NOSYSTEM: _, GIT_CONFIG_GLOBAL: __, ...env } = isolated(state('git-sha1'));
    const own = { ...env, HOME: beside('home'), XDG_CONFIG_HOME: home('.config') };
    expect(asked()).toEqual({
      cwd: '/',
      args: ['config', '--type=path', '--get', 'core.excludesFile'],
      env: own,
    });
    fs.rmSync(named);
    expect(await ignored()).toEqual([]);
    for (const script of ['exit 1', 'echo']) {
      standIn(script);
      expect(await ignored()).toEqual([users]);
    }
  });

  it('is not asked of git in the project', async () => {
    put(home('.gitconfig'), '[include]\n\tpath = x\n');
    writeIn(project, 'named', 'x\n');
    standIn(`echo '${project.root}/named'`, path.join(project.root, 'bin'));
    project = { ...project, env: { ...project.env, PATH: path.join(project.root, 'bin') } };
    expect([await ignored(), isAsked()]).toEqual([[], false]);
  });
});

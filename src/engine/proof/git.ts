// Git, asked so that nothing of the repository is run. A repository's config can name programs (fsmonitor, filters,
// hooks) and other files to read, and a config can change between a look at it and git's own. So git never sees it: its
// folder is an empty one of ours, in the user's state folder, and only index, objects and work tree are the repository's.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import { disk } from '../../store/disk.ts';
import type { Environment } from '../../store/environment.ts';
import { replaceFile } from '../../store/files.ts';
import { findOnPath } from '../../store/on-path.ts';
import { readOwn } from '../../store/open.ts';
import { below } from '../../store/paths.ts';
import { absolute, homeFolder } from '../../store/user-folders.ts';
import { makeUserFolder } from '../../store/user-state.ts';
import type { GitFolders } from './git-folders.ts';

/** Runs a command of git's in a work tree; null when it failed, took too long or said too much. */
export type Git = (
  args: readonly string[],
  top: string,
  folders: GitFolders,
  options?: GitOptions,
) => Promise<Buffer | null>;

export type GitOptions = {
  /** Ends it. */
  signal?: AbortSignal;
  mostBytes?: number;
  /** Its paths are patterns of git's, such as `:(exclude)…`, and no plain names. */
  patterns?: true;
};

const TIME_LIMIT_MS = 60_000;
const MOST_BYTES = 1024 * 1024 * 1024;
/** Git looks at a large work tree with twenty threads. On fewer processors they keep the git asked beside it waiting. */
const ENOUGH_PROCESSORS = 5;

/** Null where there is no git. `root` is the agent's: no program is taken from it. */
export function safeGit(env: Environment, root: string): Git | null {
  const program = findOnPath('git', env, root);
  if (program === null) return null;
  // Two are asked at once: one that threw here instead of failing would leave the other's failure to nobody.
  return async (args, top, folders, options = {}) => {
    const empty = emptyFolder(env, folders.hash);
    const settings = [
      // Whatever makes git believe that a file is as it was when it is not.
      'core.trustctime=true',
      'core.checkStat=default',
      'core.fileMode=true',
      'core.fsmonitor=false',
      'core.hooksPath=/dev/null',
      'core.attributesFile=/dev/null',
      `core.preloadIndex=${os.availableParallelism() >= ENOUGH_PROCESSORS}`,
      `core.ignoreCase=${folders.ignoreCase}`,
      `core.precomposeUnicode=${folders.precomposeUnicode}`,
    ];
    const all = [
      '--no-optional-locks',
      ...(options.patterns ? [] : ['--literal-pathspecs']),
      ...settings.flatMap((each) => ['-c', each]),
      ...args,
    ];
    const repository = {
      GIT_WORK_TREE: top,
      GIT_INDEX_FILE: below(folders.own, 'index'),
      GIT_OBJECT_DIRECTORY: below(folders.common, 'objects'),
    };
    return collect(program, all, top, { ...isolated(env, empty), ...repository }, options);
  };
}

/** Options of `ls-files`: what the repository and the user ignore is no content. */
export async function ignoredBy({ common }: GitFolders, env: Environment, root: string): Promise<string[]> {
  const files = [await userExcludes(env, root), below(common, 'info/exclude')];
  const there = files.filter((file) => file !== null && isFile(file));
  return ['--exclude-per-directory=.gitignore', ...there.map((file) => `--exclude-from=${file}`)];
}

/** The file of patterns that the user's own config names, beside what the repository ignores; null: there is none. */
async function userExcludes(env: Environment, root: string): Promise<string | null> {
  const home = homeFolder(env);
  const settings = absolute(env.XDG_CONFIG_HOME) ?? below(home, '.config');
  const files = ['/etc/gitconfig', below(settings, 'git/config'), below(home, '.gitconfig')];
  const program = files.some(mayName) ? findOnPath('git', env, root) : null;
  const own = {
    GIT_CONFIG_NOSYSTEM: undefined,
    GIT_CONFIG_GLOBAL: undefined,
    HOME: home,
    XDG_CONFIG_HOME: settings,
  };
  const asked = ['config', '--type=path', '--get', 'core.excludesFile'];
  const named =
    program === null
      ? null
      : await collect(program, asked, '/', { ...isolated(env, emptyFolder(env, 'sha1')), ...own });
  const file = named?.toString('utf8').trimEnd() || below(settings, 'git/ignore');
  return isFile(file) ? file : null;
}

/** Asking git takes some milliseconds, and most configs name none. */
function mayName(file: string): boolean {
  try {
    return /excludesfile|include/i.test(readOwn(file));
  } catch {
    return false;
  }
}

function isFile(file: string): boolean {
  return fs.statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}

/** Nothing of the caller's environment but where programs are; older versions of git know a config by HOME alone. */
function isolated(env: Environment, empty: string): Environment {
  return {
    PATH: env.PATH,
    LC_ALL: 'C',
    HOME: empty,
    XDG_CONFIG_HOME: empty,
    GIT_DIR: empty,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_TERMINAL_PROMPT: '0',
  };
}

/** A repository with nothing in it. Not in a temp folder: an agent in a sandbox may write there. */
function emptyFolder(env: Environment, hash: GitFolders['hash']): string {
  const user = makeUserFolder(env);
  const folder = below(user, `git-${hash}`);
  // Written last, so whoever finds it finds the rest.
  const head = below(folder, 'HEAD');
  if (fs.existsSync(head)) return folder;
  for (const name of ['objects', 'refs']) disk.makeFolder(below(folder, name));
  const format = hash === 'sha1' ? '0\n' : '1\n[extensions]\n\tobjectFormat = sha256\n';
  replaceFile(below(folder, 'config'), `[core]\n\trepositoryFormatVersion = ${format}`, user, 0o600);
  replaceFile(head, 'ref: refs/heads/none\n', user, 0o600);
  return folder;
}

function collect(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Environment,
  { signal, mostBytes = MOST_BYTES }: GitOptions = {},
): Promise<Buffer | null> {
  if (signal?.aborted) return Promise.resolve(null);
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'ignore'] });
    const cut = (): void => void child.kill('SIGKILL');
    signal?.addEventListener('abort', cut);
    const timer = setTimeout(() => child.kill('SIGKILL'), TIME_LIMIT_MS);
    const chunks: Buffer[] = [];
    let size = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > mostBytes) child.kill('SIGKILL');
    });
    const end = (ok: boolean): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cut);
      resolve(ok ? Buffer.concat(chunks, size) : null);
    };
    child.once('error', () => end(false));
    // It may have ended by itself before it was killed.
    child.once('close', (code) => end(code === 0 && size <= mostBytes));
  });
}

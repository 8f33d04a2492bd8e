// Which files differ from the last commit, asked of git. For the compaction anchor only: a stop never runs it.

import { execFileSync } from 'node:child_process';
import type { Environment } from '../../store/environment.ts';
import { withoutProjectOnPath } from '../../store/on-path.ts';

const MOST = 30;
const PATIENCE_MS = 2000;
/** What the loop itself writes says nothing about the work. */
const OURS = /^(?:\.jwz|\.holdfast)\/|^\.claude\/idle-loop\.local\.md$/;

/** Null when git cannot tell, or cannot be asked without running what the repository's own config names. */
export function modifiedFiles(root: string, env: Environment): string[] | null {
  try {
    if (runsPrograms(root, env)) return null;
    const output = git(
      [
        '-c',
        'core.fsmonitor=false',
        'status',
        '--porcelain',
        '-z',
        '--no-renames',
        '--ignore-submodules=all',
      ],
      root,
      env,
    );
    const files = output.split('\0').map((entry) => entry.slice(3));
    return files.filter((file) => file !== '' && !OURS.test(file)).slice(0, MOST);
  } catch {
    return null;
  }
}

/** `git status` may run a filter; one that the user configured is theirs, one that came with the folder is not. */
function runsPrograms(root: string, env: Environment): boolean {
  const names = git(['config', '--list', '--show-scope', '--name-only', '--includes', '-z'], root, env).split(
    '\0',
  );
  return names.some((name, position) => {
    const scope = names[position - 1];
    return name.startsWith('filter.') && (scope === 'local' || scope === 'worktree');
  });
}

function git(args: readonly string[], root: string, env: Environment): string {
  return execFileSync('git', args, {
    cwd: root,
    encoding: 'utf8',
    // A folder that was unpacked brings its own .git/config, and a partial clone's names the program that fetches
    // what is missing. The older gits know only the first of the two.
    env: {
      ...withoutProjectOnPath(env, root),
      GIT_OPTIONAL_LOCKS: '0',
      GIT_ALLOW_PROTOCOL: 'none',
      GIT_NO_LAZY_FETCH: '1',
    },
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: PATIENCE_MS,
    maxBuffer: 8 * 1024 * 1024,
  });
}

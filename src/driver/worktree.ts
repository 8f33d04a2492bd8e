// A work tree of its own for a run, beside the repository, on a branch of its own. Never removed by us.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { NotNow } from '../engine/workflow-cli.ts';
import type { Environment } from '../store/environment.ts';
import { withoutProjectOnPath } from '../store/on-path.ts';
import { messageOf } from '../text/message-of.ts';
import { shellQuote } from '../text/shell.ts';

export type Worktree = { path: string; branch: string; from: string };

/** `label`: what the folder and the branch are called after; `branch`: where the user named one. */
export function makeWorktree(
  root: string,
  label: string,
  branch: string | null,
  asked: Environment,
): Worktree {
  const env = withoutProjectOnPath(asked, root);
  const top = git(['rev-parse', '--show-toplevel'], root, env);
  if (top === null)
    throw new NotNow(
      `--worktree needs a git repository, and ${root} is in none. Leave it out, or run \`git init\`.`,
    );
  if (git(['rev-parse', '--verify', 'HEAD'], root, env) === null)
    throw new NotNow(`--worktree needs a commit to begin with, and ${top} has none yet.`);
  const name = branch ?? `holdfast/${label}`;
  const place = freePlace(path.join(path.dirname(top), `${path.basename(top)}-${label}`));
  const isThere = git(['rev-parse', '--verify', '--quiet', `refs/heads/${name}`], root, env) !== null;
  const args = isThere ? [place, name] : ['-b', name, place];
  try {
    execFileSync('git', ['worktree', 'add', '--quiet', ...args], {
      cwd: top,
      env,
      stdio: 'pipe',
      timeout: 60_000,
    });
  } catch (error) {
    throw new NotNow(`the work tree could not be made: ${lastLine(messageOf(error))}`);
  }
  return { path: fs.realpathSync(place), branch: name, from: fs.realpathSync(top) };
}

/** What a person does with it in the end. */
export function howToMerge({ path: place, branch, from }: Worktree): string[] {
  return [
    `The work is in ${place}, on the branch ${branch}. To take it over: cd ${shellQuote(from)} && git merge ${shellQuote(branch)}`,
    `Afterwards: git worktree remove ${shellQuote(place)} && git branch -d ${shellQuote(branch)}`,
  ];
}

/** What git says, on one line; null when it fails. */
function git(args: readonly string[], cwd: string, env: Environment): string | null {
  try {
    const output = execFileSync('git', [...args], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 30_000,
    });
    return output.toString('utf8').trim();
  } catch {
    return null;
  }
}

function freePlace(wanted: string): string {
  for (let number = 1; ; number++) {
    const place = number === 1 ? wanted : `${wanted}-${number}`;
    if (fs.lstatSync(place, { throwIfNoEntry: false }) === undefined) return place;
  }
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}

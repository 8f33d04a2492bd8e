// Where a project's loops are: `.claude/claudex`, unless CLAUDEX_STATE_DIR moves them; and the files of one loop.

import fs from 'node:fs';
import path from 'node:path';
import type { Project } from '../../engine/project.ts';
import type { Environment } from '../../store/environment.ts';
import { isInside, realPath } from '../../store/files.ts';
import { below } from '../../store/paths.ts';

export type StateDir = {
  /** The project's root, where PLAN.md and reviews/ are. */
  root: string;
  /** The folder with the state files; may not exist yet. */
  path: string;
  /** What writes may not leave: the project, or the real folder outside of it. */
  within: string;
  /** Outside the project: other projects may keep their loops there too. */
  shared: boolean;
};

export function stateDirOf({ root, env }: Pick<Project, 'root' | 'env'>): StateDir {
  const moved = movedFolder(root, env);
  const folder = moved === null || moved === 'unusable' ? below(root, '.claude/claudex') : moved;
  const real = realPath(folder);
  const shared = moved !== null && moved !== 'unusable' && !isInside(real ?? folder, root);
  return { root, path: folder, within: shared ? (real ?? folder) : root, shared };
}

/** The folder the user moved the loops to; relative to the project, so that hook and commands agree on it. */
export function movedFolder(root: string, env: Environment): string | null | 'unusable' {
  const wanted = env.CLAUDEX_STATE_DIR ?? '';
  if (wanted === '') return null;
  const folder = path.resolve(root, wanted);
  try {
    const found = fs.statSync(folder, { throwIfNoEntry: false });
    return found === undefined || found.isDirectory() ? folder : 'unusable';
  } catch {
    return 'unusable';
  }
}

export type LoopFiles = {
  state: string;
  lock: string;
  runner: string;
  prompt: string;
  folder: string;
  /** Touched every two seconds while the runner runs. */
  heartbeat: string;
  findings(round: number): string;
  /** The runner's exit code. */
  exit(round: number): string;
  /** What codex printed. */
  output(round: number): string;
  review: string;
  proposedFixes: string;
};

/** `id` must be a checked id, or a plain file name that was found in the folder. */
export function filesOf(dir: StateDir, id: string): LoopFiles {
  const at = (name: string): string => below(dir.path, name);
  return {
    state: at(`${id}.state`),
    lock: at(`${id}.lock`),
    runner: at(`${id}-runner.sh`),
    prompt: at(`${id}-prompt.txt`),
    folder: at(id),
    heartbeat: below(at(id), 'running'),
    findings: (round) => below(at(id), `findings-round-${round}.md`),
    exit: (round) => below(at(id), `exit-round-${round}`),
    output: (round) => below(at(id), `output-round-${round}.txt`),
    review: below(dir.root, `reviews/review-${id}.md`),
    proposedFixes: below(dir.root, `reviews/proposed-fixes-${id}.md`),
  };
}

export const planFile = (dir: StateDir): string => below(dir.root, 'PLAN.md');
export const logFile = (dir: StateDir): string => below(dir.path, 'log');
export const sweptFolder = (dir: StateDir): string => below(dir.path, 'swept');

/** How a path is shown to an agent: relative to the project where that is possible. */
export function shown(dir: StateDir, file: string): string {
  return isInside(file, dir.root) ? path.relative(dir.root, file) : file;
}

// What a runner and its reviewer are to write. A link in such a place came with the repository, or was put
// there since, and may lead anywhere: it is refused at the start, when the runner is written, and by the runner itself.

import path from 'node:path';
import { isInside, realPath } from '../../store/files.ts';
import { below } from '../../store/paths.ts';
import type { LoopFiles, StateDir } from './files.ts';
import type { Mode } from './types.ts';

export type Targets = { folders: readonly string[]; files: readonly string[] };

/** The folders that a start of this mode leads to writes in, from the outermost on. */
export function foldersFor(dir: StateDir, mode: Mode): string[] {
  return [...waysInto(dir), ...(mode === 'review' ? [below(dir.root, 'reviews')] : [])];
}

/** Everything the runner of this round, and the reviewer it starts, will write. */
export function targetsOf(dir: StateDir, files: LoopFiles, mode: Mode, round: number): Targets {
  const written = mode === 'review' ? [files.review, files.proposedFixes] : [files.findings(round)];
  return {
    folders: [...foldersFor(dir, mode), files.folder],
    files: [files.runner, files.prompt, files.heartbeat, files.exit(round), files.output(round), ...written],
  };
}

/**
 * The folders of the way to the loops that a repository could have made: those inside the project. What lies outside
 * of it was chosen by the user with CLAUDEX_STATE_DIR.
 */
function waysInto({ root, path: folder }: StateDir): string[] {
  const way = prefixesOf(folder);
  const first = way.findIndex((part) => {
    const real = realPath(part);
    return real !== null && isInside(real, root);
  });
  return first === -1 ? [] : way.slice(first + 1);
}

/** `/a`, `/a/b`, `/a/b/c` */
function prefixesOf(folder: string): string[] {
  const parent = path.dirname(folder);
  return parent === folder ? [folder] : [...prefixesOf(parent), folder];
}

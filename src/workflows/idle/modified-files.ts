// Which files differ from the last commit, asked of git as at a claim. For the compaction anchor only: a stop never runs
// it.

import { namesSince, repositoryHere } from '../../engine/changes/names.ts';
import type { Environment } from '../../store/environment.ts';

const MOST = 30;
const PATIENCE_MS = 2000;
/** What the loop itself writes says nothing about the work. */
const OURS = /^(?:\.jwz|\.holdfast)\/|^\.claude\/idle-loop\.local\.md$/;

/** Null when git cannot tell. */
export async function modifiedFiles(root: string, env: Environment): Promise<string[] | null> {
  try {
    const here = repositoryHere(root, env);
    const options = { signal: AbortSignal.timeout(PATIENCE_MS), byFolder: true } as const;
    const names = here === null ? null : await namesSince(here, null, options);
    if (names === null) return null;
    return [...names.changed, ...names.added].filter((file) => !OURS.test(file)).slice(0, MOST);
  } catch {
    return null;
  }
}

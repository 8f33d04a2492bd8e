// The changes of a real repository, made as before a review.

import fs from 'node:fs';
import path from 'node:path';
import { makeChanges } from '../../src/engine/changes/make.ts';
import type { Changes } from '../../src/engine/changes/types.ts';
import type { Environment } from '../../src/store/environment.ts';
import type { Repository } from '../proof/repository.ts';

export type Made = Changes & {
  /** What is in the file; null: there is none. */
  text: string | null;
};

export async function changesIn(
  repository: Pick<Repository, 'root' | 'env'>,
  since: string | null,
  { env = {}, without = ['.holdfast', '.taskie/plans'], isAskedToEnd = false } = {} as {
    env?: Environment;
    without?: string[];
    isAskedToEnd?: boolean;
  },
): Promise<Made | null> {
  const { root } = repository;
  const home = path.join(root, '.holdfast');
  fs.mkdirSync(path.join(home, 'attempts/one'), { recursive: true });
  const made = await makeChanges(
    { root, home, env: { ...repository.env, ...env } },
    {
      attempt: 'one',
      since,
      without,
      whenAskedToEnd: (listener) => {
        if (isAskedToEnd) listener();
      },
      // As long as a busy machine takes for tens of thousands of files.
      timeLimitMs: 240_000,
    },
  );
  if (made === null) return null;
  return { ...made, text: made.file === null ? null : fs.readFileSync(made.file.path, 'utf8') };
}

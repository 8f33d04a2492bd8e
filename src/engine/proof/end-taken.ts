// Ending a run by hand while its files are gone, because a check that still runs took them along.

import fs from 'node:fs';
import { homeOf, sidecarPath } from '../../store/home.ts';
import { wayUp } from '../project.ts';
import type { Call } from '../workflow-cli.ts';
import { isAnyChecking } from './asked.ts';
import { checkRecords, hasCheckRecords, noteEnded } from './check-record.ts';

/** A line for the user; null: there is no such run, or it is not known which of several is meant. */
export function endTaken(
  { cwd, env, words: [named] }: Pick<Call, 'cwd' | 'env' | 'words'>,
  workflow: string | null,
): string | null {
  const isMeant = (name: string): boolean =>
    (workflow === null || name.startsWith(`${workflow}:`)) &&
    (named === undefined || name === named || name.endsWith(`:${named}`));
  if (!isAnyChecking({ env })) return null;
  const root = wayUp(cwd, env).find((folder) => hasCheckRecords({ root: folder, env }));
  if (root === undefined) return null;
  const runs = checkRecords({ root, env }).flatMap(({ runs, isLive }) => (isLive ? runs : []));
  const names = new Set(runs.map(({ name }) => name));
  const taken = [...names].filter((name) => isMeant(name) && !fs.existsSync(sidecarPath(homeOf(root), name)));
  const [only, ...others] = taken;
  if (only === undefined || others.length > 0) return null;
  noteEnded({ root, env }, only);
  return `${only} is cancelled. A check that still runs has taken its files along, and does not put them back.`;
}

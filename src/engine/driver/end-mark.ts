// How a stop ended a driven run, where the disk of the user's state folder is too full for the driver's record: an empty
// file beside it, whose name says it. There is nearly always room for a name.

import fs from 'node:fs';
import { disk } from '../../store/disk.ts';
import type { Environment } from '../../store/environment.ts';
import { OUTCOMES, type Outcome, type Worth } from '../../store/journal-lines.ts';
import { below } from '../../store/paths.ts';
import { isFirstMark, userStateFolder } from '../../store/user-state.ts';

export type MarkedEnd = { at: number; outcome: Outcome; proof: Worth | null; why: readonly string[] };

/** `record`: its place in the folder. */
export function leaveEndMark(
  env: Environment,
  record: string,
  { outcome, proof }: Pick<MarkedEnd, 'outcome' | 'proof'>,
): void {
  isFirstMark(env, `${record}.${nameOf(outcome, proof)}`);
}

/** The newest; undefined: there is none. */
export function readEndMark(env: Environment, record: string): MarkedEnd | undefined {
  const marked = marksOf(env, record).flatMap(({ file, outcome, proof }): MarkedEnd[] => {
    const found = fs.lstatSync(file, { throwIfNoEntry: false });
    return found === undefined ? [] : [{ at: Math.round(found.mtimeMs), outcome, proof, why: [] }];
  });
  return marked.sort((one, other) => other.at - one.at)[0];
}

/** Of a drive that is over: the same end may be marked again. */
export function dropEndMarks(env: Environment, record: string): void {
  for (const { file } of marksOf(env, record)) disk.remove(file);
}

const PROOFS: readonly (Worth | null)[] = [null, 'proven', 'unproven'];

/** All that there may be. */
function marksOf(env: Environment, record: string) {
  const place = below(userStateFolder(env), record);
  return OUTCOMES.flatMap((outcome) =>
    PROOFS.map((proof) => ({ outcome, proof, file: `${place}.${nameOf(outcome, proof)}` })),
  );
}

const nameOf = (outcome: Outcome, proof: Worth | null): string => `ended-${outcome}-${proof ?? 'unasked'}`;

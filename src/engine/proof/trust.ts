// Which checks of a project the user trusts: a check runs with the user's rights, so a repository cannot bring one
// along. The answer to `holdfast trust` lies in the user's state folder, by repository, so that worktrees share it.

import path from 'node:path';
import { userConfigPath } from '../../config/config.ts';
import type { Environment } from '../../store/environment.ts';
import { isInside, isPassing, realPath } from '../../store/files.ts';
import { fingerprint } from '../../store/fingerprint.ts';
import { hasShape, isFlag, isListOf, isNumber, isText } from '../../store/shape.ts';
import { changeUserRecord, readUserRecord, userRecordsIn, userStateFolder } from '../../store/user-state.ts';
import type { Project } from '../project.ts';
import { definitionOf } from './definition.ts';
import { repositoryOf } from './repository.ts';
import type { Check } from './types.ts';

export type TrustedCheck = {
  name: string;
  definition: string;
  at: number;
  /** A notice has named it. Left out: by the record's time. */
  reported?: boolean | undefined;
};

export type TrustRecord = {
  repository: string;
  /** Where the person was who gave it. */
  root: string;
  checks: readonly TrustedCheck[];
  /** What was given up to this time was shown in a notice, where the check itself does not say. */
  reported: number;
};

const isTrustRecord = hasShape<TrustRecord>({
  repository: isText,
  root: isText,
  checks: isListOf(
    hasShape<TrustedCheck>({
      name: isText,
      definition: isText,
      at: isNumber,
      reported: (value): value is boolean | undefined => value === undefined || isFlag(value),
    }),
  ),
  reported: isNumber,
});

type Place = Pick<Project, 'root' | 'env'>;

/** Null where nothing was ever trusted, and where what is there cannot be believed: then nothing is. */
export function trustOf(project: Place): TrustRecord | null {
  if (isReachedByAgents(project)) return null;
  try {
    return readTrust(project);
  } catch (error) {
    if (isPassing(error)) throw error;
    return null; // Another user's, a link, unreadable; doctor says which.
  }
}

/** The same, but what is wrong with the record is thrown. */
export function readTrust({ root, env }: Place): TrustRecord | null {
  const repository = repositoryOf(root);
  const record = readUserRecord(env, placeOf(repository), isTrustRecord);
  return record?.repository === repository ? record : null;
}

/**
 * The user's own folders lie inside the project, as where HOME is one: whoever may write in the project may write there,
 * so nothing in them says what the user wants.
 */
export function isReachedByAgents({ root, env }: Place): boolean {
  const own = [userStateFolder(env), path.dirname(userConfigPath(env))];
  return own.some((folder) => isInside(nearestReal(folder), root));
}

function nearestReal(folder: string): string {
  return realPath(folder) ?? (folder === path.dirname(folder) ? folder : nearestReal(path.dirname(folder)));
}

/** Checks in the user's own file are trusted; the project's as they were when trust was given, before that time. */
export function isTrusted(check: Check, trust: TrustRecord | null, before: number): boolean {
  if (check.from === 'user') return true;
  const definition = definitionOf(check);
  return (trust?.checks ?? []).some((known) => known.definition === definition && known.at < before);
}

/** Trusted as it is, but at a time that is still to come: the clock was ahead then, so nothing began after it. */
export function isTrustAhead(check: Check, trust: TrustRecord | null): boolean {
  return !isTrusted(check, trust, Date.now() + 1) && isTrusted(check, trust, Number.POSITIVE_INFINITY);
}

/** From now on exactly these are trusted here. One that was trusted as it is stays so since then, if that has been. */
export function giveTrust({ root, env, now }: Project, checks: readonly Check[]): void {
  const repository = repositoryOf(root);
  changeUserRecord(env, placeOf(repository), isTrustRecord, (known) => {
    const before = known?.repository === repository ? known : null;
    const all = checks.map((check) => sinceWhen(check, before, now));
    return all.length === 0 ? null : { repository, root, checks: all, reported: before?.reported ?? 0 };
  });
}

/** From now on these too. Who shares the record, such as another worktree, may have checks that are not here. */
export function addTrust({ root, env, now }: Project, checks: readonly Check[]): void {
  const repository = repositoryOf(root);
  changeUserRecord(env, placeOf(repository), isTrustRecord, (known) => {
    const before = known?.repository === repository ? known : { repository, root, checks: [], reported: 0 };
    const all = checks.map((check) => sinceWhen(check, before, now));
    return { ...before, checks: [...new Set([...before.checks, ...all])] };
  });
}

function sinceWhen(check: Check, trust: TrustRecord | null, now: number): TrustedCheck {
  const definition = definitionOf(check);
  const since = trust?.checks.find(
    (each) => each.name === check.name && each.definition === definition && each.at <= now,
  );
  return since ?? { name: check.name, definition, at: now, reported: false };
}

/** Answers with the names that were trusted. */
export function revokeTrust({ root, env }: Place): readonly string[] {
  const names: string[] = [];
  changeUserRecord(env, placeOf(repositoryOf(root)), isTrustRecord, (known) => {
    names.push(...(known?.checks ?? []).map(({ name }) => name));
    return null;
  });
  return names;
}

/** Of all repositories, by where they were trusted. */
export function listTrust(env: Environment): readonly TrustRecord[] {
  return userRecordsIn(env, FOLDER)
    .flatMap((place) => readUserRecord(env, place, isTrustRecord) ?? [])
    .sort((one, other) => (one.root < other.root ? -1 : 1));
}

/** What was trusted since a notice last said so: each trust is reported to the user once, whoever gave it. */
export function unreportedTrust(trust: TrustRecord | null): readonly TrustedCheck[] {
  return trust?.checks.filter(({ at, reported = at <= trust.reported }) => !reported) ?? [];
}

/** The notice is shown. */
export function noteReported({ root, env }: Place, checks: readonly TrustedCheck[]): void {
  const isNamed = (known: TrustedCheck): boolean =>
    checks.some(({ name, definition, at }) => {
      return name === known.name && definition === known.definition && at === known.at;
    });
  changeUserRecord(env, placeOf(repositoryOf(root)), isTrustRecord, (known) =>
    known === null
      ? null
      : {
          ...known,
          checks: known.checks.map((each) => (isNamed(each) ? { ...each, reported: true } : each)),
        },
  );
}

const FOLDER = 'trust';
const placeOf = (repository: string): string => `${FOLDER}/${fingerprint(repository)}.json`;

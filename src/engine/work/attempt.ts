// Work is an attempt with a record (docs/decisions.md, 7): begun under the lock, run without it, its result committed
// under it again. A result outlives its hook; what did not end is never counted; nothing is paid for twice.

import fs from 'node:fs';
import path from 'node:path';
import { carryOut, makeFolderInside, Refused } from '../../store/files.ts';
import { attemptFolder, ensureAttemptFolder } from '../../store/home.ts';
import { type HeldLock, tryHold } from '../../store/lock.ts';
import { makeOutputFolder, removeOutputs } from '../../store/outputs.ts';
import { below } from '../../store/paths.ts';
import type { Attempt, CheckAttempt, ReviewAttempt, Sidecar } from '../../store/records.ts';
import { readSidecar, writeSidecar } from '../../store/sidecars.ts';
import type { Project } from '../project.ts';
import type { ReviewRequest } from '../step.ts';

/** The run's review that is under way, or has ended and is not committed yet. */
export function reviewIn({ attempts }: Sidecar): ReviewAttempt | null {
  return attempts.find((attempt) => attempt.work === 'review') ?? null;
}

/** The sidecar with this review in the place of the one it knew. */
export function withReview(sidecar: Sidecar, review: ReviewAttempt | null): Sidecar {
  const others = sidecar.attempts.filter((attempt) => attempt.work !== 'review');
  return { ...sidecar, attempts: review === null ? others : [...others, review] };
}

export type ReviewToBegin = {
  sidecar: Sidecar;
  request: ReviewRequest;
  /** The state it is asked for, and what of it a verdict speaks of. */
  of: { stateHash: string; subject?: string | undefined };
  session: string | null;
  /** When it must have ended. */
  deadline: number;
  /** A finished review that speaks of another state: it goes. */
  passed: ReviewAttempt | null;
};

/** Under the lock: the record first, then the review. The owner keeps `held` until the stop is answered. */
export function beginReview(
  project: Project,
  begin: ReviewToBegin,
): { attempt: ReviewAttempt; held: HeldLock } {
  const { subject, stateHash } = begin.of;
  const { id, held } = newAttempt(project);
  const attempt: ReviewAttempt = {
    id,
    work: 'review',
    ...begin.request,
    owner: begin.session,
    begun: Date.now(),
    deadline: begin.deadline,
    status: 'running',
    verdict: null,
    before: stateHash,
    ...(subject === undefined ? {} : { subject }),
  };
  // What an earlier try left half-written must not pass for what this one's verdict speaks of.
  setFileAside(project, attempt);
  const replaced = begin.passed ?? reviewIn(begin.sidecar);
  writeSidecar(project.root, withReview(begin.sidecar, attempt));
  if (replaced !== null) removeAttemptFiles(project, replaced);
  return { attempt, held };
}

export type CheckToBegin = Pick<CheckAttempt, 'check' | 'definition' | 'owner' | 'deadline'>;

/** Under the lock, like a review. `busy`: another hook runs a check of this run. */
export function beginCheck(
  project: Project,
  run: string,
  begin: CheckToBegin,
): { attempt: CheckAttempt; held: HeldLock } | { busy: string } {
  const sidecar = readSidecar(project.root, run);
  const other = sidecar.attempts.find(({ work }) => work === 'check');
  if (other !== undefined) return { busy: other.id };
  const { id, held } = newAttempt(project);
  const attempt: CheckAttempt = { id, work: 'check', ...begin, status: 'running' };
  writeSidecar(project.root, { ...sidecar, attempts: [...sidecar.attempts, attempt] });
  return { attempt, held };
}

/** Under the lock: its receipt is written, or it does not count. */
export function endCheck(project: Project, run: string, attempt: CheckAttempt): void {
  try {
    forget(project, run, attempt);
  } finally {
    // Nothing in them counts, so they go whether or not the record could be written.
    removeAttemptFiles(project, attempt);
  }
}

/** Its owner holds the lock in the attempt's own folder for as long as it lives. */
function newAttempt(project: Project): { id: string; held: HeldLock } {
  const id = `${project.now.toString(36)}-${process.pid}-${Math.floor(Math.random() * 0xffffffff).toString(36)}`;
  makeAttemptFolders(project, id);
  const held = tryHold(ownerLock(project, id), project.root);
  if (held === null) throw new Error(`the new attempt ${id} is already somebody's`);
  return { id, held };
}

/** What it prints goes to the user's state folder, all else to the project. */
export function makeAttemptFolders(project: Project, id: string): void {
  makeOutputFolder(project, id);
  ensureAttemptFolder(project.root, id);
}

/** Under the lock. The attempt is looked up again: only its own record may be changed. */
export function markAttempt(
  project: Project,
  run: string,
  id: string,
  change: Partial<Pick<ReviewAttempt, 'status' | 'verdict' | 'cause'>>,
): void {
  const sidecar = readSidecar(project.root, run);
  if (!sidecar.attempts.some((attempt) => attempt.id === id)) return;
  const attempts = sidecar.attempts.map((attempt) =>
    attempt.id === id ? ({ ...attempt, ...change } as Attempt) : attempt,
  );
  writeSidecar(project.root, { ...sidecar, attempts });
}

/** Under the lock: an attempt that did not end is forgotten, and its half-written review file moved aside. */
export function dropUnfinished(project: Project, run: string, attempt: ReviewAttempt): void {
  if (!setFileAside(project, attempt)) removeAttemptFiles(project, attempt);
  forget(project, run, attempt);
}

/** A review file that is not whole must not pass for one. False: there is none. */
export function setFileAside(project: Project, attempt: ReviewAttempt): boolean {
  const file = path.join(project.root, attempt.file);
  // The path comes from a sidecar, which an agent may write.
  if (!fs.existsSync(file) || fs.statSync(file).isDirectory()) return false;
  const aside = below(attemptFolder(project.home, attempt.id), `unfinished-${path.basename(file)}`);
  carryOut({ kind: 'move', from: file, to: aside }, project.root);
  return true;
}

function forget(project: Project, run: string, attempt: Attempt): void {
  const sidecar = readSidecar(project.root, run);
  const attempts = sidecar.attempts.filter(({ id }) => id !== attempt.id);
  if (attempts.length < sidecar.attempts.length) writeSidecar(project.root, { ...sidecar, attempts });
}

/** Its verdict is in the state: the last thing that is done with a finished attempt is to remove its folder. */
export function isSpent(project: Project, attempt: ReviewAttempt): boolean {
  return attempt.status === 'done' && !fs.existsSync(attemptFolder(project.home, attempt.id));
}

/** Null: its owner lives. Otherwise it is dead, and we hold its place until we have tidied up. */
export function takeOver(project: Project, attempt: Attempt): HeldLock | null {
  const folder = attemptFolder(project.home, attempt.id);
  // The id comes from a sidecar, which a repository may have brought along with a link of that name.
  if (fs.lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new Refused(`${folder} is a link and is left alone; remove it`);
  makeFolderInside(folder, project.root);
  return tryHold(ownerLock(project, attempt.id), project.root);
}

/** Mere tidying, after everything that matters is written: trouble with it must not cost a hold. */
export function removeAttemptFiles(project: Project, attempt: Pick<Attempt, 'id'>): void {
  try {
    carryOut({ kind: 'remove', path: attemptFolder(project.home, attempt.id) }, project.root);
  } catch {
    // As said above.
  }
  // After the folder by which it is known to be spent (isSpent).
  removeOutputs(project, attempt.id);
}

const ownerLock = (project: Project, id: string): string => below(attemptFolder(project.home, id), 'owner');

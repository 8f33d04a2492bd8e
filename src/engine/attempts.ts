// A review is an attempt with a record (decision 7): begun under the lock, run without it, its verdict committed
// under it again. A verdict outlives its hook; what did not end is never counted; nothing is paid for twice.

import fs from 'node:fs';
import path from 'node:path';
import { describeNoVerdict } from '../reviewers/no-verdict.ts';
import type { Reviewer } from '../reviewers/reviewer.ts';
import type { ReviewerEnd, ReviewerRun } from '../reviewers/run.ts';
import type { NoVerdict, Verdict } from '../reviewers/verdict.ts';
import { disk } from '../store/disk.ts';
import { carryOut, isPassing, Refused, removeQuietly, replaceFile } from '../store/files.ts';
import { attemptFolder, ensureAttemptFolder } from '../store/home.ts';
import { type HeldLock, tryHold } from '../store/lock.ts';
import { below } from '../store/paths.ts';
import type { Attempt, Sidecar } from '../store/records.ts';
import { readSidecar, writeSidecar } from '../store/sidecars.ts';
import type { Project } from './project.ts';
import type { ReviewRequest } from './step.ts';
import type { ReviewCall } from './workflow.ts';

export type BegunReview = { attempt: Attempt; held: HeldLock };

/** Under the lock: the record first, then the review. The owner keeps `held` until the stop is answered. */
export function beginReview(
  project: Project,
  sidecar: Sidecar,
  request: ReviewRequest,
  { stateHash, subject }: { stateHash: string; subject?: string },
  session: string | null,
  deadline: number = Date.now() + project.config.review.timeoutMs,
): BegunReview {
  const id = `${project.now.toString(36)}-${process.pid}-${Math.floor(Math.random() * 0xffffffff).toString(36)}`;
  ensureAttemptFolder(project.root, id);
  const held = tryHold(ownerLock(project, id));
  if (held === null) throw new Error(`the new review attempt ${id} is already somebody's`);
  const attempt: Attempt = {
    id,
    ...request,
    owner: session,
    deadline,
    status: 'running',
    verdict: null,
    before: stateHash,
    ...(subject === undefined ? {} : { subject }),
  };
  writeSidecar(project.root, { ...sidecar, attempt });
  if (sidecar.attempt !== null) removeAttemptFiles(project, sidecar.attempt);
  return { attempt, held };
}

/** How a review ended: `noVerdict` says why there is no verdict, where there is none. */
export type Ended = {
  verdict: Verdict;
  noVerdict: NoVerdict | null;
  /** The same in one line, for standard error. */
  complaint: string | null;
};

/** Runs the reviewer without the lock and gives the verdict. Nothing but files under our folder and the log is written. */
export async function runReview(
  project: Project,
  attempt: Attempt,
  call: ReviewCall,
  reviewer: Reviewer,
  signals: Pick<ReviewerRun, 'whenToldToEnd' | 'interrupted'>,
): Promise<Ended | 'interrupted'> {
  const { runReviewer } = await import('../reviewers/index.ts');
  const files = outputFiles(project, attempt.id);
  const command = reviewer.call({ ...call, model: attempt.model, access: project.config.review.access });
  const end = await runReviewer({
    attempt: attempt.id,
    command,
    cwd: project.root,
    env: project.env,
    ...files,
    deadlineMs: Math.max(1, attempt.deadline - Date.now()),
    ...signals,
  });
  if (end.kind === 'interrupted') return 'interrupted';
  const verdict =
    end.kind === 'exited' ? finalVerdict(reviewer, files.stdout, end.code, call.file) : 'failed';
  const noVerdict = isVerdict(verdict) ? null : whyNoVerdict(end, verdict, reviewer, files);
  keepLog(project, call.log, files, verdict, reviewer, describeEnd(end, verdict));
  const why = noVerdict === null ? null : describeNoVerdict(noVerdict, command.program);
  const complaint = why === null ? null : `the review into ${attempt.file} ended without a verdict: ${why}.`;
  return { verdict, noVerdict, complaint };
}

const isVerdict = (verdict: Verdict): boolean => verdict === 'clean' || verdict === 'findings';

function whyNoVerdict(
  end: Exclude<ReviewerEnd, { kind: 'interrupted' }>,
  verdict: Verdict,
  reviewer: Reviewer,
  files: { stdout: string; stderr: string },
): NoVerdict {
  const only = (kind: NoVerdict['kind']): NoVerdict => ({ kind, code: null });
  if (end.kind !== 'flooded' && isFlooded(files.stdout))
    return { kind: 'too-much-output', code: READ_AT_MOST / MEGABYTE };
  switch (end.kind) {
    case 'flooded':
      return { kind: 'too-much-output', code: end.megabytes };
    case 'missing':
    case 'timed-out':
      return only(end.kind);
    case 'exited': {
      const printed = readText(files.stdout);
      const said = reviewer.readNoVerdict?.(printed);
      if (said) return said;
      // As a shell counts: from 129 on a signal ended it.
      if (end.code > 128) return { kind: 'killed', code: end.code - 128 };
      if (verdict === 'failed') return { kind: 'exit-code', code: end.code };
      return only(isVerdict(reviewer.readVerdict(printed, end.code)) ? 'no-file' : 'no-verdict');
    }
  }
}

/** The owner is dead. What it paid for is kept: a whole result with its review file is a verdict. */
export function verdictLeftBehind(project: Project, attempt: Attempt, reviewer: Reviewer): Verdict | null {
  const verdict = finalVerdict(
    reviewer,
    outputFiles(project, attempt.id).stdout,
    null,
    path.join(project.root, attempt.file),
  );
  return isVerdict(verdict) ? verdict : null;
}

/** Under the lock. The attempt is looked up again: only its own record may be changed. */
export function markAttempt(project: Project, run: string, id: string, change: Partial<Attempt>): void {
  const sidecar = readSidecar(project.root, run);
  if (sidecar.attempt?.id !== id) return;
  writeSidecar(project.root, { ...sidecar, attempt: { ...sidecar.attempt, ...change } });
}

/** Under the lock: an attempt that did not end is forgotten, and its half-written review file moved aside. */
export function dropUnfinished(project: Project, run: string, attempt: Attempt): void {
  const file = path.join(project.root, attempt.file);
  const isPartial = fs.existsSync(file);
  const aside = below(attemptFolder(project.home, attempt.id), `unfinished-${path.basename(file)}`);
  if (isPartial) carryOut({ kind: 'move', from: file, to: aside }, project.root);
  else removeAttemptFiles(project, attempt);
  const sidecar = readSidecar(project.root, run);
  if (sidecar.attempt?.id === attempt.id) writeSidecar(project.root, { ...sidecar, attempt: null });
}

/** Its verdict is in the state: the last thing that is done with a finished attempt is to remove its folder. */
export function isSpent(project: Project, attempt: Attempt): boolean {
  return attempt.status === 'done' && !fs.existsSync(attemptFolder(project.home, attempt.id));
}

/** Null: its owner lives. Otherwise it is dead, and we hold its place until we have tidied up. */
export function takeOver(project: Project, attempt: Attempt): HeldLock | null {
  const folder = attemptFolder(project.home, attempt.id);
  // The id comes from a sidecar, which a repository may have brought along with a link of that name.
  if (fs.lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new Refused(`${folder} is a link and is left alone; remove it`);
  disk.makeFolder(folder);
  return tryHold(ownerLock(project, attempt.id));
}

/** Mere tidying, after everything that matters is written: trouble with it must not cost a hold. */
export function removeAttemptFiles(project: Project, attempt: Attempt): void {
  removeQuietly(attemptFolder(project.home, attempt.id));
}

const ownerLock = (project: Project, id: string): string => below(attemptFolder(project.home, id), 'owner');

function outputFiles(project: Project, id: string): { stdout: string; stderr: string } {
  const folder = attemptFolder(project.home, id);
  return { stdout: below(folder, 'stdout'), stderr: below(folder, 'stderr') };
}

/** A verdict without the review file it speaks of is none. */
function finalVerdict(reviewer: Reviewer, stdout: string, code: number | null, reviewFile: string): Verdict {
  const verdict = reviewer.readVerdict(readText(stdout), code);
  return isVerdict(verdict) && !isNonEmpty(reviewFile) ? 'none' : verdict;
}

/** A log that cannot be written must not cost the verdict: the review would be run, and paid for, again and again. */
function keepLog(
  project: Project,
  log: string,
  files: { stdout: string; stderr: string },
  verdict: Verdict,
  reviewer: Reviewer,
  how: string,
): void {
  try {
    if (isVerdict(verdict)) {
      carryOut({ kind: 'remove', path: log }, project.root);
      return;
    }
    const printed = readText(files.stdout);
    const said = reviewer.readReason?.(printed) ?? printed;
    const told = [`${reviewer.name}: ${how}`, tail(said, 16), tail(readText(files.stderr), 256)];
    replaceFile(log, `${told.filter((part) => part !== '').join('\n')}\n`, project.root, 0o600);
  } catch {
    // The notice still says that there was no verdict.
  }
}

const tail = (text: string, kilobytes: number): string => text.trim().slice(-kilobytes * 1024);

function describeEnd(
  end: { kind: string; code?: number | null; megabytes?: number },
  verdict: Verdict,
): string {
  switch (end.kind) {
    case 'flooded':
      return `printed more than ${end.megabytes} MB, so it was ended and nothing of it was read`;
    case 'missing':
      return 'not found on PATH, so no review ran';
    case 'timed-out':
      return 'ended at our deadline (review.timeout in holdfast.config.json) before it had a verdict';
    default:
      return `exit code ${end.code ?? 'none'}, ${verdict === 'none' ? 'no verdict or no review file' : 'failed'}`;
  }
}

const MEGABYTE = 1024 * 1024;
const READ_AT_MOST = 32 * MEGABYTE;

function isFlooded(file: string): boolean {
  const found = fs.lstatSync(file, { throwIfNoEntry: false });
  return found?.isFile() === true && found.size > READ_AT_MOST;
}

/** A reviewer that floods its output has no verdict in it; neither has a link or a FIFO that somebody put there. */
function readText(file: string): string {
  try {
    const found = fs.lstatSync(file);
    return found.isFile() && found.size <= READ_AT_MOST ? fs.readFileSync(file, 'utf8') : '';
  } catch (error) {
    // What a reviewer said is still there at the next stop; as "no verdict" it would be paid for again.
    if (isPassing(error)) throw error;
    return '';
  }
}

function isNonEmpty(file: string): boolean {
  const found = fs.statSync(file, { throwIfNoEntry: false });
  return found?.isFile() === true && found.size > 0;
}

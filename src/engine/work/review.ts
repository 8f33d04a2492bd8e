// Runs a review outside the lock, and tells what came of it: a verdict, or why there is none. Nothing but files under
// our folder and the log is written here; the verdict is committed with the step that rests on it.

import fs from 'node:fs';
import path from 'node:path';
import { describeNoVerdict } from '../../reviewers/no-verdict.ts';
import { installHint } from '../../reviewers/programs.ts';
import type { Reviewer } from '../../reviewers/reviewer.ts';
import type { NoVerdict, Verdict } from '../../reviewers/verdict.ts';
import { carryOut, replaceFile } from '../../store/files.ts';
import { withLock } from '../../store/lock.ts';
import { findOnPath, withoutProjectOnPath, withProjectLastOnPath } from '../../store/on-path.ts';
import { outputFolder, writeBesideOutputs } from '../../store/outputs.ts';
import type { ReviewAttempt } from '../../store/records.ts';
import type { StopContext } from '../context.ts';
import type { Project } from '../project.ts';
import type { ReviewCall } from '../workflow.ts';
import { markAttempt, setFileAside } from './attempt.ts';
import { reviewerEnvironment } from './environment.ts';
import { Interrupted } from './interrupted.ts';
import { isFlooded, MOST_MEGABYTES_READ, readText, withLeftOutput, withNewOutput } from './output.ts';
import { type ReviewReport, readReport } from './report.ts';
import { type ProgramEnd, type ProgramRun, runProgram } from './run.ts';

/** For the watcher, which loads the built file that this one becomes (run.ts). */
export { endProgram } from '../../processes/end.ts';

export type EndedReview = {
  attempt: ReviewAttempt;
  report: ReviewReport;
  /** Why there is no verdict, in one line for standard error. */
  complaint: string | null;
};

/**
 * To its end. A verdict needs no note before it is committed, since it stands in the reviewer's output; that there is none
 * does not, and whoever comes after us must not run the review again or take it for one.
 */
export async function review(
  name: string,
  attempt: ReviewAttempt,
  asked: ReviewCall,
  stopped: StopContext,
): Promise<EndedReview> {
  const { project, runtime } = stopped;
  const reviewer = await runtime.findReviewer(attempt.reviewer);
  await asked.loadFirst?.();
  const call =
    asked.changes === undefined
      ? asked
      : await (await import('../changes/in-prompt.ts')).withChanges(name, attempt, asked, stopped);
  const mark = (
    change: Partial<Pick<ReviewAttempt, 'status' | 'verdict' | 'cause'>>,
    patienceMs: number,
  ): Promise<void> =>
    withLock(project.home, patienceMs, () => markAttempt(project, name, attempt.id, change));
  // Claude Code gives the hook 1.5 s after SIGTERM (2.1.197), and the reviewer must be ended in them too.
  const interrupted = () => mark({ status: 'interrupted' }, 300);
  const signals = { whenAskedToEnd: runtime.whenAskedToEnd, interrupted };
  return withNewOutputs(project, attempt.id, async (outputs) => {
    const { verdict, noVerdict, complaint } = await runReviewer(
      project,
      attempt,
      call,
      reviewer,
      signals,
      outputs,
    );
    const done = { status: 'done', verdict, ...(noVerdict === null ? {} : { cause: noVerdict }) } as const;
    // It comes again after the limit, and must not find half of itself there.
    if (noVerdict?.kind === 'usage-limit')
      await withLock(project.home, runtime.lockPatienceMs, () => setFileAside(project, attempt));
    if (noVerdict !== null) await mark(done, runtime.lockPatienceMs);
    const ended = { ...attempt, ...done };
    return { attempt: ended, report: readReport(ended, reviewer, outputs.stdout), complaint };
  });
}

type Printed = { stdout: number; stderr: number };

function withNewOutputs<T>(
  project: Project,
  attempt: string,
  use: (outputs: Printed) => Promise<T>,
): Promise<T> {
  return withNewOutput(project, attempt, (stdout) =>
    withNewOutput(project, attempt, (stderr) => use({ stdout, stderr }), 'stderr'),
  );
}

/** How a review ended: `noVerdict` says why there is no verdict, also where its review counts without one. */
type Ended = {
  verdict: Verdict;
  noVerdict: NoVerdict | null;
  /** The same in one line, for standard error. */
  complaint: string | null;
};

async function runReviewer(
  project: Project,
  attempt: ReviewAttempt,
  call: ReviewCall,
  reviewer: Reviewer,
  signals: Pick<ProgramRun, 'whenAskedToEnd' | 'interrupted'>,
  outputs: Printed,
): Promise<Ended> {
  const folder = outputFolder(project, attempt.id);
  const access = call.sandboxed ? 'sandboxed' : project.config.review.access;
  const command = reviewer.call({ ...call, model: attempt.model, access, folder });
  for (const [place, text] of Object.entries(command.files ?? {}))
    writeBesideOutputs(project, attempt.id, place, text);
  const { root, env } = project;
  // The agent could have put a program of the same name into a folder of the project that is on PATH.
  const program = findOnPath(command.program, withoutProjectOnPath(env, root), null);
  const run = (found: string): Promise<ProgramEnd> =>
    runProgram({
      attempt: attempt.id,
      command: { ...command, program: found },
      cwd: project.root,
      programEnv: { ...reviewerEnvironment(withProjectLastOnPath(env, root)), ...command.env },
      env,
      ...outputs,
      deadlineMs: Math.max(1, attempt.deadline - Date.now()),
      ...signals,
    });
  const end = program === null ? ({ kind: 'missing' } as const) : await run(program);
  if (end.kind === 'interrupted') throw new Interrupted();
  const read = end.kind === 'exited' ? finalVerdict(reviewer, outputs.stdout, end.code, call.file) : 'failed';
  const noVerdict = isVerdict(read) ? null : whyNoVerdict(end, read, reviewer, outputs);
  const isUnread = read === 'none' && noVerdict?.kind === 'no-verdict' && endedWell(end, call.file);
  const verdict = isUnread ? 'findings' : read;
  keepLog(project, call.log, outputs, verdict, reviewer, describeEnd(end, verdict, command.program));
  const why = noVerdict === null ? null : describeNoVerdict(noVerdict, command.program);
  const counted = isUnread ? '; its file is there, so it counts as findings' : '';
  const complaint =
    why === null ? null : `the review into ${attempt.file} ended without a verdict: ${why}${counted}.`;
  return { verdict, noVerdict, complaint };
}

/** A review that is written counts, whatever became of the verdict beside it. */
function endedWell(end: ProgramEnd, reviewFile: string): boolean {
  return end.kind === 'exited' && end.code === 0 && isNonEmpty(reviewFile);
}

const isVerdict = (verdict: Verdict): boolean => verdict === 'clean' || verdict === 'findings';

function whyNoVerdict(
  end: Exclude<ProgramEnd, { kind: 'interrupted' }>,
  verdict: Verdict,
  reviewer: Reviewer,
  outputs: Printed,
): NoVerdict {
  const only = (kind: NoVerdict['kind']): NoVerdict => ({ kind, code: null });
  if (end.kind !== 'flooded' && isFlooded(outputs.stdout))
    return { kind: 'too-much-output', code: MOST_MEGABYTES_READ };
  switch (end.kind) {
    case 'flooded':
      return { kind: 'too-much-output', code: end.megabytes };
    case 'missing':
    case 'timed-out':
      return only(end.kind);
    case 'exited': {
      const printed = readText(outputs.stdout);
      const said = reviewer.readNoVerdict?.(printed, Date.now());
      if (said) return said;
      // As a shell counts: from 129 on a signal ended it.
      if (end.code > 128) return { kind: 'killed', code: end.code - 128 };
      if (end.code !== 0 && verdict === 'failed') return { kind: 'exit-code', code: end.code };
      return only(isVerdict(reviewer.readVerdict(printed, end.code)) ? 'no-file' : 'no-verdict');
    }
  }
}

/** The owner is dead. What it paid for is kept: a whole result with its review file is a verdict. */
export function verdictLeftBehind(
  project: Project,
  attempt: ReviewAttempt,
  reviewer: Reviewer,
): Verdict | null {
  const file = path.join(project.root, attempt.file);
  const verdict = withLeftOutput(project, attempt.id, (stdout) => finalVerdict(reviewer, stdout, null, file));
  return isVerdict(verdict) ? verdict : null;
}

/** A verdict without the review file it speaks of is none. */
function finalVerdict(
  reviewer: Reviewer,
  stdout: number | null,
  code: number | null,
  reviewFile: string,
): Verdict {
  const verdict = reviewer.readVerdict(readText(stdout), code);
  return isVerdict(verdict) && !isNonEmpty(reviewFile) ? 'none' : verdict;
}

/** A log that cannot be written must not cost the verdict: the review would be run, and paid for, again and again. */
function keepLog(
  project: Project,
  log: string,
  outputs: Printed,
  verdict: Verdict,
  reviewer: Reviewer,
  how: string,
): void {
  try {
    if (isVerdict(verdict)) {
      carryOut({ kind: 'remove', path: log }, project.root);
      return;
    }
    const printed = readText(outputs.stdout);
    const said = reviewer.readReason?.(printed) ?? printed;
    const report = [`${reviewer.name}: ${how}`, tail(said, 16), tail(readText(outputs.stderr), 256)];
    replaceFile(log, `${report.filter((part) => part !== '').join('\n')}\n`, project.root, 0o600);
  } catch {
    // The notice still says that there was no verdict.
  }
}

const tail = (text: string, kilobytes: number): string => text.trim().slice(-kilobytes * 1024);

function describeEnd(
  end: { kind: string; code?: number | null; megabytes?: number },
  verdict: Verdict,
  program: string,
): string {
  switch (end.kind) {
    case 'flooded':
      return `printed more than ${end.megabytes} MB, so it was ended and nothing of it was read`;
    case 'missing':
      return `not found on PATH, so no review ran${installHint(program)}`;
    case 'timed-out':
      return 'ended at our deadline (review.timeout in holdfast.config.json) before it had a verdict';
    default:
      return `exit code ${end.code ?? 'none'}, ${verdict === 'none' ? 'no verdict or no review file' : 'failed'}`;
  }
}

function isNonEmpty(file: string): boolean {
  const found = fs.statSync(file, { throwIfNoEntry: false });
  return found?.isFile() === true && found.size > 0;
}

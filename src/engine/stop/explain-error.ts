// Our own failure in a line for the user: what went wrong, and the command that changes it.

import { isDenied } from '../../store/files.ts';
import { LockBusy } from '../../store/lock.ts';
import { messageOf } from '../../text/message-of.ts';
import type { StopContext } from '../context.ts';
import type { Project } from '../project.ts';
import { writeJournal } from './journal.ts';
import { notices } from './notices.ts';
import { notifyOnce } from './notify-once.ts';

/** Empty where the session was shown it already. */
export async function explainError(error: unknown, context: StopContext): Promise<string[]> {
  if (error instanceof LockBusy) return [notices.lockBusy(Math.round(context.runtime.lockPatienceMs / 1000))];
  return notifyOnce(await noticeOf(error, context.project), context);
}

/** For our own bookkeeping after the answer is committed: trouble with it is reported beside it, and never replaces it. */
export async function keepingTheAnswer(work: () => Promise<void>, context: StopContext): Promise<string[]> {
  try {
    await work();
    return [];
  } catch (error) {
    writeJournal(context, { kind: 'failed', name: null, error });
    return explainError(error, context);
  }
}

/** Another user's file, a mode, a read-only disk: then the notice names the command that changes it. */
async function noticeOf(error: unknown, project: Project): Promise<string> {
  if (!isDenied(error)) return notices.failed(oneLine(error), project.cli);
  const { explainDenied } = await import('../../store/trouble.ts');
  const trouble = explainDenied(error, project.root);
  return trouble === null ? notices.failed(oneLine(error), project.cli) : notices.denied(trouble);
}

export function oneLine(error: unknown): string {
  const text = messageOf(error);
  return text.split('\n')[0] ?? text;
}

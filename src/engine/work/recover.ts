// What a hook that died left behind: its program is ended, and what a reviewer was paid for is kept. Of a check nothing
// is: one that ended has left its receipt, and what did not end counts for nothing.

import { endProgram } from '../../processes/end.ts';
import { withLock } from '../../store/lock.ts';
import type { Attempt } from '../../store/records.ts';
import type { StopContext } from '../context.ts';
import { dropUnfinished, endCheck, markAttempt, takeOver } from './attempt.ts';
import { verdictLeftBehind } from './review.ts';

/** True when the attempt's owner is dead and what it left is dealt with; false when it lives. */
export async function recover(
  name: string,
  attempt: Attempt,
  { project, runtime }: StopContext,
): Promise<boolean> {
  const held = takeOver(project, attempt);
  if (held === null) return false;
  try {
    await endProgram(attempt.id, null);
    if (attempt.work === 'check') {
      await withLock(project.home, runtime.lockPatienceMs, () => endCheck(project, name, attempt));
      return true;
    }
    const verdict = verdictLeftBehind(project, attempt, await runtime.findReviewer(attempt.reviewer));
    await withLock(project.home, runtime.lockPatienceMs, () => {
      if (verdict === null) dropUnfinished(project, name, attempt);
      else markAttempt(project, name, attempt.id, { status: 'done', verdict });
    });
    return true;
  } finally {
    held.release();
  }
}

// A review's call with the changes it is about: made outside the lock, just before the reviewer starts. Without them the
// review is as good as it always was, so nothing that goes wrong here costs one.

import { attemptFolder } from '../../store/home.ts';
import type { ReviewAttempt } from '../../store/records.ts';
import type { StopContext } from '../context.ts';
import { ownFiles } from '../proof/own-files.ts';
import { writeJournal } from '../stop/journal.ts';
import type { ReviewCall } from '../workflow.ts';
import { makeChanges } from './make.ts';

export async function withChanges(
  name: string,
  { id }: ReviewAttempt,
  call: ReviewCall,
  stopped: StopContext,
): Promise<ReviewCall> {
  const { project, runtime } = stopped;
  if (call.changes === undefined) return call;
  try {
    const changes = await makeChanges(project, {
      attempt: id,
      since: call.changes.since,
      without: ownFiles(runtime.registry),
      whenAskedToEnd: runtime.whenAskedToEnd,
    });
    if (changes === null) return call;
    const prompt = `${call.prompt}\n\n${call.changes.say(changes)}`;
    return { ...call, prompt, reads: [...(call.reads ?? []), attemptFolder(project.home, id)] };
  } catch (error) {
    writeJournal(stopped, { kind: 'failed', name, error });
    return call;
  }
}

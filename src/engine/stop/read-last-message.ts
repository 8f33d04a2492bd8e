// What the agent said last decides whether a loop is done. Where a client does not send it and it cannot be read
// either, the stop is allowed, with one notice: held without it, a loop would run to its maximum past its signal.

import { clientNamed } from '../../clients/index.ts';
import { type Answer, allowSilently, type Stop } from '../../clients/stop.ts';
import type { StopContext } from '../context.ts';
import { findRuns, isAwaited } from './find-runs.ts';
import { writeJournal } from './journal.ts';
import { notices } from './notices.ts';
import { notifyOnce } from './notify-once.ts';

/** The stop with the message in it, or the answer to one that cannot be served. */
export type LastMessageRead = { stop: Stop; answer: null } | { stop: null; answer: Answer };

export async function readLastMessage(context: StopContext): Promise<LastMessageRead> {
  const { stop, project } = context;
  const client = clientNamed(stop.client);
  if (client.mustBeHeard === undefined || stop.lastMessage !== null) return { stop, answer: null };
  const isNeeded = isAwaited(stop, project) || (await findRuns(context)).length > 0;
  if (!isNeeded) return { stop, answer: null };
  const { hear } = await import('../../text/hear.ts');
  const hearing = await hear(stop, client, client.mustBeHeard);
  if (hearing.kind === 'heard') return { stop: hearing.stop, answer: null };
  if (hearing.kind === 'failed') return { stop: null, answer: allowSilently };
  const text = client.name === 'unknown' ? notices.unknownClient() : notices.unheard(client.title);
  const [notice] = await notifyOnce(text, context);
  if (notice !== undefined) writeJournal(context, { kind: 'noticed' });
  return { stop: null, answer: { kind: 'allow', notice: notice ?? null, suppressOutput: false } };
}

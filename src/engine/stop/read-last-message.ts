// What the agent said last decides whether a loop is done. Where a client does not send it and it cannot be read
// either, the stop is let go, with one notice: held without it, a loop would run to its maximum past its signal.

import { clientNamed } from '../../clients/index.ts';
import { type Answer, allowSilently, type Stop } from '../../clients/stop.ts';
import { writeJournal } from './journal.ts';
import type { Machinery } from '../context.ts';
import { notices } from './notices.ts';
import { sayOnce } from './notify-once.ts';
import type { Project } from '../project.ts';
import { findRuns, isAwaited } from './find-runs.ts';

/** The stop with the message in it, or the answer to one that cannot be served. */
export type Heard = { stop: Stop; answer: null } | { stop: null; answer: Answer };

export async function hearAgent(stop: Stop, project: Project, machinery: Machinery): Promise<Heard> {
  const client = clientNamed(stop.client);
  if (client.mustBeHeard === undefined || stop.lastMessage !== null) return { stop, answer: null };
  const isConcerned = isAwaited(stop, project) || (await findRuns(stop, project, machinery)).length > 0;
  if (!isConcerned) return { stop, answer: null };
  const { hear } = await import('../../text/hear.ts');
  const hearing = await hear(stop, client, client.mustBeHeard);
  if (hearing.kind === 'heard') return { stop: hearing.stop, answer: null };
  if (hearing.kind === 'failed') return { stop: null, answer: allowSilently };
  const text = client.name === 'unknown' ? notices.unknownClient() : notices.unheard(client.title);
  const said = await sayOnce(text, stop, project, machinery);
  if (said.length > 0) writeJournal(project, stop, { kind: 'told' });
  return { stop: null, answer: { kind: 'allow', notice: said[0] ?? null, suppressOutput: false } };
}

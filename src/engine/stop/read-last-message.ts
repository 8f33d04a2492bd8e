// What the agent said last decides whether a loop is done. Where a client does not send it and it cannot be read
// either, the stop is allowed, with one notice: held without it, a loop would run to its maximum past its signal.

import { clientNamed } from '../../clients/index.ts';
import { type Answer, allowSilently, type Stop } from '../../clients/stop.ts';
import type { Sidecar } from '../../store/records.ts';
import { readSidecar } from '../../store/sidecars.ts';
import { waitingRuns } from '../../store/tickets.ts';
import type { StopContext } from '../context.ts';
import { findRuns, isAwaited, type RunHere } from './find-runs.ts';
import { writeJournal } from './journal.ts';
import { notices } from './notices.ts';
import { notifyOnce } from './notify-once.ts';

/** The stop with the message in it, or the answer to one that cannot be served. */
export type LastMessageRead = { stop: Stop; answer: null } | { stop: null; answer: Answer };

export async function readLastMessage(context: StopContext): Promise<LastMessageRead> {
  const { stop, project } = context;
  const client = clientNamed(stop.client);
  if (client.mustBeHeard === undefined || stop.lastMessage !== null) return { stop, answer: null };
  const runs = await findRuns(context);
  if (runs.length === 0 && !isAwaited(stop, project)) return { stop, answer: null };
  const { hear } = await import('../../text/hear.ts');
  const hearing = await hear(stop, client, client.mustBeHeard);
  if (hearing.kind === 'failed') return { stop: null, answer: allowSilently };
  const said = await saidSinceLastStop(context);
  if (hearing.kind === 'unheard') {
    if (said) return { stop: { ...stop, lastMessage: said }, answer: null };
    return allowOnce(whyUnheard(said, context), context);
  }
  if (client.mustBeHeard.skipsTurns && wasHeldAt(hearing.newest, runs, context))
    return allowOnce(notices.modelNotAsked(client.title), context);
  return { stop: hearing.stop, answer: null };
}

/** Null: nothing tells. Empty: nothing was said. */
async function saidSinceLastStop(context: StopContext): Promise<string | null> {
  const { saidSincePrompt } = context.stop;
  if (saidSincePrompt === undefined) return null;
  const { saidSince } = await import('./said-since.ts');
  return (await saidSince(saidSincePrompt, context))?.trim() ?? null;
}

function whyUnheard(said: string | null, { stop, project }: StopContext): string {
  const { name, title } = clientNamed(stop.client);
  if (name === 'unknown') return notices.unknownClient();
  const [waiting] = waitingRuns(project.root, project.now, project.env);
  const why = said === '' ? notices.modelNotAsked(title) : notices.unheard(title);
  return waiting === undefined ? why : `${why}\n${notices.notTakenUp(waiting, project.cli)}`;
}

/** The transcript's newest line is the one of the last hold: the client took that hold and asked no model. */
function wasHeldAt(newest: string, runs: readonly RunHere[], { stop, project }: StopContext): boolean {
  return runs.some(({ workflow, run }) => {
    const memory = readQuietly(project.root, `${workflow.name}:${run}`)?.guard[stop.session ?? ''];
    return memory?.held === true && !memory.released && memory.marker === newest;
  });
}

/** Notes that cannot be read are reported where the run is served. */
function readQuietly(root: string, run: string): Sidecar | null {
  try {
    return readSidecar(root, run);
  } catch {
    return null;
  }
}

async function allowOnce(text: string, context: StopContext): Promise<LastMessageRead> {
  const [notice] = await notifyOnce(text, context);
  if (notice !== undefined) writeJournal(context, { kind: 'noticed' });
  return { stop: null, answer: { kind: 'allow', notice: notice ?? null, suppressOutput: false } };
}

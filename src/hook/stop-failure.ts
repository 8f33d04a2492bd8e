// A turn ended by an API error that ends by itself or by a person's doing: the session's runs wait until it is back. The
// client does not always wait for this hook (Claude Code 2.1.325, `-p`), so what is known is written down at once.
// Prints nothing, and never fails: the next stop reads the same from the transcript.

import type { SessionLimit } from '../clients/client.ts';
import { parseObject, textField } from '../clients/fields.ts';
import { clientNamed } from '../clients/index.ts';
import { hasBudget } from '../engine/budget/place.ts';
import { runName, type StopContext } from '../engine/context.ts';
import type { RunHere } from '../engine/stop/find-runs.ts';
import { journalWait } from '../engine/stop/journal.ts';
import { isOver } from '../engine/waiting/clock.ts';
import { beginWait, waitChange } from '../engine/waiting/on-record.ts';
import { ensureHome } from '../store/home.ts';
import { withLock } from '../store/lock.ts';
import type { Sidecar, Waiting } from '../store/records.ts';
import { writeSidecar } from '../store/sidecars.ts';
import { limitAtEnd } from '../text/limit.ts';
import { type HookCall, type HookResult, SILENT } from './call.ts';
import { forEachRun, readSessionEvent, runOfSession, type SessionEvent } from './session-runs.ts';

/** Whatever else ended the turn will not end by waiting. */
const LIMITS: readonly string[] = [
  'rate_limit',
  'server_error',
  'authentication_failed',
  'billing_error',
] satisfies SessionLimit['what'][];

export async function stopFailureHook(call: HookCall): Promise<HookResult> {
  try {
    await noteLimit(call);
  } catch {
    // As said above.
  }
  return SILENT;
}

async function noteLimit(call: HookCall): Promise<void> {
  const what = textField(parseObject(call.input ?? '') ?? {}, 'error') ?? '';
  const event = await readSessionEvent(call);
  if (event === null || event.runs.length === 0) return;
  const { project, stop } = event.context;
  const live = { ...event, runs: event.runs.filter((here) => isLive(here, event.context)) };
  if (live.runs.length === 0) return;
  ensureHome(project.root);
  await forEachRun(live, (here) => workEnds(here, event.context));
  if (!LIMITS.includes(what)) return;
  const known = limitInTranscript(what, event);
  await waitForLimit(live, { what, until: known?.resetsAt ?? null });
  // Only this kind has a time.
  if (what !== 'rate_limit' || known !== null || stop.transcriptPath === null) return;
  const until = (await comesLate(() => limitInTranscript(what, event)))?.resetsAt ?? null;
  if (until !== null) await waitForLimit(live, { what, until });
}

/** One that is over, or stale, waits for nothing. */
function isLive({ workflow, run }: RunHere, { project }: StopContext): boolean {
  const name = runName(workflow.name, run);
  return workflow.unfinishedRuns(project).some((unfinished) => unfinished.run === name);
}

type Limit = Pick<Waiting, 'what' | 'until'>;

function waitForLimit(event: SessionEvent, limit: Limit): Promise<void> {
  const { project, runtime } = event.context;
  return forEachRun(event, (here) =>
    withLock(project.home, runtime.lockPatienceMs, async () => {
      const run = runOfSession(here, event.context);
      const sidecar = run === null ? null : withLimit(run.sidecar, limit, project.now);
      if (sidecar === null) return;
      writeSidecar(project.root, sidecar);
      for (const { what, wait } of waitChange(run?.sidecar.waiting, sidecar.waiting))
        if (what === 'began') await noteBegun(event.context, sidecar.run, wait);
    }),
  );
}

/** Nobody waits for this hook, so whoever is to be called is called from here. */
async function noteBegun(context: StopContext, name: string, wait: Waiting): Promise<void> {
  journalWait(context, name, wait);
  if (context.project.config.notify.length === 0) return;
  const [{ newsOfLimit }, { callAbout }] = await Promise.all([
    import('../engine/notify/news.ts'),
    import('../engine/notify/call.ts'),
  ]);
  callAbout([newsOfLimit(wait, name)], context.project);
}

/** The hours of a budget do not count while its session is away. */
async function workEnds(here: RunHere, context: StopContext): Promise<void> {
  const { project } = context;
  const name = runOfSession(here, context)?.sidecar.run ?? null;
  if (name === null || !hasBudget(project, name)) return;
  const { noteWork } = await import('../engine/budget/note-work.ts');
  noteWork(project, name, 'ends');
}

/** Null: it stays as it is, with a question that is open. */
function withLimit(sidecar: Sidecar, limit: Limit, now: number): Sidecar | null {
  const { waiting } = sidecar;
  if (waiting?.for === 'person' && !isOver(waiting, now)) return null;
  // It was away already.
  const isSame = waiting?.for === 'limit' && waiting.reviewer === undefined;
  if (isSame) return { ...sidecar, waiting: { ...waiting, ...limit } };
  return beginWait(sidecar, { for: 'limit', since: now, ...limit }, now);
}

/** In the transcript. Not one that has ended: it stands there from before, and the new one is still to come. */
function limitInTranscript(what: string, { context: { stop, project } }: SessionEvent): SessionLimit | null {
  const limit = limitAtEnd(stop.transcriptPath, clientNamed(stop.client).readTranscriptLine);
  if (limit === null || limit.what !== what) return null;
  return limit.resetsAt === null || limit.resetsAt > project.now ? limit : null;
}

/** Claude Code writes its transcript on a 100 ms timer (2.1.197). */
async function comesLate<T>(look: () => T | null): Promise<T | null> {
  for (let waits = 0; waits < 10; waits++) {
    await new Promise((resolve) => setTimeout(resolve, 25));
    const found = look();
    if (found !== null) return found;
  }
  return null;
}

// At a session's start: after a compaction the agent is given back what was written down before it, and after /clear
// or a fork the user is shown how to take a run over. Nothing is bound here but the run of `holdfast run`, by its token.

import type { Client } from '../clients/client.ts';
import { wellFormed } from '../clients/encode.ts';
import { clientNamed } from '../clients/index.ts';
import type { StopContext } from '../engine/context.ts';
import { writeJournal } from '../engine/stop/journal.ts';
import { notices } from '../engine/stop/notices.ts';
import { findUnclaimedRuns } from '../engine/stop/unclaimed-runs.ts';
import { waitingNow } from '../engine/waiting/clock.ts';
import { openQuestionLine } from '../engine/waiting/words.ts';
import type { UnfinishedRun } from '../engine/workflow.ts';
import { DRIVER_VARIABLE } from '../store/environment.ts';
import { type HookCall, type HookResult, SILENT } from './call.ts';
import { forPerson } from './for-person.ts';
import { forEachRun, readSessionEvent, runOfSession, type SessionEvent } from './session-runs.ts';

export async function sessionStartHook(call: HookCall): Promise<HookResult> {
  const event = await readSessionEvent(call);
  if (event === null) return SILENT;
  const { source } = event.payload;
  if (DRIVER_VARIABLE in call.runtime.env && (source === 'startup' || source === 'resume'))
    await bindRun(event, source === 'resume');
  const unclaimed = await unclaimedIn(event.context);
  const notice = unclaimed.length === 0 ? null : notices.unclaimed(unclaimed, event.context.project.cli);
  const back = source === 'compact' ? await givenBack(event) : null;
  const { stop, project } = event.context;
  const client = clientNamed(stop.client);
  if (!client.hidesNotices) return say(forPerson(notice, client, event.context.runtime), back, client);
  const { takeNotices } = await import('../engine/stop/hidden-notices.ts');
  return say(notice, joined(back, takeNotices(project, notice)), client);
}

/** Only the session that `holdfast run` started, and only once. Its driver sees it where that fails. */
async function bindRun({ context }: SessionEvent, resumes: boolean): Promise<void> {
  try {
    const { bindByDriver } = await import('../engine/driver/bind.ts');
    await bindByDriver(context, resumes);
  } catch (error) {
    writeJournal(context, { kind: 'failed', name: null, error });
  }
}

/** What cannot be shown now, the next stop shows; what the agent is given back must not be lost with it. */
async function unclaimedIn(context: StopContext): Promise<readonly UnfinishedRun[]> {
  try {
    return await findUnclaimedRuns(context);
  } catch (error) {
    writeJournal(context, { kind: 'failed', name: null, error });
    return [];
  }
}

async function givenBack(event: SessionEvent): Promise<string | null> {
  const texts: string[] = [];
  // One question is on record in every run that waits for the answer.
  const questions = new Set<string>();
  await forEachRun(event, async (here) => {
    const run = runOfSession(here, event.context);
    const text = (await run?.workflow.afterCompaction?.(run.context)) ?? null;
    if (text !== null) texts.push(text);
    const waiting = run === null ? null : waitingNow(run.sidecar, event.context.project.now);
    if (waiting?.for === 'person') questions.add(openQuestionLine(waiting));
  });
  texts.push(...questions);
  return texts.length === 0 ? null : texts.join('\n\n');
}

function joined(...texts: readonly (string | null)[]): string | null {
  const there = texts.filter((text) => text !== null);
  return there.length === 0 ? null : there.join('\n\n');
}

/** `additionalContext` reaches the model; `systemMessage` is for the user. */
function say(notice: string | null, context: string | null, { contextOnTop }: Client): HookResult {
  if (notice === null && context === null) return SILENT;
  const given = context === null ? {} : { additionalContext: wellFormed(context) };
  const answer = {
    ...(notice === null ? {} : { systemMessage: wellFormed(notice) }),
    ...(context === null || contextOnTop
      ? given
      : { hookSpecificOutput: { hookEventName: 'SessionStart', ...given } }),
  };
  return { ...SILENT, stdout: JSON.stringify(answer) };
}

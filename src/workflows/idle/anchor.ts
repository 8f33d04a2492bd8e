// The compaction anchor: before the client compacts the conversation, goal and standing are posted to the topic
// `loop:anchor`; afterwards they are given back to the agent. Loaded by those two hooks alone.

import type { RunContext } from '../../engine/context.ts';
import type { Commit } from '../../engine/workflow.ts';
import { isObject, parseJson } from '../../store/json.ts';
import { render } from '../../text/render.ts';
import { isActive } from './decide.ts';
import anchorText from './messages/anchor.md';
import filesText from './messages/files.md';
import filesNone from './messages/files-none.md';
import filesUnknown from './messages/files-unknown.md';
import { describeTask, endingOf } from './messages.ts';
import { isMode } from './modes.ts';
import { modifiedFiles } from './modified-files.ts';
import { observe, observeOnly } from './observe.ts';
import { countOf, timestamp } from './state-format.ts';
import { taskOfFrame } from './task.ts';
import { HOOK_REACH, latestOf, post } from './topic-log.ts';

export const ANCHOR_TOPIC = 'loop:anchor';

const NEXT_STEP = 'look at the files as they are, see what of the task is still missing, and go on with it.';

/** Null when no loop of this session is under way: then there is nothing to come back to. */
export async function writeAnchor(context: RunContext): Promise<Commit | null> {
  const { root, now, env } = context.project;
  if (!isActive(observeOnly(context).state, context.now)) return null;
  // First: from the look that follows to what is written there must be no pause (jwz-lock.ts).
  const files = await modifiedFiles(root, env);
  const seen = observe(context);
  if (!isActive(seen.state, context.now)) return null;
  const { found } = seen.world;
  const top = seen.state.stack.at(-1);
  const anchor = {
    schema: 1,
    event: 'ANCHOR',
    run_id: context.run,
    updated_at: timestamp(now),
    mode: top?.mode ?? 'unknown',
    iteration: top?.iter ?? 0,
    max: top?.max ?? 0,
    goal: describeTask(taskOfFrame(found.raw?.stack.at(-1), found, root)),
    modified_files: files,
    next_step: NEXT_STEP,
  };
  const { log } = latestOf(ANCHOR_TOPIC, root, null, HOOK_REACH);
  const write = post(root, ANCHOR_TOPIC, log, JSON.stringify(anchor), now);
  return { writes: [write], stateHash: seen.stateHash, saved: context.saved };
}

/** Null unless the anchor is this loop's and the loop still goes on. */
export function giveAnchorBack(context: RunContext): string | null {
  const seen = observeOnly(context);
  if (!isActive(seen.state, context.now)) return null;
  const latest = latestOf(ANCHOR_TOPIC, context.project.root, null, HOOK_REACH);
  const anchor = latest.kind === 'message' ? parseJson(latest.body) : undefined;
  if (!isObject(anchor) || anchor.run_id !== context.run || !isMode(anchor.mode)) return null;
  return render(anchorText, {
    run: context.run,
    mode: anchor.mode,
    iteration: countOf(anchor.iteration, 0),
    max: countOf(anchor.max, 0),
    goal: textOf(anchor.goal),
    files: describeFiles(anchor.modified_files),
    next: textOf(anchor.next_step),
    ending: endingOf(anchor.mode, seen.world.found.raw?.stack.at(-1)?.until),
  });
}

/** The log is a file like any other: nothing in it may flood the agent's new context. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 2500) : '';
}

function describeFiles(value: unknown): string {
  if (!Array.isArray(value)) return render(filesUnknown, {});
  const names = value.filter((name) => typeof name === 'string').slice(0, 30);
  if (names.length === 0) return render(filesNone, {});
  return render(filesText, { list: names.map((name) => `- ${name.slice(0, 200)}`).join('\n') });
}

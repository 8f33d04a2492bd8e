// The loop as its files have it: the topic's last message, or the fallback file, and the tasks of its frames. A message
// is put back into a topic of its own: the rest of the log was not ours.

import path from 'node:path';
import type { RunContext } from '../../engine/context.ts';
import type { InFiles } from '../../engine/workflow.ts';
import { Refused, readInside } from '../../store/files.ts';
import { homeOf } from '../../store/home.ts';
import { privateMode } from '../../store/owner.ts';
import { fallbackPath, TOPIC } from './files.ts';
import { readLoop } from './read-loop.ts';
import { readSaved } from './saved.ts';
import { HOOK_REACH, post } from './topic-log.ts';

export function inFiles({ project, run, saved }: Pick<RunContext, 'project' | 'run' | 'saved'>): InFiles {
  const { root, now } = project;
  const found = readLoop(root, readSaved(saved), HOOK_REACH);
  const { state, source, text, raw } = found;
  const isLive = state.kind === 'loop' && state.event === 'STATE' && state.stack.length > 0;
  // An ended loop in the log is one that was there before this one: an older log came back.
  if (found.run !== run) return isLive ? { kind: 'over' } : { kind: 'gone' };
  if (!isLive) return { kind: 'over' };
  const written =
    source === 'file'
      ? ({ kind: 'replace', path: fallbackPath(root), content: text } as const)
      : post(root, TOPIC, null, text, now);
  const tasks = (raw?.stack ?? []).flatMap(({ prompt_file }) => taskFile(prompt_file, root));
  return { kind: 'live', writes: [...tasks, written] };
}

/** A name out of the state: only a regular file inside the project is read. */
function taskFile(name: unknown, root: string) {
  if (typeof name !== 'string' || name.includes('\0')) return [];
  const file = path.resolve(root, name);
  const content = readQuietly(file, root);
  const mode = privateMode(homeOf(root));
  return content === null ? [] : [{ kind: 'replace', path: file, content, mode } as const];
}

function readQuietly(file: string, root: string): string | null {
  try {
    return readInside(file, root, 1024 * 1024);
  } catch (error) {
    if (error instanceof Refused) return null; // The loop goes on without its task's text.
    throw error;
  }
}

// Where a loop's files are: the log of topics, the fallback file, and the tasks of its frames.

import path from 'node:path';
import { homeOf } from '../../store/home.ts';
import { below } from '../../store/paths.ts';

export const LOG_FILE = '.jwz/messages.jsonl';
/** The topic in the log whose latest message is the loop's state. */
export const TOPIC = 'loop:current';
export const FALLBACK_FILE = '.claude/idle-loop.local.md';

export function logPath(root: string): string {
  return below(root, LOG_FILE);
}

export function fallbackPath(root: string): string {
  return below(root, FALLBACK_FILE);
}

/** Where a new frame's task is written; its path in the state is relative to the project. */
export function promptFile(root: string, frame: string): { path: string; inState: string } {
  const file = below(homeOf(root), `idle/${frame}.md`);
  return { path: file, inState: path.relative(root, file) };
}

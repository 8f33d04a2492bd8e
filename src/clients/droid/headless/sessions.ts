// Where Droid 0.225.2 keeps a session: `sessions/<start folder>/<session>.jsonl`.

import fs from 'node:fs';
import type { Environment } from '../../../store/environment.ts';
import { below } from '../../../store/paths.ts';
import { homeFolder } from '../../../store/user-folders.ts';
import { isPlainId, namesIn, reading } from '../../start-folder.ts';
import { readTranscriptLine } from '../transcript.ts';

const HEAD = 1024 * 1024;

/** A session without a prompt knows nothing that a new one does not. */
export function hasPrompt(session: string, env: Environment): boolean {
  if (!isPlainId(session)) return false;
  const sessions = below(homeFolder(env), '.factory/sessions');
  return namesIn(sessions)
    .map((name) => below(sessions, `${name}/${session}.jsonl`))
    .some((file) => reading(file, firstPrompt) !== null);
}

/** What it tells its model of the project stands there as a user's, under an id of its own. */
function firstPrompt(descriptor: number): string | null {
  const head = Buffer.alloc(HEAD);
  const count = fs.readSync(descriptor, head, 0, HEAD, 0);
  const lines = head.toString('utf8', 0, count).split('\n');
  return lines.find((line) => isPrompt(line)) ?? null;
}

function isPrompt(line: string): boolean {
  const read = line.includes('"user"') ? readTranscriptLine(line) : null;
  return read?.startsTurn === true && !read.marker.startsWith('context-');
}

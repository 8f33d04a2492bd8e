// Where Droid 0.225.2 keeps a session: `sessions/<start folder>/<session>.jsonl`.

import type { Environment } from '../../../store/environment.ts';
import { below } from '../../../store/paths.ts';
import { homeFolder } from '../../../store/user-folders.ts';
import { firstLines } from '../../headless/first-lines.ts';
import { isPlainId, namesIn } from '../../start-folder.ts';
import { readTranscriptLine } from '../transcript.ts';

/** A session without a prompt knows nothing that a new one does not. */
export function hasPrompt(session: string, env: Environment): boolean {
  if (!isPlainId(session)) return false;
  const sessions = below(homeFolder(env), '.factory/sessions');
  return namesIn(sessions)
    .map((name) => below(sessions, `${name}/${session}.jsonl`))
    .some((file) => firstLines(file).some(isPrompt));
}

/** What it tells its model of the project stands there as a user's, under an id of its own. */
function isPrompt(line: string): boolean {
  const read = line.includes('"user"') ? readTranscriptLine(line) : null;
  return read?.startsTurn === true && !read.marker.startsWith('context-');
}

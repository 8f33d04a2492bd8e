// Where Gemini CLI 0.61.0 keeps a session: `tmp/<project>/chats/session-<time>-<the id's first part>.jsonl`. It resumes
// those alone that began in the project.

import type { Environment } from '../../../store/environment.ts';
import { below } from '../../../store/paths.ts';
import { firstLines } from '../../headless/first-lines.ts';
import { isPlainId, namesIn } from '../../start-folder.ts';
import { geminiFolder } from '../folder.ts';
import { readTranscriptLine } from '../transcript.ts';

/** A session without a prompt it does not find again. */
export function hasPrompt(session: string, root: string, env: Environment): boolean {
  if (!isPlainId(session)) return false;
  const projects = below(geminiFolder(env), 'tmp');
  const chats = namesIn(projects)
    .map((name) => below(projects, name))
    .filter((folder) => firstLines(below(folder, '.project_root'))[0]?.trim() === root)
    .map((folder) => below(folder, 'chats'));
  const files = chats.flatMap((folder) =>
    namesIn(folder)
      .filter((name) => name.endsWith(`-${session.slice(0, 8)}.jsonl`))
      .map((name) => below(folder, name)),
  );
  return files.some((file) => isResumable(firstLines(file), session));
}

function isResumable([first = '', ...lines]: readonly string[], session: string): boolean {
  return first.includes(`"sessionId":"${session}"`) && lines.some(isPrompt);
}

/** What it tells its model of the project stands there as a user's, in a line that sets the whole conversation. */
function isPrompt(line: string): boolean {
  const read = line.includes('"user"') ? readTranscriptLine(line) : null;
  return read?.startsTurn === true && read.startedBy !== 'background';
}

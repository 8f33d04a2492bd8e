// Where Gemini CLI 0.61.0 keeps a session: `tmp/<project>/chats/session-<time>-<the id's first part>.jsonl`. It resumes
// those alone that began in the project.

import fs from 'node:fs';
import type { Environment } from '../../../store/environment.ts';
import { below } from '../../../store/paths.ts';
import { isPlainId, namesIn, reading } from '../../start-folder.ts';
import { geminiFolder } from '../folder.ts';
import { readTranscriptLine } from '../transcript.ts';

const HEAD = 1024 * 1024;

/** A session without a prompt it does not find again. */
export function hasPrompt(session: string, root: string, env: Environment): boolean {
  if (!isPlainId(session)) return false;
  const projects = below(geminiFolder(env), 'tmp');
  const chats = namesIn(projects)
    .map((name) => below(projects, name))
    .filter((folder) => reading(below(folder, '.project_root'), textOf)?.trim() === root)
    .map((folder) => below(folder, 'chats'));
  const files = chats.flatMap((folder) =>
    namesIn(folder)
      .filter((name) => name.endsWith(`-${session.slice(0, 8)}.jsonl`))
      .map((name) => below(folder, name)),
  );
  return files.some((file) => reading(file, (descriptor) => promptIn(textOf(descriptor), session)) !== null);
}

function promptIn(text: string, session: string): string | null {
  const [first = '', ...lines] = text.split('\n');
  if (!first.includes(`"sessionId":"${session}"`)) return null;
  return lines.find((line) => line.includes('"user"') && isPrompt(line)) ?? null;
}

/** What it tells its model of the project stands there as a user's, in a line that sets the whole conversation. */
function isPrompt(line: string): boolean {
  const read = readTranscriptLine(line);
  return read?.startsTurn === true && read.startedBy !== 'background';
}

function textOf(descriptor: number): string {
  const head = Buffer.alloc(HEAD);
  return head.toString('utf8', 0, fs.readSync(descriptor, head, 0, HEAD, 0));
}

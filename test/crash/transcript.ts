// The transcript that the agent's client writes beside its stops. Not of recorded lines, as test/toy/transcript.ts has
// them: their tokens would count.

import fs from 'node:fs';
import type { Bench } from './bench.ts';

const FILE = 'transcript.jsonl';

let lines = 0;

export type Line = { type: 'user' | 'assistant'; message: object; turnOrigin?: string };

export function write(bench: Bench, line: Line): void {
  // As long as an id is, so that two moments which differ in it look the same.
  const id = `line${String(++lines).padStart(16, '0')}`;
  const message = { id, ...line.message };
  const entry = { ...line, uuid: id, timestamp: new Date().toISOString(), message };
  fs.appendFileSync(bench.at(FILE), `${JSON.stringify(entry)}\n`);
}

export function usesTool(bench: Bench, more: object = {}): void {
  const content = [{ type: 'tool_use', id: 'call', name: 'Bash' }];
  write(bench, { type: 'assistant', message: { content, ...more } });
}

/**
 * The agent works, says something and stops; what its stop sends of that. Words that are not in the transcript are waited
 * for, by every stop.
 */
export function says(bench: Bench, text = 'There is more to do.'): object {
  usesTool(bench);
  write(bench, { type: 'assistant', message: { content: [{ type: 'text', text }] } });
  return { transcript_path: bench.at(FILE), last_assistant_message: text };
}

/** With the turn as the client numbers it: another one for each prompt. */
export function saysInTurn(bench: Bench): object {
  const prompts = fs.readFileSync(bench.at(FILE), 'utf8').split('"type":"user"').length - 1;
  return { ...says(bench), prompt_id: `turn-${prompts}` };
}

// Transcripts as the clients write them: recorded lines with new ids, added to a file line by line.

import fs from 'node:fs';
import path from 'node:path';
import { recordedLines } from '../support/recorded.ts';

export type Transcript = {
  file: string;
  /** The agent says something. */
  says(text: string): void;
  /** The agent calls a tool. */
  calls(tool: string): void;
};

let lines = 0;

export function claudeTranscript(file: string): Transcript & { sidechainCalls(tool: string): void } {
  const said = template('claude-code/transcript-hold.jsonl', '"text":"Looking at the folder."');
  const called = template('claude-code/transcript-hold.jsonl', '"type":"tool_use","id":"toolu_mock000001"');
  const add = (line: string, change: object): void => {
    const uuid = `00000000-0000-4000-9000-${String(++lines).padStart(12, '0')}`;
    append(file, { ...JSON.parse(line), ...change, uuid });
  };
  return {
    file,
    says: (text) => add(said.replace('Looking at the folder.', text), {}),
    calls: (tool) => add(called.replace('"name":"Bash"', `"name":"${tool}"`), {}),
    sidechainCalls: (tool) => add(called.replace('"name":"Bash"', `"name":"${tool}"`), { isSidechain: true }),
  };
}

export function codexTranscript(file: string): Transcript {
  const said = template('codex/transcript-hold.jsonl', '"role":"assistant"');
  const called = template('codex/transcript-hold.jsonl', '"name":"exec_command"');
  const add = (line: string, ordinal: number): void => append(file, { ...JSON.parse(line), ordinal });
  return {
    file,
    says: () => add(said, ++lines),
    calls: (tool) => add(called.replace('"name":"exec_command"', `"name":"${tool}"`), ++lines),
  };
}

function template(recording: string, part: string): string {
  const line = recordedLines(recording).find((each) => each.includes(part));
  if (line === undefined) throw new Error(`${recording} holds no line with ${part}`);
  return line;
}

function append(file: string, entry: object): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.appendFileSync(file, `${JSON.stringify(entry)}\n`);
}

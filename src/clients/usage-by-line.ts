// Tokens of a client whose transcript has a line for each answer of a model, in which what was read from the cache is part
// of the input.

import type { Payload } from './client.ts';
import { parseObject, textField, writtenAt } from './fields.ts';
import { addUp, countIn, type LineUsage, type UsageReader } from './usage.ts';

export type AnswerLine = {
  /** Stands in every such line: parsing is what costs. */
  sign: string;
  /** The field that names the answer. */
  id: string;
  /** The part of the line that holds the numbers; null: it is another line. */
  usedIn(entry: Payload): Payload | null;
  /** The names of the numbers. */
  input: string;
  cached: string;
  output: readonly string[];
};

export function usageByLine(answer: AnswerLine): UsageReader {
  return {
    totals: false,
    files: ({ transcriptPath }) => (transcriptPath === null ? [] : [transcriptPath]),
    timeOf(line) {
      const entry = parseObject(line);
      return (entry && writtenAt(entry).at) ?? null;
    },
    read: (line) => (line.includes(answer.sign) ? readAnswer(line, answer) : null),
  };
}

function readAnswer(line: string, answer: AnswerLine): LineUsage | null {
  const entry = parseObject(line);
  const used = entry && answer.usedIn(entry);
  const id = entry && textField(entry, answer.id);
  if (!entry || !used || !id) return null;
  const cacheRead = countIn(used, answer.cached);
  const input = Math.max(0, countIn(used, answer.input) - cacheRead);
  const output = answer.output.map((name) => countIn(used, name));
  return { kind: 'message', id, tokens: addUp(input, ...output), cacheRead, at: writtenAt(entry).at ?? null };
}

// Tokens in Claude Code's transcripts (2.1.325): each message's final usage stands in a line for each of its parts; its
// subagents write files of their own beside the session's.

import fs from 'node:fs';
import path from 'node:path';
import { objectField, parseObject, textField, writtenAt } from '../fields.ts';
import type { Stop } from '../stop.ts';
import { addUp, countIn, type LineUsage, type UsageReader } from '../usage.ts';

/** More subagents than this in one session nobody has seen. */
const MOST_FILES = 2000;

export const usage: UsageReader = { totals: false, files, timeOf, read };

function files({ transcriptPath }: Stop): readonly string[] {
  if (transcriptPath === null) return [];
  const folder = path.join(transcriptPath.replace(/\.jsonl$/, ''), 'subagents');
  const names = namesIn(folder).filter((name) => /^agent-.+\.jsonl$/.test(name));
  return [transcriptPath, ...names.sort().map((name) => path.join(folder, name))].slice(0, MOST_FILES);
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return []; // The session has had no subagent.
  }
}

function timeOf(line: string): number | null {
  const entry = parseObject(line);
  return (entry && writtenAt(entry).at) ?? null;
}

function read(line: string): LineUsage | null {
  // Parsing is what costs.
  if (!line.includes('"usage"')) return null;
  const entry = parseObject(line);
  if (entry === null || entry.type !== 'assistant') return null;
  const message = objectField(entry, 'message');
  const used = message && objectField(message, 'usage');
  const id = message && textField(message, 'id');
  if (!used || !id) return null;
  const written = countIn(used, 'cache_creation_input_tokens');
  return {
    kind: 'message',
    id,
    tokens: addUp(countIn(used, 'input_tokens'), written, countIn(used, 'output_tokens')),
    cacheRead: countIn(used, 'cache_read_input_tokens'),
    at: writtenAt(entry).at ?? null,
  };
}

// Is there a prompt in a transcript? A client that was killed at its very start may have written none, and then there is
// nothing to go on with.

import fs from 'node:fs';
import type { LineReader } from '../client.ts';
import { reading } from '../start-folder.ts';

/** What a client writes before the first prompt, its own words to the model among it, is a part of this. */
const HEAD = 1024 * 1024;

/** One that cannot be read has none. */
export function hasPrompt(transcript: string, read: LineReader): boolean {
  const isPrompt = (line: string): boolean => read(line)?.startsTurn === true;
  return reading(transcript, (descriptor) => headOf(descriptor).find(isPrompt) ?? null) !== null;
}

function headOf(descriptor: number): string[] {
  const head = Buffer.alloc(HEAD);
  const count = fs.readSync(descriptor, head, 0, HEAD, 0);
  return head.toString('utf8', 0, count).split('\n');
}

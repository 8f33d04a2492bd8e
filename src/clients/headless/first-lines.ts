// How a session's file begins. A client that was killed at its very start may have written no prompt, and then there is
// nothing to go on with.

import fs from 'node:fs';
import type { LineReader } from '../client.ts';
import { reading } from '../start-folder.ts';

/** What a client writes before the first prompt, its own words to the model among it, is a part of this. */
const HEAD = 1024 * 1024;

/** One that cannot be read has none. */
export function firstLines(file: string): string[] {
  return (reading(file, headOf) ?? '').split('\n');
}

export function hasPrompt(transcript: string, read: LineReader): boolean {
  return firstLines(transcript).some((line) => read(line)?.startsTurn === true);
}

function headOf(descriptor: number): string {
  const head = Buffer.alloc(HEAD);
  return head.toString('utf8', 0, fs.readSync(descriptor, head, 0, HEAD, 0));
}

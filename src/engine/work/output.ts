// What a reviewer or a check printed, as far as it is read: from the descriptors that it was given, or, where its hook is
// gone, from the same files in the user's state folder.

import fs from 'node:fs';
import { isPassing } from '../../store/files.ts';
import { type OutputName, type OutputsOf, openNewOutput, openOutput } from '../../store/outputs.ts';

const MEGABYTE = 1024 * 1024;
const READ_AT_MOST = 32 * MEGABYTE;
export const MOST_MEGABYTES_READ = READ_AT_MOST / MEGABYTE;

/** A new one for a program to print into, kept open until `use` is done with what it printed. */
export async function withNewOutput<T>(
  whose: OutputsOf,
  attempt: string,
  use: (output: number) => Promise<T>,
  name: OutputName = 'stdout',
): Promise<T> {
  const output = openNewOutput(whose, attempt, name);
  try {
    return await use(output);
  } finally {
    fs.closeSync(output);
  }
}

/** What an attempt printed on standard output that nobody has open any more. */
export function withLeftOutput<T>(whose: OutputsOf, attempt: string, use: (stdout: number | null) => T): T {
  const stdout = openLeft(whose, attempt);
  try {
    return use(stdout);
  } finally {
    if (stdout !== null) fs.closeSync(stdout);
  }
}

function openLeft(whose: OutputsOf, attempt: string): number | null {
  try {
    return openOutput(whose, attempt, 'stdout');
  } catch (error) {
    // What a reviewer said is still there at the next stop; as "no verdict" it would be paid for again.
    if (isPassing(error)) throw error;
    return null;
  }
}

export function isFlooded(output: number): boolean {
  return fs.fstatSync(output).size > READ_AT_MOST;
}

/** A reviewer that floods its output has no verdict in it. */
export function readText(output: number | null): string {
  if (output === null || isFlooded(output)) return '';
  const { size } = fs.fstatSync(output);
  return readFrom(output, 0, size).toString('utf8');
}

/** From its own place, wherever the program that writes it stands. */
export function readFrom(output: number, from: number, length: number): Buffer {
  const bytes = Buffer.alloc(Math.max(0, length));
  let read = 0;
  while (read < bytes.length) {
    const count = fs.readSync(output, bytes, read, bytes.length - read, from + read);
    if (count === 0) break;
    read += count;
  }
  return bytes.subarray(0, read);
}

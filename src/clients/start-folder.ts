// What clients share in finding the folder in which a session was started. A command in the agent's shell knows only
// its own folder, and an agent may have gone elsewhere; the client's transcript tells.

import fs from 'node:fs';
import { isObject } from '../store/json.ts';
import { openOwn } from '../store/open.ts';

/** Ids come from the environment and become part of a path. */
export const isPlainId = (id: string): boolean => /^[A-Za-z0-9][A-Za-z0-9-]{0,63}$/.test(id);

export function cwdOf(entry: unknown): string | null {
  return isObject(entry) && typeof entry.cwd === 'string' && entry.cwd.startsWith('/') ? entry.cwd : null;
}

/** What cannot be read tells nothing: the command goes on by its own folder. */
export function reading(file: string, read: (descriptor: number) => string | null): string | null {
  let descriptor: number | null = null;
  try {
    descriptor = openOwn(file);
    return descriptor === null ? null : read(descriptor);
  } catch {
    return null;
  } finally {
    if (descriptor !== null) fs.closeSync(descriptor);
  }
}

export function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}

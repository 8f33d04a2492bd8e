// Whether a client's session lives: a process that carries its id, in its environment, on its command line, or in the
// name of a file that it has open (a transcript). Where there is no /proc, nothing is known of it.

import fs from 'node:fs';
import path from 'node:path';
import { readSystem } from '../store/open.ts';

/** One of them, other than this one; null: none is seen. `variables`: those that clients put the id into. */
export function processOfSession(
  session: string,
  variables: readonly string[],
  folder = '/proc',
): number | null {
  if (!fs.existsSync(`${folder}/self/stat`)) return null;
  const pids = fs.readdirSync(folder).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  const marks = variables.map((name) => `${name}=${session}`);
  const found = pids.find((pid) => {
    const place = `${folder}/${pid}`;
    return (
      wordsIn(`${place}/environ`).some((word) => marks.includes(word)) ||
      wordsIn(`${place}/cmdline`).includes(session) ||
      openFilesOf(place).some((file) => isNamedAfter(session, file))
    );
  });
  return found === undefined ? null : Number(found);
}

/** `<session>.jsonl`, `rollout-<time>-<session>.jsonl`. */
function isNamedAfter(session: string, file: string): boolean {
  const { name } = path.parse(file);
  return name === session || name.endsWith(`-${session}`);
}

function wordsIn(file: string): string[] {
  try {
    return readSystem(file, 'utf8').split('\0');
  } catch {
    return []; // Ended meanwhile, or another user's.
  }
}

function openFilesOf(place: string): string[] {
  try {
    return fs.readdirSync(`${place}/fd`).map((name) => linkTo(`${place}/fd/${name}`));
  } catch {
    return []; // As above.
  }
}

function linkTo(file: string): string {
  try {
    return fs.readlinkSync(file);
  } catch {
    return ''; // Closed meanwhile.
  }
}

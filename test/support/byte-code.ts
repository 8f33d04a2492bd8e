// The byte code that Holdfast keeps in a user's state folder, shared among the homes of tests: thousands of them are
// made, and compiling everything anew in each was a fifth of all that the fast suite took.

import fs from 'node:fs';
import path from 'node:path';
import { suiteFolder } from './suite-folder.ts';

const shared = suiteFolder('byte-code');

const codeIn = (home: string): string => path.join(home, '.local/state/holdfast/code');

/** What earlier tests left; links to the same files, so it costs next to nothing. */
export function giveByteCode(home: string): void {
  const names = namesIn(shared);
  if (names.length === 0) return;
  fs.mkdirSync(codeIn(home), { recursive: true, mode: 0o700 });
  for (const name of names) link(path.join(shared, name), path.join(codeIn(home), name));
}

/** What this home has and nobody gave it, of the builds that all tests use. */
export function keepByteCode(home: string): void {
  const names = namesIn(codeIn(home)).filter(isOfSharedBuild);
  if (names.length === 0) return;
  fs.mkdirSync(shared, { recursive: true, mode: 0o700 });
  for (const name of names) link(path.join(codeIn(home), name), path.join(shared, name));
}

let builds: ReadonlySet<string> | undefined;

/** Byte code is named after the file it was made of, its inode included: entry.cjs, keyOf. */
function isOfSharedBuild(name: string): boolean {
  builds ??= new Set(
    ['dist', '.test-build/toy'].flatMap((build) => {
      const folder = path.join(build, 'holdfast/lib');
      return namesIn(folder).map((file) => `${file}-${fs.statSync(path.join(folder, file)).ino}`);
    }),
  );
  const [, file, inode] = /^(.+\.cjs)-\d+-\d+-(\d+)-/.exec(name) ?? [];
  return builds.has(`${file}-${inode}`);
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}

/** Another test's worker may have been faster, and a test may have taken the file away. */
function link(from: string, to: string): void {
  try {
    fs.linkSync(from, to);
  } catch {
    // It is made again when it is needed.
  }
}

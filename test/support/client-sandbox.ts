// The words of a client's own bwrap, as test/clients/record-sandbox.mjs keeps them.

import fs from 'node:fs';
import path from 'node:path';

const FOLDER = path.resolve(import.meta.dirname, '../fixtures/recorded/claude-code');

export const sandboxRecord = (version: string): string => path.join(FOLDER, `sandbox-${version}.txt`);

export const RECORDED_SANDBOXES = ['2.1.325', '2.1.162'];

/** What is denied below the project's folder, relative to it. */
export const recordedDenials = (version: string): string[] =>
  deniedBy(fs.readFileSync(sandboxRecord(version), 'utf8'));

/** What is mounted before the project's folder is only there to keep a folder in its place. */
export function deniedBy(record: string): string[] {
  const lines = record.split('\n');
  const after = lines.slice(lines.indexOf('--bind PROJECT PROJECT') + 1);
  return after.flatMap((line) => /^--(?:ro-bind \S+|tmpfs) PROJECT\/(.+)$/.exec(line)?.[1] ?? []);
}

const ARGUMENTS: Readonly<Record<string, number>> = {
  ...{ '--ro-bind': 2, '--bind': 2, '--setenv': 2, '--symlink': 2, '--cap-drop': 1, '--cap-add': 1 },
  ...{ '--tmpfs': 1, '--dev': 1, '--proc': 1, '--unsetenv': 1 },
};

/** A line for each option, up to the program. */
export function wordsOf(words: readonly string[]): string[] {
  const lines: string[] = [];
  for (let at = 0; at < words.length && words[at] !== '--'; ) {
    const count = 1 + (ARGUMENTS[words[at] ?? ''] ?? 0);
    lines.push(words.slice(at, at + count).join(' '));
    at += count;
  }
  return lines;
}

/** A script for sh that tries to write, to fill, to move and to remove each of these, and says how it went. */
export function probing(places: readonly string[]): string {
  const tries = ['printf x >>"$1"', 'mkdir -p "$1/probe"', 'mv "$1" "$1.away"', 'rm -r "$1"', 'rmdir "$1"'];
  return [
    `probe() { if (${tries.join(' || ')}) 2>/dev/null; then echo "probed $1: written"; else echo "probed $1: denied"; fi; }`,
    ...places.map((place) => `probe '${place}'`),
    '',
  ].join('\n');
}

export const probedIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/^probed (.+): (written|denied)\r?$/gm)].map(([, place, how]) => [place, how]),
  );

// What programs that we start print (reviewers, checks), in the user's state folder: in the project the agent, or the
// program itself, could put a link in its place. A folder for each attempt; of another user's nothing can be read.

import fs from 'node:fs';
import { disk } from './disk.ts';
import type { Environment } from './environment.ts';
import { removeQuietly, replaceFile } from './files.ts';
import { fingerprint } from './fingerprint.ts';
import { fileName } from './home.ts';
import { closeFolder, inFolder, openFolder, openInsideNoLink, openPipe, Refused, realPath } from './open.ts';
import { below } from './paths.ts';
import { makeUserFolder, makeUserFolderIn, userStateFolder } from './user-state.ts';

export type OutputsOf = { readonly root: string; readonly env: Environment };
export type OutputName = 'stdout' | 'stderr';

/** An id may come from a sidecar that was brought along: it leads to no other project's. */
export function outputFolder(whose: OutputsOf, attempt: string): string {
  return below(userStateFolder(whose.env), placeOf(whose, attempt));
}

/** Whether they are there or not. */
export function outputFiles(whose: OutputsOf, attempt: string): string[] {
  const folder = outputFolder(whose, attempt);
  return [below(folder, 'stdout'), below(folder, 'stderr')];
}

/** From an attempt's beginning to the moment that it is put away. */
export function hasOutputs(whose: OutputsOf, attempt: string): boolean {
  return fs.existsSync(outputFolder(whose, attempt));
}

export function makeOutputFolder(whose: OutputsOf, attempt: string): void {
  makeUserFolderIn(whose.env, 'attempts');
  makeUserFolderIn(whose.env, placeOf(whose, attempt));
}

/** New, in place of what an earlier try left. To be read again by this very descriptor. */
export function openNewOutput(whose: OutputsOf, attempt: string, name: OutputName): number {
  const wanted = below(makeUserFolder(whose.env), placeOf(whose, attempt));
  const folder = openFolder(wanted, fs.constants.O_NOFOLLOW);
  if (folder === null) throw new Refused(`${wanted} is not there any more, so nothing was started`);
  try {
    if (folder.real !== wanted) throw new Refused(`${wanted} is behind a link and is left alone; remove it`);
    return inFolder(folder, () => {
      const file = `${folder.way}/${name}`;
      disk.remove(file);
      return disk.createOutput(file);
    });
  } finally {
    closeFolder(folder);
  }
}

/**
 * For a program that prints all it says into one file: the pipe that leads there, under the name of the other one, by
 * which its family is found (processes/table.ts). Null where this system makes none.
 */
export function openOutputPipe(
  whose: OutputsOf,
  attempt: string,
  make: (place: string) => boolean,
): { reader: number; writer: number } | null {
  const place = below(makeUserFolder(whose.env), `${placeOf(whose, attempt)}/stderr`);
  disk.remove(place);
  try {
    return make(place) ? openPipe(place) : null;
  } finally {
    disk.remove(place);
  }
}

/** What a program is given beside its output, such as rules that it is held to. */
export function writeBesideOutputs(whose: OutputsOf, attempt: string, name: string, text: string): void {
  const state = makeUserFolder(whose.env);
  replaceFile(below(state, `${placeOf(whose, attempt)}/${name}`), text, state, 0o600);
}

/** Of an attempt whose hook is gone, or still runs; null: it left none. */
export function openOutput(whose: OutputsOf, attempt: string, name: OutputName): number | null {
  const folder = realPath(userStateFolder(whose.env));
  return folder === null
    ? null
    : openInsideNoLink(below(folder, `${placeOf(whose, attempt)}/${name}`), folder);
}

/** Mere tidying: what is left is swept one day. */
export function removeOutputs(whose: OutputsOf, attempt: string): void {
  removeQuietly(outputFolder(whose, attempt));
}

const placeOf = ({ root }: OutputsOf, attempt: string): string =>
  `attempts/${fingerprint(root)}-${fileName(attempt)}`;

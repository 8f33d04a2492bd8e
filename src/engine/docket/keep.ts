// docket.json on disk: read it, and say what is to be written when a review is taken up. Nothing is written here: the
// writes go into the commit of the verdict, before the state.

import fs from 'node:fs';
import path from 'node:path';
import { isDenied, isPassing, Refused, readInside } from '../../store/files.ts';
import { fingerprint } from '../../store/fingerprint.ts';
import { below } from '../../store/paths.ts';
import type { Write } from '../../store/writes.ts';
import { render } from '../../text/render.ts';
import { shellQuote } from '../../text/shell.ts';
import { addFindings, type Reviewed } from './add.ts';
import { docketText, parseDocket, salvageDocket } from './format.ts';
import notKept from './messages/not-kept.md';
import setAside from './messages/set-aside.md';
import { readFindings } from './review-file.ts';
import { type Docket, EMPTY_DOCKET } from './types.ts';

export const DOCKET = 'docket.json';

export type DocketPlace = {
  /** The folder it lies in, absolute. */
  folder: string;
  /** Real path of the folder that nothing may leave. */
  root: string;
  /** How the folder is named to people. */
  shown: string;
};

export type OpenedDocket = {
  docket: Docket;
  /** As it stands on disk; null: there is none. */
  text: string | null;
  /** It could not be understood, and what of it was kept. */
  broken: { salvaged: number; read: number } | null;
  /** Why it can be neither read nor written. */
  refused: string | null;
};

/** A review as it lies beside the docket, for one that has to be begun again. */
export type ReviewText = Omit<Reviewed, 'root'> & { text: string };

export function openDocket(place: DocketPlace, reviews: () => readonly ReviewText[]): OpenedDocket {
  const opened = { docket: EMPTY_DOCKET, text: null, broken: null, refused: null };
  const file = below(place.folder, DOCKET);
  // A repository could have it lead to a file of the project's, which would be written over.
  if (fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink())
    return { ...opened, refused: 'it is a link' };
  let text: string | null;
  try {
    text = readInside(file, place.root, READ_AT_MOST);
  } catch (error) {
    if (isPassing(error) || isDenied(error) || !(error instanceof Refused)) throw error;
    return { ...opened, refused: error.message };
  }
  // A reviewer's sandbox leaves an empty one behind where it is killed.
  if (text === null || text.trim() === '') return opened;
  const docket = parseDocket(text);
  return docket === null ? beginAgain(text, place, reviews()) : { ...opened, docket, text };
}

/** Without reading it, for a hold that only names it. */
export function isUsable(file: string): boolean {
  const found = fs.lstatSync(file, { throwIfNoEntry: false });
  return found?.isFile() === true && found.size <= READ_AT_MOST;
}

const READ_AT_MOST = 64 * 1024 * 1024;

/** What is to be written, and what a person has to know. */
export function keepDocket(
  opened: OpenedDocket,
  docket: Docket,
  place: DocketPlace,
  run: string,
): { writes: Write[]; notice: string | null; refused?: string } {
  const { text, broken, refused } = opened;
  const file = below(place.folder, DOCKET);
  const shown = `${place.shown}/${DOCKET}`;
  if (refused !== null) {
    const slots = { run, docket: shown, why: refused, quoted: shellQuote(file) };
    const notice = docket.findings.length === 0 ? null : render(notKept, slots, 'not-kept');
    return { writes: [], notice, refused };
  }
  const content = docketText(docket);
  const isNew = text === null ? docket.findings.length > 0 : content !== text;
  const writes: Write[] = isNew ? [{ kind: 'replace', path: file, content }] : [];
  if (broken === null || text === null) return { writes, notice: null };
  // Named by what is in it: a stop that is repeated makes no second one.
  const aside = `docket.broken-${fingerprint(text).slice(0, 8)}.json`;
  const kept: Write = { kind: 'replace', path: below(place.folder, aside), content: text };
  const slots = { run, docket: shown, aside: path.posix.join(place.shown, aside), ...broken };
  return { writes: [kept, ...writes], notice: render(setAside, slots, 'set-aside') };
}

/** The reviews of which nothing is left in the broken one are read as text. */
function beginAgain(text: string, { root }: DocketPlace, reviews: readonly ReviewText[]): OpenedDocket {
  const salvaged = salvageDocket(text);
  const there = new Set(salvaged.findings.map(({ review }) => review));
  let docket = salvaged;
  for (const { text: written, ...review } of reviews)
    if (!there.has(review.review))
      docket = addFindings(docket, { list: readFindings(written) ?? [] }, { ...review, root });
  const kept = salvaged.findings.length;
  const broken = { salvaged: kept, read: docket.findings.length - kept };
  return { docket, text, broken, refused: null };
}

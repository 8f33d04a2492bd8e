// What the user is told when a check took runs along: what is there again, what is gone, and how to keep it.

import { plainText } from '../../text/printable.ts';
import { shellQuote } from '../../text/shell.ts';
import { inWords } from './in-words.ts';

export type PutBack = {
  check: string;
  /** Names of runs. */
  back: readonly string[];
  /** Files that were there when the check began, relative to the root. */
  gone: readonly string[];
  /** All places of ours and of the workflows. */
  own: readonly string[];
};

const MOST_NAMED = 5;

export function putBackText({ check, back, gone, own }: PutBack): string {
  const [is, it] = back.length === 1 ? ['was', 'it'] : ['were', 'they'];
  const stood = `${inWords(back, MOST_NAMED)} ${is} put back as ${it} stood when the check began, and what the check said counts.`;
  const also = gone.length === 0 ? [] : [`Gone and not put back: ${named(gone)}.`];
  const folders = [...new Set(own.map((place) => place.split('/')[0] ?? place))];
  const without = folders.map((folder) => `-e ${shellQuote(folder)}`).join(' ');
  const fix = `If it cleans the tree, have it leave ours alone: \`git clean -xfd ${without}\`.`;
  return plainText(
    `Holdfast: the check ${check} took files of ours along. ${[stood, ...also, fix].join(' ')}`,
  );
}

/** Plans and reviews first: our own history is the lesser loss. */
function named(gone: readonly string[]): string {
  const isOurs = (file: string): boolean => file.startsWith('.holdfast/');
  const ordered = [...gone.filter((file) => !isOurs(file)), ...gone.filter(isOurs)];
  return inWords(ordered, MOST_NAMED);
}

// What the user is told when a check took runs along: what is there again, what is gone, and how to keep it.

import { plainText } from '../../text/printable.ts';
import { shellQuote } from '../../text/shell.ts';
import { inWords } from './in-words.ts';
import type { Check } from './types.ts';

export type Failure = { run: string; why: string };

export type PutBack = {
  check: string;
  /** Names of runs. */
  back: readonly string[];
  failed: readonly Failure[];
  /** Files that were there when the check began, relative to the root. */
  gone: readonly string[];
  /** All places of ours and of the workflows. */
  own: readonly string[];
};

const MOST_NAMED = 5;

export function putBackText({ check, back, failed, gone, own }: PutBack): string {
  const [is, it] = back.length === 1 ? ['was', 'it'] : ['were', 'they'];
  const lines = [
    `Holdfast: the check ${check} took files of ours along.`,
    ...(back.length === 0
      ? []
      : [
          `${inWords(back, MOST_NAMED)} ${is} put back as ${it} stood when the check began, and what the check said counts.`,
        ]),
    ...failed.map(({ run, why }) => `${run} could not be put back: ${why}.`),
    ...(gone.length === 0 ? [] : [`Gone and not put back: ${named(gone)}.`]),
    `If it cleans the tree, have it leave ours alone: ${cleaningWithoutOurs(own)}.`,
  ];
  return plainText(lines.join(' '));
}

/** The command, as a sentence has it. */
export function cleaningWithoutOurs(own: readonly string[]): string {
  const folders = [...new Set(own.map((place) => place.split('/')[0] ?? place))];
  return `\`git clean -xfd ${folders.map((folder) => `-e ${shellQuote(folder)}`).join(' ')}\``;
}

/** As far as its words show: what the scripts that it runs do is not known. */
export function cleansTree({ run }: Pick<Check, 'run'>): boolean {
  const words = typeof run === 'string' ? run : run.join(' ');
  // In steps: as one pattern its time would grow with the square of a script's length.
  const ofGit = words.split(/[;&|\n]/).flatMap((part) => /\bgit\b.*/.exec(part)?.[0] ?? []);
  const cleans = ofGit.filter((part) => /\sclean\s/.test(part));
  return cleans.some((part) => /\s-[a-zA-Z]*[xXd]/.test(part) && !part.includes('.holdfast'));
}

/** Plans and reviews first: our own history is the lesser loss. */
function named(gone: readonly string[]): string {
  const isOurs = (file: string): boolean => file.startsWith('.holdfast/');
  const ordered = [...gone.filter((file) => !isOurs(file)), ...gone.filter(isOurs)];
  return inWords(ordered, MOST_NAMED);
}

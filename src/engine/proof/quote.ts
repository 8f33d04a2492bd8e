// What failing checks printed, as much of it as an agent is shown: within one bound for all of them.

import { stripVTControlCharacters } from 'node:util';
import { plainText } from '../../text/printable.ts';
import { failingLines } from '../work/failing-lines.ts';

/** Of output, over all failing checks. */
const MOST_OUTPUT = 2000;
/** Fewer characters say nothing, so further checks are only named. */
const LEAST_OUTPUT = 200;

/** So many checks are quoted. */
export const MOST_QUOTED = Math.floor(MOST_OUTPUT / LEAST_OUTPUT);

export function quote(outputs: readonly string[]): string[] {
  return shareOut(outputs.map(tidy)).map(indented);
}

/** Several texts within one bound: what a short one leaves goes to the others. */
function shareOut(texts: readonly string[]): string[] {
  const given = new Map<number, string>();
  let left = MOST_OUTPUT;
  const shortest = texts
    .map((text, index) => ({ text, index }))
    .sort((a, b) => a.text.length - b.text.length);
  for (const [position, { text, index }] of shortest.entries()) {
    const share = failingLines(text, Math.floor(left / (texts.length - position)));
    left -= share.length;
    given.set(index, share);
  }
  return texts.map((_, index) => given.get(index) ?? '');
}

function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '' : `    ${line}`))
    .join('\n');
}

/** As a terminal would show it in the end: without colours, overwritten progress and empty stretches. */
function tidy(output: string): string {
  const lines = plainText(
    stripVTControlCharacters(output)
      .replace(/\r+\n/g, '\n')
      .replace(/[^\n]*\r(?=[^\n])/g, ''),
  )
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line, index, all) => line !== '' || (all[index - 1] ?? '') !== '');
  while (lines.at(-1) === '') lines.pop();
  return lines.join('\n');
}

// What a check's definition is: its fingerprint, by which trust and receipts know it, and its command in words.

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { isInside, realPath } from '../../store/files.ts';
import { below } from '../../store/paths.ts';
import { misleading, plainText } from '../../text/printable.ts';
import { shellQuote } from '../../text/shell.ts';
import type { Check } from './types.ts';

/**
 * Of everything that changes what is run or what its receipt is worth. A repository would gain by another command with
 * the fingerprint of a trusted one, so store/fingerprint.ts, which is quick and no more, will not do.
 */
export function definitionOf({ name, run, timeout, retries, paths, cwd }: Check): string {
  const all = JSON.stringify([name, run, timeout, retries, paths, cwd]);
  return createHash('sha256').update(all).digest('hex');
}

/** The command as it will be run, in one line in which nothing is hidden: a person decides by it. */
export function describeCheck({ run, cwd }: Check): string {
  const command = typeof run === 'string' ? lineOf(run) : run.map(quote).join(' ');
  return cwd === null ? command : `cd ${quote(cwd)} && ${command}`;
}

/** Its folder; null where there is none, and where a link on the way leads out of the project. */
export function folderOfCheck({ cwd }: Check, root: string): string | null {
  if (cwd === null) return root;
  const real = realPath(below(root, cwd));
  return real !== null && isInside(real, root) && fs.statSync(real).isDirectory() ? real : null;
}

function lineOf(command: string): string {
  return hasHidden(command) ? `sh -c ${quote(command)}` : command.trim();
}

const hasHidden = (text: string): boolean =>
  /[\n\t]/.test(text) || plainText(text) !== text || misleading().test(text);

/** As a shell reads it; what would not be seen on a terminal, would steer it or look like something else, by its number. */
function quote(word: string): string {
  if (!hasHidden(word)) return shellQuote(word);
  const shown = word.split(/(([\s\u2800])\2{8,})/u).map(visible);
  return `$'${shown.filter((_, at) => at % 3 !== 2).join('')}'`;
}

/** A long stretch of the same blank is counted: written out it would push what follows off the screen all the same. */
function visible(text: string): string {
  if (/^([\s\u2800])\1{8,}$/u.test(text))
    return `<${text.length} × ${text[0] === ' ' ? 'blank' : numberOf(text)}>`;
  const marked = new Set<number>();
  for (const { 0: found, index } of text.matchAll(misleading()))
    for (let at = index; at < index + found.length; at++) if (text[at] !== ' ') marked.add(at);
  let at = 0;
  return Array.from(text, (character) => {
    const isMarked = marked.has(at);
    at += character.length;
    return escaped(character, isMarked);
  }).join('');
}

function escaped(character: string, isMisleading: boolean): string {
  if (character === '\n') return '\\n';
  if (character === '\t') return '\\t';
  if (character === "'" || character === '\\') return `\\${character}`;
  return isMisleading || plainText(character) !== character ? numberOf(character) : character;
}

function numberOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff
    ? `\\U${code.toString(16).padStart(8, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`;
}

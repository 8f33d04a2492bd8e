// What a check's definition is: its fingerprint, by which trust and receipts know it, and its command in words.

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { isInside, realPath } from '../../store/files.ts';
import { below } from '../../store/paths.ts';
import { plainText } from '../../text/printable.ts';
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

const hasHidden = (text: string): boolean => /[\n\t]/.test(text) || plainText(text) !== text;

/** As a shell reads it; what would not be seen on a terminal, or would steer it, by its number. */
function quote(word: string): string {
  if (!hasHidden(word)) return shellQuote(word);
  return `$'${Array.from(word, visible).join('')}'`;
}

function visible(character: string): string {
  if (character === '\n') return '\\n';
  if (character === '\t') return '\\t';
  if (character === "'" || character === '\\') return `\\${character}`;
  if (!hasHidden(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff
    ? `\\U${code.toString(16).padStart(8, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`;
}

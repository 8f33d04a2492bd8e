// The lines of a review's text: outside of code, as titles, as rows of a table, by how far they stand in (pure).

import { isTally, type Label, saysNone, severityOf } from './severity-words.ts';

/** A row that begins with a severity; not the table's head, and not how many of it there are. */
export function labelOfRow(line: string, next: string): Label | null {
  if (/^\s*\|[\s|:-]+$/.test(next) && next.includes('-')) return null;
  const [first = '', ...rest] = line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|');
  const severity = severityOf(first);
  if (severity === null || rest.every((cell) => saysNone(cell) || isTally(cell))) return null;
  return {
    severity,
    rest: rest
      .map((cell) => cell.trim())
      .filter((cell) => cell !== '')
      .join(' | '),
  };
}

export type Title = { text: string; level: number; isHeading: boolean };

/** Lines outside of fenced code; what is quoted there is nobody's finding. */
export function readLines(markdown: string): string[] {
  let fence: string | null = null;
  return markdown.split(/\r\n|\n|\r/).filter((line) => {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === null && mark !== undefined) {
      fence = mark;
      return false;
    }
    if (fence === null) return true;
    if (mark?.startsWith(fence)) fence = null;
    return false;
  });
}

/** A heading; or a bold line, a bullet or a plain word that may stand for one. */
export function titleOf(line: string): Title | null {
  // Only its words are looked at, so what closes a heading need not be cut off.
  const heading = /^ {0,3}(#{1,6})(.*)$/.exec(line);
  if (heading !== null) return { text: heading[2] ?? '', level: heading[1]?.length ?? 1, isHeading: true };
  const standsAlone = /^\s*(?:[-*+]\s+)?(\*\*.*\*\*:?|__.*__:?|\w+:?)\s*$/.exec(line)?.[1];
  return standsAlone === undefined ? null : { text: standsAlone, level: 7, isHeading: false };
}

export function indentOf(line: string): number {
  return (/^[ \t]*/.exec(line)?.[0] ?? '').replaceAll('\t', '    ').length;
}

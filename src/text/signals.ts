// Is a signal in what the agent wrote, as a line of its own and not shown as code or hidden in a comment?
// Knows markdown, but neither the signals nor where the text comes from.

import { scanHidden } from './signals-scan.ts';

/** A stretch of the text, as offsets: the first character, and the one after the last. */
export type Range = { start: number; end: number };

/**
 * Above this length, with more lines, or with quotes and lists nested so deep, a parser can take seconds (and minutes
 * over thousands of underlined headings); the scanner never does.
 */
const PARSED_UP_TO = 64 * 1024;
const MOST_LINES = 1500;
const NESTED_DEEP = /^(?:[ \t]*(?:>|[-+*][ \t]|\d{1,9}[.)][ \t])){16}/m;

/**
 * A signal that does not count: with something else on its line, as code or in a comment, or not spelled exactly
 * (in another case, with blanks in it).
 */
export type NearMiss = 'none' | 'place' | 'code' | 'spelling';

/** The first of the signals that counts; where none does, what comes near to one. */
export type Reading = { signal: string | null; nearMiss: NearMiss };

export async function readSignal(text: string, signals: readonly string[]): Promise<Reading> {
  const lines = ownLines(text, signals);
  if (lines.length === 0) return { signal: null, nearMiss: nearMissIn(text, signals) };
  return reading(lines, isHardToParse(text) ? scanHidden(text) : await parseHidden(text));
}

/** The same, found by the scanner alone, whatever the length. */
export function readSignalByScan(text: string, signals: readonly string[]): Reading {
  const lines = ownLines(text, signals);
  if (lines.length === 0) return { signal: null, nearMiss: nearMissIn(text, signals) };
  return reading(lines, scanHidden(text));
}

export async function findSignal(text: string, signals: readonly string[]): Promise<string | null> {
  return (await readSignal(text, signals)).signal;
}

export function findSignalByScan(text: string, signals: readonly string[]): string | null {
  return readSignalByScan(text, signals).signal;
}

/** For a text in which no signal stands on a line of its own. Cheap, and next to nothing where no tag is. */
export function nearMissIn(text: string, signals: readonly string[]): NearMiss {
  if (!text.includes('<') && !text.includes('&')) return 'none';
  if (mentionsSignal(text, signals)) return 'place';
  return signals.some((signal) => looseForm(signal).test(text)) ? 'spelling' : 'none';
}

/** In any case, with blanks around its words, each bracket escaped or not. */
function looseForm(signal: string): RegExp {
  const words = signal
    .replaceAll('>', '\\s*(?:>|&gt;|&#62;)\\s*')
    .replaceAll('</', '\\s*(?:<|&lt;|&#60;)\\s*/')
    .replace(/^</, '(?:<|&lt;|&#60;)\\s*');
  return new RegExp(words, 'i');
}

function reading(lines: readonly OwnLine[], hidden: readonly Range[]): Reading {
  const signal = firstVisible(lines, hidden);
  return { signal, nearMiss: signal === null ? 'code' : 'none' };
}

/** Could one of the signals stand in this text at all? Cheap. */
export function mentionsSignal(text: string, signals: readonly string[]): boolean {
  return signals.some((signal) => spellingsOf(signal).some((spelling) => text.includes(spelling)));
}

/**
 * Codex 0.166.0 shows a hold to its model with `<`, `>` and `&` escaped as in XML, and a model that obeys to the
 * letter writes the signal back as it read it.
 */
function spellingsOf(signal: string): readonly string[] {
  return [signal, signal.replaceAll('<', '&lt;').replaceAll('>', '&gt;')];
}

type OwnLine = Range & { signal: string };

/** Lines that hold a signal and nothing else but up to three spaces before it and blanks after it. */
function ownLines(text: string, signals: readonly string[]): OwnLine[] {
  const found: OwnLine[] = [];
  for (const signal of signals)
    for (const spelling of spellingsOf(signal))
      for (let start = text.indexOf(spelling); start >= 0; start = text.indexOf(spelling, start + 1)) {
        const end = start + spelling.length;
        if (startsLine(text, start) && endsLine(text, end)) found.push({ signal, start, end });
      }
  return found.sort((one, other) => one.start - other.start);
}

function startsLine(text: string, start: number): boolean {
  let at = start;
  while (at > 0 && start - at < 3 && text[at - 1] === ' ') at--;
  return at === 0 || text[at - 1] === '\n' || text[at - 1] === '\r';
}

function endsLine(text: string, end: number): boolean {
  let at = end;
  while (text[at] === ' ' || text[at] === '\t') at++;
  return at === text.length || text[at] === '\n' || text[at] === '\r';
}

/** Both are walked once, in the text's order: a long message may hold thousands of each. */
function firstVisible(lines: readonly OwnLine[], hidden: readonly Range[]): string | null {
  const ranges = [...hidden].sort((one, other) => one.start - other.start);
  let next = 0;
  let hiddenUpTo = 0;
  for (const line of lines) {
    for (let range = ranges[next]; range !== undefined && range.start < line.end; range = ranges[++next])
      hiddenUpTo = Math.max(hiddenUpTo, range.end);
    if (hiddenUpTo <= line.start) return line.signal;
  }
  return null;
}

function isHardToParse(text: string): boolean {
  return (
    text.length > PARSED_UP_TO ||
    text.split(/[\r\n]/, MOST_LINES).length === MOST_LINES ||
    NESTED_DEEP.test(text)
  );
}

/** What the parser cannot bear is left to the scanner. */
async function parseHidden(text: string): Promise<readonly Range[]> {
  const { hiddenInMarkdown } = await import('./signals-markdown.ts');
  try {
    return hiddenInMarkdown(text);
  } catch {
    return scanHidden(text);
  }
}

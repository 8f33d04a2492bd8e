// Patterns for paths: `*`, `?`, `[a-z]`, `{a,b}` and `**`. By hand, since patterns and names may both come from somebody
// else's repository: the usual way, one regular expression, takes longer than a stop may for `**/*a*a*a*a*a*b` on a
// name of a hundred a's. Here the time is bounded by the length of the pattern times the length of the path.

export type Globs = {
  /** `path` is relative, with slashes. */
  matches(path: string): boolean;
  /** Whether something below this folder could match; the empty text is the root. */
  mayHold(folder: string): boolean;
};

/** A path that matches any of them matches. Names with a leading dot are names like others. */
export function globs(patterns: readonly string[]): Globs {
  const compiled = patterns.flatMap(alternatives).map(compile);
  return {
    matches: (path) => compiled.some((parts) => walk(parts, path.split('/')).has(parts.length)),
    mayHold: (folder) =>
      compiled.some((parts) => {
        const reached = folder === '' ? starts(parts) : walk(parts, folder.split('/'));
        return [...reached].some((at) => at < parts.length);
      }),
  };
}

/** One name's letters, each a test; null stands for `*`. */
type Part = '**' | readonly (Letter | null)[];
type Letter = (character: string) => boolean;

/** How many patterns one with braces may stand for; the rest of a longer one is left out. */
const MOST_ALTERNATIVES = 256;

/** `{a,b}c` → `ac`, `bc`. A brace without its end or without a comma is a plain letter. */
function alternatives(pattern: string): string[] {
  const done: string[] = [];
  const open = [pattern];
  for (let next = open.pop(); next !== undefined && done.length < MOST_ALTERNATIVES; next = open.pop()) {
    const brace = firstBrace(next);
    if (brace === null) done.push(next);
    else {
      const { before, choices, after } = brace;
      open.push(...choices.slice(0, MOST_ALTERNATIVES).map((choice) => before + choice + after));
    }
  }
  return done;
}

function firstBrace(pattern: string): { before: string; choices: string[]; after: string } | null {
  for (let from = 0; from < pattern.length; from++) {
    if (pattern[from] === '\\') from++;
    else if (pattern[from] === '{') {
      const found = choicesAt(pattern, from);
      if (found !== null) return found;
    }
  }
  return null;
}

function choicesAt(pattern: string, from: number): ReturnType<typeof firstBrace> {
  const choices: string[] = [];
  let depth = 0;
  let start = from + 1;
  for (let at = from; at < pattern.length; at++) {
    const character = pattern[at];
    if (character === '\\') at++;
    else if (character === '{') depth++;
    else if (character === ',' && depth === 1) {
      choices.push(pattern.slice(start, at));
      start = at + 1;
    } else if (character === '}' && --depth === 0) {
      if (choices.length === 0) return null;
      choices.push(pattern.slice(start, at));
      return { before: pattern.slice(0, from), choices, after: pattern.slice(at + 1) };
    }
  }
  return null;
}

/** `./test/` means `test/**`: what a person writes who means the folder. */
function compile(pattern: string): Part[] {
  const plain = pattern.replace(/^(?:\.?\/)+/, '').replace(/\/+$/, '/**');
  const parts = plain.split(/\/+/).map((part): Part => (part === '**' ? '**' : letters(part)));
  // Several in a row say no more than one.
  return parts.filter((part, index) => part !== '**' || parts[index - 1] !== '**');
}

function letters(part: string): (Letter | null)[] {
  const found: (Letter | null)[] = [];
  for (let at = 0; at < part.length; at++) {
    const character = part[at] ?? '';
    const set = character === '[' ? /^\[([!^]?)(\]?[^\]]*)\]/.exec(part.slice(at)) : null;
    if (character === '*') {
      if (found.at(-1) !== null || found.length === 0) found.push(null);
    } else if (character === '?') found.push(() => true);
    else if (set !== null) {
      found.push(oneOf(set[2] ?? '', set[1] !== ''));
      at += set[0].length - 1;
    } else {
      const literal = character === '\\' && at + 1 < part.length ? (part[++at] ?? '') : character;
      found.push((other) => other === literal);
    }
  }
  return found;
}

function oneOf(set: string, isNot: boolean): Letter {
  const ranges = [...set.matchAll(/(.)-(.)|(.)/gs)].map(([, from, to, single]) =>
    single === undefined ? [from ?? '', to ?? ''] : [single, single],
  );
  return (character) => ranges.some(([from = '', to = '']) => character >= from && character <= to) !== isNot;
}

/** How far into the pattern one can be before any name was read. */
const starts = (parts: readonly Part[]): Set<number> => new Set(parts[0] === '**' ? [0, 1] : [0]);

/** How far into the pattern these names can lead. */
function walk(parts: readonly Part[], names: readonly string[]): Set<number> {
  let reached = starts(parts);
  for (const name of names) {
    const next = new Set<number>();
    for (const at of reached) {
      const part = parts[at];
      if (part === undefined) continue;
      if (part === '**') next.add(at);
      else if (isName(part, name)) next.add(at + 1);
    }
    for (const at of [...next]) if (parts[at] === '**') next.add(at + 1);
    reached = next;
  }
  return reached;
}

/** The last star takes one letter more whenever the rest does not fit: never more than one way back. */
function isName(part: readonly (Letter | null)[], name: string): boolean {
  let [at, letter, star, retry] = [0, 0, -1, 0];
  while (letter < name.length) {
    const wanted = part[at];
    if (wanted === null) {
      star = at++;
      retry = letter;
    } else if (wanted?.(name[letter] ?? '')) {
      at++;
      letter++;
    } else if (star !== -1) {
      at = star + 1;
      letter = ++retry;
    } else return false;
  }
  while (part[at] === null) at++;
  return at === part.length;
}

// A source without what only looks like code: comments become blanks, texts keep their quotes alone. One plain pass, no
// parser: wrong about a rare corner of a language at worst until the end of a line, or of a file that nobody counts.

export type Syntax =
  | 'javascript'
  | 'python'
  | 'go'
  | 'rust'
  | 'java'
  | 'ruby'
  | 'php'
  | 'csharp'
  | 'swift'
  | 'elixir';

type Rules = {
  /** Beginnings of a comment that ends with its line. */
  line: readonly string[];
  /** A comment with an end of its own. */
  block?: readonly [string, string];
  /** Longest first. */
  texts: readonly Text[];
  /** A slash may begin a regular expression. */
  slashes?: true;
  /** Texts that begin on the line after their mark; its second group is the line they end with. */
  heredoc?: RegExp;
};

type Text = { from: string; to: string; lines?: true; escapes?: false };

const SINGLE: Text = { from: "'", to: "'" };
const DOUBLE: Text = { from: '"', to: '"' };
const TRIPLE: Text = { from: '"""', to: '"""', lines: true };
const BACKTICK: Text = { from: '`', to: '`', lines: true };

const SLASHES = ['//'] as const;
const STARS = ['/*', '*/'] as const;

const rules: Readonly<Record<Syntax, Rules>> = {
  javascript: { line: SLASHES, block: STARS, texts: [SINGLE, DOUBLE, BACKTICK], slashes: true },
  python: {
    line: ['#'],
    texts: [TRIPLE, { from: "'''", to: "'''", lines: true }, SINGLE, DOUBLE],
  },
  go: { line: SLASHES, block: STARS, texts: [SINGLE, DOUBLE, { ...BACKTICK, escapes: false }] },
  // A single quote is a lifetime more often than a letter; letters are seen to below.
  rust: {
    line: SLASHES,
    block: STARS,
    texts: [
      ...['##', '#', ''].map((hashes): Text => {
        return { from: `r${hashes}"`, to: `"${hashes}`, lines: true, escapes: false };
      }),
      { ...DOUBLE, lines: true },
    ],
  },
  java: { line: SLASHES, block: STARS, texts: [TRIPLE, SINGLE, DOUBLE] },
  ruby: {
    line: ['#'],
    block: ['\n=begin', '\n=end'],
    texts: [SINGLE, DOUBLE],
    heredoc: /^<<[-~](["'`]?)([A-Z_]+)\1/,
  },
  php: { line: [...SLASHES, '#'], block: STARS, texts: [SINGLE, DOUBLE] },
  csharp: {
    line: SLASHES,
    block: STARS,
    texts: [TRIPLE, { from: '@"', to: '"', lines: true, escapes: false }, SINGLE, DOUBLE],
  },
  swift: { line: SLASHES, block: STARS, texts: [TRIPLE, DOUBLE] },
  elixir: { line: ['#'], texts: [TRIPLE, DOUBLE] },
};

export function codeOf(source: string, syntax: Syntax): string {
  const { line, block, texts, slashes, heredoc } = rules[syntax];
  const begins = new Set(
    [...line, ...texts.map(({ from }) => from), block?.[0] ?? ''].map((each) => each[0]),
  );
  if (slashes) begins.add('/');
  if (heredoc !== undefined) begins.add('<');
  if (syntax === 'rust') begins.add("'");
  const code: string[] = [];
  let plainFrom = 0;
  let at = 0;
  const leaveOut = (to: number, instead: string): void => {
    code.push(source.slice(plainFrom, at), instead);
    at = to;
    plainFrom = to;
  };
  while (at < source.length) {
    const character = source[at];
    if (!begins.has(character)) {
      at++;
      continue;
    }
    const isAttribute = syntax === 'php' && source.startsWith('#[', at);
    const text = texts.find(({ from }) => source.startsWith(from, at) && !isWithinName(source, at, from));
    if (block !== undefined && source.startsWith(block[0], at)) {
      const end = source.indexOf(block[1], at + block[0].length);
      leaveOut(end === -1 ? source.length : end + block[1].length, ' ');
    } else if (line.some((begin) => source.startsWith(begin, at)) && !isAttribute)
      leaveOut(endOfLine(source, at), ' ');
    else if (text !== undefined) leaveOut(endOfText(source, at, text), `${text.from.at(-1)}${text.to[0]}`);
    else if (slashes && character === '/') {
      const end = isExpression(source, at) ? endOfExpression(source, at) : null;
      if (end === null) at++;
      else leaveOut(end, '//');
    } else if (heredoc !== undefined && character === '<') {
      const end = endOfHeredoc(source, at, heredoc);
      if (end === null) at++;
      else leaveOut(end, "''");
    } else if (syntax === 'rust' && character === "'") {
      const letter = LETTER.exec(source.slice(at, at + 12))?.[0].length;
      if (letter === undefined) at++;
      else leaveOut(at + letter, "''");
    } else at++;
  }
  code.push(source.slice(plainFrom));
  return code.join('');
}

const LETTER = /^'(?:\\[^']{1,9}|[^\\'])'/u;

/** `for"` ends in what looks like the beginning of a raw text. */
const isWithinName = (source: string, at: number, from: string): boolean =>
  /^\w/.test(from) && /\w/.test(source[at - 1] ?? '');

function endOfLine(source: string, from: number): number {
  const end = source.indexOf('\n', from);
  return end === -1 ? source.length : end;
}

/** A text that may not go over a line's end, and does, ends there. */
function endOfText(source: string, start: number, text: Text, depth = 0): number {
  const { from, to, lines, escapes } = text;
  for (let at = start + from.length; at < source.length; at++) {
    if (source[at] === '\\' && escapes !== false) at++;
    else if (source[at] === '\n' && !lines) return at;
    else if (source.startsWith(to, at)) return at + to.length;
    else if (from === '`' && escapes !== false && source.startsWith('${', at))
      at = endOfHole(source, at + 2, depth + 1);
  }
  return source.length;
}

/** Templates in templates; nobody writes more. */
const DEEPEST = 20;

/** In a template: where the `}` of a `${` is. */
function endOfHole(source: string, start: number, depth: number): number {
  if (depth > DEEPEST) return source.length;
  let braces = 1;
  for (let at = start; at < source.length; at++) {
    const text = rules.javascript.texts.find(({ from }) => source[at] === from);
    if (text !== undefined) at = endOfText(source, at, text, depth) - 1;
    else if (source[at] === '{') braces++;
    else if (source[at] === '}' && --braces === 0) return at;
  }
  return source.length;
}

/** A slash after a value divides; after anything else it begins an expression. */
function isExpression(source: string, at: number): boolean {
  const before = source.slice(Math.max(0, at - 40), at).trimEnd();
  return (
    before === '' ||
    /(?:[(,=:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|in|of|do|else|void|await|yield))$/.test(before)
  );
}

/** With what follows the mark on its own line, which is mostly the rest of a call. */
function endOfHeredoc(source: string, start: number, heredoc: RegExp): number | null {
  const word = heredoc.exec(source.slice(start, start + 100))?.[2];
  if (word === undefined) return null;
  for (let at = endOfLine(source, start); at < source.length; at = endOfLine(source, at + 1))
    if (source.slice(at + 1, endOfLine(source, at + 1)).trim() === word) return endOfLine(source, at + 1);
  return source.length;
}

const LONGEST_EXPRESSION = 300;

function endOfExpression(source: string, start: number): number | null {
  const last = Math.min(source.length, start + LONGEST_EXPRESSION);
  let inSet = false;
  for (let at = start + 1; at < last; at++) {
    const character = source[at];
    if (character === '\n') return null;
    if (character === '\\') at++;
    else if (character === '[') inSet = true;
    else if (character === ']') inSet = false;
    else if (character === '/' && !inSet) return at + 1;
  }
  return null;
}

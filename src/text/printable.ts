// Takes from a text what would steer a terminal or hide in it: topics, names and journals may come from somebody
// else's repository.

/**
 * Line ends, tabs and plain colours stay; every other control character becomes a blank, and so does what is not seen
 * and changes what is: marks that turn the direction of a line, further kinds of line ends, characters without width,
 * tags. A joiner stays inside an emoji and inside a word of a script that is written with them (Persian, Hindi): a
 * folder may have such a name. Beside plain ASCII it could only make two names look alike.
 */
export function printable(text: string): string {
  return cleaned(text, true);
}

/** The same for a client, which draws colours of its own: no escape character is left at all. */
export function plainText(text: string): string {
  return cleaned(text, false);
}

/**
 * The same, but nothing of it goes: what is hidden shows by its number, as in `<U+202E>`. For somebody who is to judge
 * the text. A CR before a line feed is a line end.
 */
export function visibleText(text: string): string {
  if (!UNUSUAL.test(text)) return text;
  return text.replace(hidden(), (character, at: number) => {
    if (character === '\r' && text[at + 1] === '\n') return character;
    if (JOINER.test(character) && isWithinWord(text, at)) return character;
    return `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`;
  });
}

function cleaned(text: string, colours: boolean): string {
  // Most of what is said is plain ASCII, and a stop should not pay for the rest.
  if (!UNUSUAL.test(text)) return text;
  return text.replace(hidden(), (character, at: number) => {
    if (JOINER.test(character) && isWithinWord(text, at)) return character;
    return colours && character === '\u001b' && COLOUR.test(text.slice(at + 1, at + 12)) ? character : ' ';
  });
}

/**
 * What looks like something else to somebody who reads a command: selectors without width, blanks that are none to a
 * shell, letters of another script in a Latin word or in the shape of Latin ones, and a stretch of blanks that pushes the
 * rest off the screen.
 */
export function misleading(): RegExp {
  return new RegExp(
    [
      `[${[
        '\\ufe0e\\ufe0f', // text and emoji style
        '\\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u2800\\u3000', // blanks but for the one of ASCII
        '\\uff01-\\uff5e\\u{1d400}-\\u{1d7ff}', // wide and mathematical forms of ASCII
      ].join('')}]`,
      `(?:${OTHER_LETTER}(?=[\\p{L}\\p{M}\\p{N}_]*[A-Za-z])|(?<=[A-Za-z][\\p{L}\\p{M}\\p{N}_]*)${OTHER_LETTER})`,
      // Words of these alone can be read as Latin: `сору`.
      `(?<![\\p{L}\\p{M}])${LATIN_SHAPES}+(?![\\p{L}\\p{M}])`,
      '[ \\t\\n]{9,}',
    ].join('|'),
    'gu',
  );
}

const OTHER_LETTER = '[\\p{Script=Cyrillic}\\p{Script=Greek}\\p{Script=Armenian}\\p{Script=Cherokee}]';
const LATIN_SHAPES =
  '[\\u0430\\u0435\\u043e\\u0440\\u0441\\u0443\\u0445\\u0456\\u0458\\u0455\\u04bb\\u0501\\u051b\\u051d\\u03bf\\u03bd]';

const UNUSUAL = /[^\t\n\x20-\x7e]/;

/**
 * By code, so that an editor does not hide what is meant; each range with its name in Unicode. Made when it is asked
 * for, as are the two below: to make them took a held stop a millisecond.
 */
function hidden(): RegExp {
  return new RegExp(
    `[${[
      '\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f', // controls but for tab and line feed
      '\\u00ad\\u034f\\u061c', // soft hyphen, grapheme joiner, Arabic letter mark
      '\\u115f\\u1160\\u17b4\\u17b5\\u3164\\uffa0', // fillers: letters that show nothing
      '\\u180b-\\u180f', // Mongolian selectors and vowel separator
      '\\u200b-\\u200f', // without width, joiners, left-to-right and right-to-left mark
      '\\u2028-\\u202e', // line and paragraph separator, embeddings and overrides
      '\\u2060-\\u206f', // word joiner, invisible operators, isolates, deprecated formats
      '\\ufe00-\\ufe0d', // variation selectors but for text and emoji style
      '\\ufeff\\ufff0-\\ufffb', // byte order mark, unassigned ignorables, interlinear annotation
      '\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}', // formats of shorthand and music
      '\\u{e0000}-\\u{e0fff}', // tags and further variation selectors
    ].join('')}]`,
    'gu',
  );
}

const COLOUR = /^\[[0-9;]{0,8}m/;

const JOINER = /[\u200c\u200d]/;

function isWithinWord(text: string, at: number): boolean {
  const before = /(?![\0-\x7f])[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}]$/u;
  const after = /^(?![\0-\x7f])[\p{L}\p{Extended_Pictographic}]/u;
  return before.test(text.slice(Math.max(0, at - 2), at)) && after.test(text.slice(at + 1, at + 3));
}

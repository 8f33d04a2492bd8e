// Takes from a text what would steer a terminal: topics, names and journals may come from somebody else's repository.

/** Line ends, tabs and plain colours stay; every other control character becomes a blank. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, (character, at: number) => {
    if (character === '\n' || character === '\t') return character;
    return character === '\u001b' && COLOUR.test(text.slice(at + 1, at + 12)) ? character : ' ';
  });
}

const COLOUR = /^\[[0-9;]{0,8}m/;

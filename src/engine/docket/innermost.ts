// The objects of a broken JSON text that have no object in them, in one pass: the text is whatever somebody left there,
// and it is read under the lock.

const NONE = Number.POSITIVE_INFINITY;

/**
 * From each brace on, as if it opened an object. Two that are in the same state from the same character on end alike, so
 * the older one is enough, and no character is part of more than three.
 */
export function innermostObjects(text: string): string[] {
  const found: string[] = [];
  // Where the ones begin that are outside of a string, in a string, and behind a backslash in a string.
  let [outside, inside, escaped] = [NONE, NONE, NONE];
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '}' && outside !== NONE) found.push(text.slice(outside, at + 1));
    const [wasOutside, wasInside, wasEscaped] = [outside, inside, escaped];
    outside = outsideAfter(sign, at, wasOutside, wasInside);
    inside = Math.min(wasEscaped, insideAfter(sign, wasOutside, wasInside));
    escaped = sign === '\\' ? wasInside : NONE;
  }
  return found;
}

function outsideAfter(sign: string | undefined, at: number, outside: number, inside: number): number {
  if (sign === '{') return at;
  if (sign === '}') return NONE;
  return sign === '"' ? inside : outside;
}

function insideAfter(sign: string | undefined, outside: number, inside: number): number {
  if (sign === '"') return outside;
  return sign === '\\' ? NONE : inside;
}

// Which known word was meant by an unknown one: for options, commands, workflows and keys alike.

/** ` (did you mean "leave"?)`, or nothing where no known word is near. */
export function didYouMean(word: string, known: readonly string[]): string {
  const near = nearestWord(word, known);
  return near === null ? '' : ` (did you mean "${near}"?)`;
}

/** The known word with the fewest slips between it and this one, or the only one that begins with it. */
export function nearestWord(word: string, known: readonly string[]): string | null {
  const given = word.toLowerCase();
  if (given.length < 2) return null;
  const [nearest] = known
    .map((each) => ({ each, slips: slipsBetween(given, each.toLowerCase()) }))
    .filter(({ each, slips }) => slips <= mostSlips(Math.min(given.length, each.length)))
    .sort((one, other) => one.slips - other.slips);
  if (nearest !== undefined) return nearest.each;
  const longer = known.filter((each) => each.toLowerCase().startsWith(given));
  return (given.length > 2 && longer.length === 1 && longer[0]) || null;
}

/** One in a short word; a long one may have more and is still recognized. */
function mostSlips(length: number): number {
  return Math.max(1, Math.floor(length / 4));
}

/** Letters that are missing, too many, other, or swapped with their neighbour (optimal string alignment). */
function slipsBetween(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current.push(
        Math.min(
          at(last, column) + 1,
          at(current, column - 1) + 1,
          at(last, column - 1) + (isSame ? 0 : 1),
          isSwapped ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    [beforeLast, last] = [last, current];
  }
  return at(last, other.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}

// What is wrong with a flow's file, and where. A person reads these, so each is one line with what to do.

export type Place = { line: number; column: number };

export type Problem = {
  place: Place;
  /** A sentence without its full stop. */
  what: string;
  /** The shortest way to it, stop by stop; left out where the text alone shows it. */
  way?: readonly string[];
  /** The check that the config does not have, where that is what is wrong. */
  missingCheck?: string;
};

export const NOWHERE: Place = { line: 1, column: 1 };

/** `holdfast.flows/tdd.yaml:12:9: …`, and the way to it below. */
export function problemLines(file: string, { place, what, way = [] }: Problem): string[] {
  return [
    `${file}:${place.line}:${place.column}: ${what}.`,
    ...way.map((step, index) => `  ${index + 1}. ${step}`),
  ];
}

/** In the order of the text. */
export function inOrder(problems: readonly Problem[]): Problem[] {
  return [...problems].sort(
    (one, other) => one.place.line - other.place.line || one.place.column - other.place.column,
  );
}

/** ` (did you mean "leave"?)` where one of the known words is near. */
export function meant(word: string, known: readonly string[]): string {
  const near = known.find((each) => isNear(word.toLowerCase(), each.toLowerCase()));
  return near === undefined ? '' : ` (did you mean "${near}"?)`;
}

/** One letter more, less, other, or two swapped. */
function isNear(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1 || one.length < 2) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  const [rest, otherRest] = [one.slice(start), other.slice(start)];
  const isSwapped =
    rest[0] === otherRest[1] && rest[1] === otherRest[0] && rest.slice(2) === otherRest.slice(2);
  return (
    isSwapped ||
    rest.slice(1) === otherRest.slice(1) ||
    rest.slice(1) === otherRest ||
    rest === otherRest.slice(1)
  );
}

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

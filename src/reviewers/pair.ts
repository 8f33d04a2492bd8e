// Who reviews (pure): the pair that takes turns, what the name in state.json stands for, and who does not review here. A
// bare name is a model of Claude Code, as specified. Which other programs run is the user's choice: state.json comes with
// the repository, so what it names must be in the user's own pair.

import { type NamedReviewer, type Pair, parseReviewer, USUAL_PAIR } from './names.ts';
import { CLAUDE } from './programs.ts';

export type ReviewerFacts = {
  /** As the user names them. */
  pair: Pair;
  /** The program that reviews in the place of Claude Code, which is not installed; null: no need. */
  standIn: string | null;
};

/** Null or left out: opus and sonnet, by Claude Code. */
type Known = { reviewers?: ReviewerFacts | null };

export function pairOf({ reviewers }: Known): Pair {
  return reviewers?.pair ?? USUAL_PAIR;
}

/** Null: the name is not fit for a command line, or its program is not the user's choice. */
export function reviewerOf(name: string, facts: Known): NamedReviewer | null {
  const named = parseReviewer(name);
  if (named === null) return null;
  const standIn = standInFor(name, facts);
  if (standIn !== null) return { program: standIn, model: '' };
  return named.program === CLAUDE || pairOf(facts).includes(name) ? named : null;
}

/** The program that reviews in the place of Claude Code, where that is not installed and the user chose nobody. */
export function standInFor(name: string, { reviewers }: Known): string | null {
  return USUAL_PAIR.includes(name) ? (reviewers?.standIn ?? null) : null;
}

/** The two take turns; whoever is neither is followed by the first. */
export function otherModel(model: string, [first, second]: Pair): string {
  return model === first ? second : first;
}

/** After a review by `reviewer`: another in the state was put there while it ran, and is the next one's. */
export function modelAfter(model: string, reviewer: string | undefined, pair: Pair): string {
  return reviewer === undefined || reviewer === model ? otherModel(model, pair) : model;
}

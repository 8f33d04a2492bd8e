// Reads who reviews: the user's settings, and which programs are on PATH. Asked when a review is due, and by commands.

import type { Project } from '../../engine/project.ts';
import { standInOn } from '../../reviewers/stand-in.ts';
import type { ReviewerFacts } from './types.ts';

/** Null: the usual pair, by Claude Code. */
export function whoReviews({ config, env }: Project): ReviewerFacts | null {
  const { models: pair, chosen } = config.review;
  if (chosen) return { pair, standIn: null };
  const standIn = standInOn(env);
  return standIn === null ? null : { pair, standIn };
}

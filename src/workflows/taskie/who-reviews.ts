// Reads who reviews: the user's settings, and which programs are on PATH. Asked when a review is due, and by commands.

import type { Project } from '../../engine/project.ts';
import { CLAUDE, programs } from '../../reviewers/programs.ts';
import { isOnPath } from '../../store/on-path.ts';
import type { ReviewerFacts } from './types.ts';

/** Null: the usual pair, by Claude Code. */
export function whoReviews({ config, env }: Project): ReviewerFacts | null {
  const { models: pair, chosen } = config.review;
  if (chosen) return { pair, standIn: null };
  if (isOnPath(CLAUDE, env)) return null;
  const standIn = programs.find(({ name }) => isOnPath(name, env))?.name ?? null;
  return standIn === null ? null : { pair, standIn };
}

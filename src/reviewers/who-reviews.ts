// Reads who reviews: the user's settings, and which programs are on PATH. Asked when a review is due, and by commands.

import type { Config } from '../config/config.ts';
import type { Environment } from '../store/environment.ts';
import type { ReviewerFacts } from './pair.ts';
import { standInOn } from './stand-in.ts';

type Asked = { config: Pick<Config, 'review'>; env: Environment; root: string };

/** Null: the usual pair, by Claude Code. */
export function whoReviews({ config, env, root }: Asked): ReviewerFacts | null {
  const { models: pair, chosen } = config.review;
  if (chosen) return { pair, standIn: null };
  const standIn = standInOn(env, root);
  return standIn === null ? null : { pair, standIn };
}

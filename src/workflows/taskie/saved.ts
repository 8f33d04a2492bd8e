// What taskie keeps in a plan's sidecar: which file the review of the current iteration went to. Outside data:
// it is checked before it is believed, and without it the highest-numbered review is taken.

import { isObject, type Json } from '../../store/json.ts';
import { isTaskId } from './names.ts';
import { asReview } from './phases.ts';
import type { RememberedReview } from './types.ts';

export type Saved = { review: RememberedReview | null };

export function readSaved(value: Json | undefined): Saved {
  return { review: isObject(value) ? readReview(value.review) : null };
}

function readReview(value: unknown): RememberedReview | null {
  if (!isObject(value)) return null;
  const { kind, task, iteration, number } = value;
  const review = typeof kind === 'string' ? asReview(kind) : null;
  if (review === null || !isCount(iteration) || !isCount(number)) return null;
  if (task !== null && !(typeof task === 'string' && isTaskId(task))) return null;
  return { kind: review, task, iteration, number };
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

// Our own part of a plan's sidecar: which file the review of the current iteration went to. Outside data:
// it is checked before it is believed, and without it the highest-numbered review is taken.

import { isObject, type Json } from '../../store/json.ts';
import { isTaskId } from './names.ts';
import { asReview } from './phases.ts';
import type { RememberedReview } from './types.ts';

export function parseOwn(own: Json | undefined): RememberedReview | null {
  if (!isObject(own) || !isObject(own.review)) return null;
  const { kind, task, iteration, number } = own.review;
  const review = typeof kind === 'string' ? asReview(kind) : null;
  if (review === null || !isCount(iteration) || !isCount(number)) return null;
  if (task !== null && !(typeof task === 'string' && isTaskId(task))) return null;
  return { kind: review, task, iteration, number };
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

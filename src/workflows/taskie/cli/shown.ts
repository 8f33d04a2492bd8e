// A plan as views show it.

import path from 'node:path';
import type { Shown } from '../../../engine/workflow-cli.ts';
import { isObject } from '../../../store/json.ts';
import { readPlanFile } from '../files.ts';
import { asReview, reviewAnsweredBy } from '../phases.ts';
import type { PlanOnDisk } from './which-plan.ts';

export function shown(root: string, { plan, folder, state }: PlanOnDisk): Shown {
  const { phase = null, iteration = null, maxReviews = null } = state.kind === 'known' ? state : {};
  const inReview = asReview(phase) !== null || reviewAnsweredBy(phase) !== null;
  return {
    state: stateOf(state),
    progress: inReview && iteration !== null ? { unit: 'review', at: iteration, of: maxReviews } : null,
    asked: titleOf(readPlanFile(root, folder, 'plan.md') ?? '') ?? plan,
    startedAt: null,
    files: folder.files.filter((name) => !name.startsWith('.')).map((name) => path.join(folder.path, name)),
  };
}

/** Of a recorded stop, too. */
export function stateOf(state: unknown): string | null {
  if (!isObject(state) || state.kind !== 'known') return null;
  return typeof state.next === 'string' ? state.next : 'nothing next';
}

/** The plan's first line of text. */
function titleOf(text: string): string | null {
  const line = text
    .slice(0, 4096)
    .split('\n')
    .find((each) => each.trim() !== '');
  return line?.replace(/^#+/, '').trim() || null;
}

// The plans that go on in a few letters each, for a status line.

import type { Project } from '../../engine/project.ts';
import type { ShortRun } from '../../engine/workflow.ts';
import { listPlans, openPlan, readPlanFile } from './files.ts';
import { asReview, reviewAnsweredBy } from './phases.ts';
import { readState } from './state-format.ts';

/** Of the newest: a line has no room for more. */
const MOST = 5;

export function liveRuns({ root }: Project): ShortRun[] {
  return listPlans(root)
    .slice(0, MOST)
    .flatMap((plan): ShortRun[] => {
      const folder = openPlan(root, plan);
      const state = readState(folder === null ? null : readPlanFile(root, folder, 'state.json'));
      if (state.kind !== 'known' || state.next === null) return [];
      const { phase, iteration, maxReviews, currentTask, next } = state;
      const inReview = asReview(phase) !== null || reviewAnsweredBy(phase) !== null;
      const task = currentTask === null ? '' : `task ${currentTask}, `;
      const stands = inReview && iteration !== null ? `${phase} ${iteration}/${maxReviews}` : next;
      return [{ run: plan, stands: `${task}${stands}` }];
    });
}

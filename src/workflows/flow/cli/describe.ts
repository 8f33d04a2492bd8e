// Where a run stands, in a few words.

import type { FoundRun } from '../read-run.ts';

/** `tdd: in green, visit 2, hold 3 of 60`. */
export function describeStage({ state, run }: FoundRun): string {
  switch (state.kind) {
    case 'unreadable':
      return `its ${state.what} cannot be read`;
    case 'ended':
      return `${run?.flow ?? ''}: ended in ${run?.at ?? ''}, ${state.outcome}`;
    case 'at': {
      const where = state.pause ? `paused in ${state.at}` : `in ${state.at}`;
      const visit = state.visits > 1 ? `, visit ${state.visits}` : '';
      return `${state.flow}: ${where}${visit}, hold ${state.held} of ${state.most}`;
    }
  }
}

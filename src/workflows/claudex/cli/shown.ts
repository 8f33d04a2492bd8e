// A loop as views show it.

import type { Shown, ShownRound } from '../../../engine/workflow-cli.ts';
import { isObject } from '../../../store/json.ts';
import { filesOf, planFile, type StateDir } from '../files.ts';
import type { KnownLoop } from '../loops.ts';
import { isRunning } from '../review-progress.ts';
import type { LoopReport } from './describe.ts';

export function shown(known: KnownLoop, report: LoopReport, dir: StateDir, now: number): Shown {
  const { id, loop } = known;
  const files = filesOf(dir, id);
  const ofPlan = loop.mode === 'plan';
  const rounds = report.rounds.map(
    ({ round, counts }): ShownRound => ({
      number: round,
      found: counts,
      running: round === loop.round && counts === null && isRunning(dir, files, round, now),
      file: files.findings(round),
    }),
  );
  return {
    state: loop.phase === 'unknown' ? null : loop.phase,
    progress: ofPlan ? { unit: 'round', at: report.round, of: report.max_rounds } : null,
    asked: loop.topic === '' ? null : loop.topic,
    startedAt: loop.startedAtMs,
    files: [
      ...(ofPlan ? [planFile(dir)] : [files.review, files.proposedFixes]),
      ...rounds.map(({ file }) => file),
      files.state,
    ],
    rounds,
  };
}

/** Of a recorded stop. */
export function stateOf(state: unknown): string | null {
  return isObject(state) && typeof state.phase === 'string' && state.phase !== 'unknown' ? state.phase : null;
}

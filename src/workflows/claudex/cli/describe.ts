// A loop in words, for status, refusals and the list of all runs.

import type { Project } from '../../../engine/project.ts';
import { filesOf, type StateDir } from '../files.ts';
import type { Counts } from '../findings.ts';
import type { KnownLoop } from '../loops.ts';
import { isRunning, lastChange, readExitCode, readRounds } from '../review-progress.ts';
import { readField } from '../state-format.ts';
import { elapsed } from '../summary.ts';
import { readVariables } from '../variables.ts';

/** A loop as data: what `status --json` prints. */
export type LoopReport = {
  id: string;
  mode: string;
  phase: string;
  /** Never above the maximum: a round that is not allowed is not shown. */
  round: number;
  max_rounds: number;
  topic: string;
  started_at: string;
  elapsed: string;
  decision_signal: string;
  interview_used: boolean;
  from_draft: boolean;
  activity: string;
  /** Null: not reviewed; then `exit` is what its runner ended with, if it was run to its end. */
  rounds: readonly { round: number; counts: Counts | null; exit: number | null }[];
};

const MOST_ROUNDS = 100;

export function reportOn(known: KnownLoop, dir: StateDir, project: Project): LoopReport {
  const { id, text, loop } = known;
  const files = filesOf(dir, id);
  const max = maxRoundsOf(known, project);
  const round = Math.min(loop.round, max);
  const reviewed = readRounds(dir, files);
  const first = Math.max(1, round - MOST_ROUNDS + 1);
  const shownRounds = Array.from({ length: round - first + 1 }, (_, index) => first + index);
  return {
    id,
    mode: readField(text, 'mode') ?? 'unknown',
    phase: readField(text, 'phase') ?? 'unknown',
    round,
    max_rounds: max,
    topic: loop.topic,
    started_at: loop.startedAt,
    elapsed: elapsed(loop.startedAtMs, project.now),
    decision_signal: loop.signal,
    interview_used: loop.interviewUsed,
    from_draft: loop.fromDraft,
    activity: isRunning(dir, files, loop.round, project.now)
      ? `the review of round ${loop.round} runs now`
      : `last moved ${elapsed(lastChange(dir, id), project.now)} ago`,
    rounds:
      loop.mode === 'plan' && loop.phase !== 'drafting'
        ? shownRounds.map((each) => ({
            round: each,
            counts: reviewed.get(each) ?? null,
            exit: reviewed.has(each) ? null : readExitCode(dir, files, each),
          }))
        : [],
  };
}

/** `plan, reviewing, round 2 of 3` */
export function stageOf(known: KnownLoop, project: Project): string {
  const { loop } = known;
  if (known.text === '') return 'its state cannot be read';
  const phase = loop.phase === 'unknown' ? 'unknown phase' : loop.phase;
  if (loop.mode !== 'plan') return `${loop.mode}, ${phase}`;
  const max = maxRoundsOf(known, project);
  return `plan, ${phase}, round ${Math.min(loop.round, max)} of ${max}`;
}

function maxRoundsOf({ loop }: KnownLoop, { root, env }: Project): number {
  if (loop.maxRounds !== null) return loop.maxRounds;
  const variables = readVariables(root, env);
  return loop.mode === 'review' ? variables.reviewRounds : variables.planRounds;
}

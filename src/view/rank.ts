// Which runs are shown first, and what a person is wanted for (pure).

import { isUnshown } from '../engine/waiting/wait.ts';
import type { Sidecar, Waiting } from '../store/records.ts';
import { shownWord } from '../text/quoted.ts';
import type {
  BudgetView,
  CheckView,
  ProofView,
  Rank,
  RoundView,
  RunEnd,
  StopView,
  WaitingView,
} from './model.ts';

export type RankedBy = {
  name: string;
  live: boolean;
  sidecar: Sidecar;
  /** On record, and not over. */
  wait: Waiting | null;
  waiting: WaitingView | null;
  budget: BudgetView | null;
  proof: ProofView | null;
  checks: readonly CheckView[];
  rounds: readonly RoundView[];
  end: RunEnd | null;
  lastStop: StopView | null;
  unreadable: string | null;
  now: number;
};

/** One sentence or two, with the command; null: nothing. */
export function needsOf(run: RankedBy): string | null {
  const { name, live, wait, waiting, budget, proof, sidecar, unreadable } = run;
  if (unreadable !== null) return unreadable;
  if (!live) return null;
  // One that is still to be shown by its session's next stop needs nobody yet.
  if (wait?.for === 'person' && !isUnshown(wait)) return waiting?.text ?? null;
  if (wait?.for === 'limit' && /^(authentication_failed|billing_error)$/.test(wait.what))
    return waiting?.text ?? null;
  if (budget?.stage === 'paused') return budget.text;
  if (Object.values(sidecar.guard).some((memory) => memory.released))
    return `It was let go: there was no progress. To go on, run \`holdfast adopt ${shownWord(name)}\` in its session, or \`holdfast cancel ${shownWord(name)}\`.`;
  const [check] = proof?.untrusted ?? [];
  if (check !== undefined && proof?.off === false)
    return `Nobody trusts its check "${check}", so what it claims stays unproven: look at it with \`holdfast trust\`.`;
  return null;
}

const DAY_MS = 24 * 60 * 60 * 1000;

export function rankOf(run: RankedBy, needs: string | null): Rank {
  if (needs !== null) return 'needs-you';
  if (!run.live) return endedBadly(run) ? 'failing' : 'done';
  if (run.waiting !== null) return 'waiting';
  return isFailing(run) ? 'failing' : 'running';
}

/** For a day: then it is history. */
function endedBadly({ end, now }: RankedBy): boolean {
  if (end === null || end.at === null || now - end.at > DAY_MS) return false;
  return end.worth === 'unproven' || ['released', 'stuck', 'limit'].includes(end.outcome ?? '');
}

function isFailing({ checks, rounds, lastStop }: RankedBy): boolean {
  if (lastStop?.kind === 'failed' || rounds.at(-1)?.verdict === 'failed') return true;
  return checks.some(({ results }) =>
    ['failed', 'timed-out', 'cannot-run'].includes(results.at(-1)?.end ?? ''),
  );
}

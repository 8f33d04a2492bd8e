// Writes down what a step decided. The order is what makes a crash harmless: the sidecar with the coming
// state's fingerprint first, then the other files, the state last.

import type { Failures, GuardMemory, ReviewAttempt, Sidecar } from '../../store/records.ts';
import { sidecarWrite } from '../../store/sidecars.ts';
import { carryOutTogether } from '../../store/together.ts';
import { movedByOthers, settle } from '../guard/guard.ts';
import type { Project } from '../project.ts';
import { removeAttemptFiles, withReview } from '../work/attempt.ts';
import { failuresIn } from '../work/ended-review.ts';
import type { Commit } from '../workflow.ts';

/** What a turn wants written. */
export type ToCommit = {
  sidecar: Sidecar;
  /** The state as it stands on disk. */
  stateHash: string;
  /** Null: the state stays as it is. */
  commit: Commit | null;
  /** The guard's and the notices' memory of this session, where it changed. */
  memory: { session: string; memory: GuardMemory } | null;
  /** A hold without a change still marks the state as the one we last saw. */
  held: boolean;
  /** The finished review this step rests on. */
  applied: ReviewAttempt | null;
  /** A finished review that speaks of another state: the sidecar given is without it, and its files go. */
  passed: ReviewAttempt | null;
  /** A verdict that is paid for but not applied yet is written down, whatever else is. */
  keepsVerdict?: true;
  /** The sidecar given has news of its own: notes on proof, a wait. */
  noted?: true;
};

export function commitStep(project: Project, what: ToCommit): void {
  const { sidecar, stateHash, commit, memory, applied, passed } = what;
  // A commit that only notes something (a log line) must not pass somebody else's edit off as ours.
  const becomesOurs = what.held || (commit !== null && commit.stateHash !== stateHash);
  const moved = becomesOurs && movedByOthers(sidecar.committed, stateHash);
  const guard = settleAll(sidecar.guard, moved);
  const next: Sidecar = {
    // The applied review is kept until the state is written, for a crash in between must find the verdict again. That
    // it is spent shows in its folder, which goes last (isSpent).
    ...(applied !== null && commit === null ? withReview(sidecar, null) : sidecar),
    ...(commit === null ? {} : { saved: commit.saved }),
    committed: becomesOurs ? { before: stateHash, after: commit?.stateHash ?? stateHash } : sidecar.committed,
    guard:
      memory === null
        ? guard
        : { ...guard, [memory.session]: what.held ? memory.memory : settle(memory.memory, moved) },
    failures: applied === null ? sidecar.failures : countFailure(sidecar, stateHash, applied),
  };
  const within = commit?.within ?? project.root;
  const writes = (commit?.writes ?? []).map((write) => ({ write, root: within }));
  const isNews = commit ?? memory ?? applied ?? passed;
  if (isNews !== null || what.held || what.keepsVerdict || what.noted)
    carryOutTogether([{ write: sidecarWrite(project.root, next), root: project.root }, ...writes]);
  for (const gone of [applied, passed]) if (gone !== null) removeAttemptFiles(project, gone);
}

/** A hold was weighed with all that moved; everything else that is remembered learns of it here. */
function settleAll(guard: Sidecar['guard'], moved: boolean): Sidecar['guard'] {
  if (!moved) return guard;
  return Object.fromEntries(
    Object.entries(guard).map(([session, memory]) => [session, settle(memory, moved)]),
  );
}

function countFailure(sidecar: Sidecar, stateHash: string, applied: ReviewAttempt): Failures {
  if (applied.verdict === 'clean' || applied.verdict === 'findings') return { count: 0, state: '' };
  const { cause } = applied;
  const count = failuresIn(sidecar, stateHash) + 1;
  return { count, state: stateHash, ...(cause === undefined ? {} : { cause }) };
}

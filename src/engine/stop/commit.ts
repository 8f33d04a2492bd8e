// Writes down what a step decided. The order is what makes a crash harmless: the sidecar with the coming
// state's fingerprint first, then the other files, the state last.

import type { Attempt, Failures, GuardMemory, NoVerdict, Sidecar } from '../../store/records.ts';
import { sidecarWrite } from '../../store/sidecars.ts';
import { carryOutTogether } from '../../store/together.ts';
import { removeAttemptFiles } from '../work/attempt.ts';
import { movedByOthers, settle } from '../guard/guard.ts';
import type { Project } from '../project.ts';
import type { Commit } from '../workflow.ts';

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
  applied: Attempt | null;
};

export function commitStep(project: Project, what: ToCommit): void {
  const { sidecar, stateHash, commit, memory, applied } = what;
  // A commit that only notes something (a log line) must not pass a stranger's edit off as ours.
  const becomesOurs = what.held || (commit !== null && commit.stateHash !== stateHash);
  const moved = becomesOurs && movedByOthers(sidecar.committed, stateHash);
  const guard = settleAll(sidecar.guard, moved);
  const next: Sidecar = {
    ...sidecar,
    ...(commit === null ? {} : { own: commit.own }),
    committed: becomesOurs ? { before: stateHash, after: commit?.stateHash ?? stateHash } : sidecar.committed,
    guard:
      memory === null
        ? guard
        : { ...guard, [memory.session]: what.held ? memory.memory : settle(memory.memory, moved) },
    failures: applied === null ? sidecar.failures : countFailure(sidecar, stateHash, applied),
    // Kept until the state is written, for a crash in between must find the verdict again. That it is spent is told
    // by its folder, which goes last (isSpent).
    attempt: applied !== null && commit === null ? null : sidecar.attempt,
  };
  const within = commit?.within ?? project.root;
  const writes = (commit?.writes ?? []).map((write) => ({ write, root: within }));
  if (commit !== null || memory !== null || what.held || applied !== null)
    carryOutTogether([{ write: sidecarWrite(project.root, next), root: project.root }, ...writes]);
  if (applied !== null) removeAttemptFiles(project, applied);
}

/** A hold was weighed with all that moved; everything else that is remembered learns of it here. */
function settleAll(guard: Sidecar['guard'], moved: boolean): Sidecar['guard'] {
  if (!moved) return guard;
  return Object.fromEntries(
    Object.entries(guard).map(([session, memory]) => [session, settle(memory, moved)]),
  );
}

function countFailure(sidecar: Sidecar, stateHash: string, applied: Attempt): Failures {
  if (applied.verdict === 'clean' || applied.verdict === 'findings') return { count: 0, state: '' };
  const { cause } = applied;
  const count = failuresIn(sidecar, stateHash) + 1;
  return { count, state: stateHash, ...(cause === undefined ? {} : { cause }) };
}

/** Failures count for the state they happened in; an edited state starts anew. */
export function failuresIn({ failures }: Sidecar, stateHash: string): number {
  return failures.state === stateHash ? failures.count : 0;
}

/** Why the last of them had no verdict. */
export function lastFailureIn({ failures }: Sidecar, stateHash: string): NoVerdict | undefined {
  return failures.state === stateHash ? failures.cause : undefined;
}

// Puts the guard's question together: what did others move since this session's last hold on this run?

import { clientNamed } from '../../clients/index.ts';
import type { Stop } from '../../clients/stop.ts';
import { guardLimits } from '../../config/config.ts';
import { type GuardMemory, NO_GUARD_MEMORY, type Sidecar, type Waits } from '../../store/records.ts';
import { type Activity, activitySince } from '../../text/transcript.ts';
import type { StopContext } from '../context.ts';
import { calledInAll } from '../waiting/calls.ts';
import type { GuardedWorkflow } from '../workflow.ts';
import { type ArtifactSeal, sealArtifacts } from './artifacts.ts';
import {
  dependsOnTools,
  type GuardAnswer,
  type GuardLimits,
  type Movement,
  movedByOthers,
  weigh,
} from './guard.ts';

/** How the agent's transcript is read; `awaited`: a line that may have been late had its time to come. */
type Activities = { since(marker: string | null): Activity; awaited: boolean };

export type GuardResult =
  | (GuardAnswer & {
      asked: GuardQuestion;
      /** The agent's last tool output said that a process still runs. */
      leavesRunning?: true;
      /** The agent still has what the last hold of this session said: since then nothing was compacted. */
      recalls?: true;
    })
  /** The answer depends on a tool call after this line, and its own line may be late: it is worth a wait. */
  | { kind: 'wait-for-tools'; since: string | null }
  /** Fired by hand: a person's own doing is not counted. Or nothing was to be held. */
  | typeof UNCOUNTED;

export const UNCOUNTED = { kind: 'uncounted' } as const;

/** For the journal: with these, the guard gives the same answer again. */
export type GuardQuestion = { memory: GuardMemory; movement: Movement; limits: GuardLimits };

const UNKNOWN_HOLDS = 12;

export function askGuard(
  workflow: GuardedWorkflow,
  { stop, project }: Pick<StopContext, 'stop' | 'project'>,
  sidecar: Sidecar,
  now: { stateHash: string; artifacts: readonly string[] },
  activities: Activities,
): GuardResult {
  if (stop.session === null) return UNCOUNTED;
  const memory = memoryOf(sidecar, stop.session);
  const defaults = guardLimits(project.config, workflow.name, workflow.guard);
  const limits = { ...defaults, unknown: UNKNOWN_HOLDS };
  const seal = sealArtifacts(now.artifacts, memory.artifacts);
  const moved = {
    ...whatMoved(memory, sidecar, now.stateHash, seal),
    ...(memory.held && hasWaited(sidecar.waits, project.config.wait.workMs) ? { waited: true } : {}),
  };
  const activity = activities.since(memory.marker);
  if (!activities.awaited && memory.held && activity.tools === 'no' && dependsOnTools(memory, moved, limits))
    return { kind: 'wait-for-tools', since: memory.marker };
  const movement: Movement = { ...moved, tools: memory.held ? activity.tools : 'no' };
  const answer = weigh(memory, movement, limits);
  const asked = { memory, movement, limits };
  if (answer.kind === 'release') return { ...answer, asked };
  const { marker, leavesRunning } = activity;
  const remembered = { ...answer.memory, artifacts: seal, marker };
  return {
    ...{ ...answer, memory: remembered, asked },
    ...(leavesRunning && { leavesRunning }),
    ...(memory.held && isConversationKept(stop, activity) ? { recalls: true as const } : {}),
  };
}

/** Unknown tools: the transcript could not be read back to the last hold. */
function isConversationKept({ client }: Stop, { tools, compacted }: Activity): boolean {
  return tools !== 'unknown' && !compacted && clientNamed(client).marksCompaction === true;
}

function hasWaited(waits: Waits | undefined, mostMs: number): boolean {
  if (waits === undefined || waits.calls <= waits.callsAtHold) return false;
  return calledInAll(waits) <= mostMs;
}

/** What the agent did since a line of its transcript. The file is read from its end, and only so far. */
export function activityOf(stop: Stop, since: string | null): Activity {
  return activitySince(stop.transcriptPath, since, clientNamed(stop.client).readTranscriptLine);
}

/** Claude Code writes its transcript on a 100 ms timer (2.1.197), so a line worth waiting for is there within 250. */
export async function toolsAppear(stop: Stop, since: string | null): Promise<void> {
  for (let waits = 0; waits < 10; waits++) {
    if (activityOf(stop, since).tools !== 'no') return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

export function memoryOf(sidecar: Sidecar, session: string): GuardMemory {
  const known = Object.hasOwn(sidecar.guard, session) ? sidecar.guard[session] : undefined;
  return known ?? NO_GUARD_MEMORY;
}

/** The hook's own commits never count; what a command or a person did to the state does. */
function whatMoved(memory: GuardMemory, sidecar: Sidecar, stateHash: string, seal: ArtifactSeal) {
  if (!memory.held) return { state: false, artifacts: false };
  return {
    state: movedByOthers(sidecar.committed, stateHash),
    artifacts: seal.content !== memory.artifacts.content,
  };
}

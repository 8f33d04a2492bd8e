// Puts the guard's question together: what did others move since this session's last hold on this run?

import { clientNamed } from '../../clients/index.ts';
import type { Stop } from '../../clients/stop.ts';
import { guardLimits } from '../../config/config.ts';
import { type GuardMemory, NO_GUARD_MEMORY, type Sidecar } from '../../store/records.ts';
import { type Activity, activitySince } from '../../text/transcript.ts';
import { type ArtifactSeal, sealArtifacts } from './artifacts.ts';
import {
  type GuardLimits,
  hangsOnTools,
  type Movement,
  movedByOthers,
  type Weighed,
  weigh,
} from './guard.ts';
import type { Visit } from '../visit.ts';
import type { GuardedWorkflow } from '../workflow.ts';

/** How the agent's transcript is read; `awaited`: a line that may have been late had its time to come. */
type Activities = { since(marker: string | null): Activity; awaited: boolean };

export type Consulted =
  /** The answer hangs on a tool call after this line, and its own line may be late: it is worth a wait. */
  | { kind: 'await-tools'; since: string | null }
  | { kind: 'weighed'; weighed: Weighed; memory: GuardMemory; movement: Movement; limits: GuardLimits }
  /** Fired by hand: a person's own doing is not counted. */
  | { kind: 'uncounted' };

const UNKNOWN_HOLDS = 12;

export function consultGuard(
  workflow: GuardedWorkflow,
  visit: Visit,
  sidecar: Sidecar,
  now: { stateHash: string; artifacts: readonly string[] },
  activities: Activities,
): Consulted {
  const { session } = visit.stop;
  if (session === null) return { kind: 'uncounted' };
  const memory = memoryOf(sidecar, session);
  const defaults = guardLimits(visit.project.config, workflow.name, workflow.guard);
  const limits = { ...defaults, unknown: UNKNOWN_HOLDS };
  const seal = sealArtifacts(now.artifacts, memory.artifacts);
  const moved = whatMoved(memory, sidecar, now.stateHash, seal);
  const activity = activities.since(memory.marker);
  if (!activities.awaited && memory.held && activity.tools === 'no' && hangsOnTools(memory, moved, limits))
    return { kind: 'await-tools', since: memory.marker };
  const movement: Movement = { ...moved, tools: memory.held ? activity.tools : 'no' };
  const weighed = weigh(memory, movement, limits);
  if (weighed.kind === 'release') return { kind: 'weighed', weighed, memory, movement, limits };
  const held = { ...weighed.memory, artifacts: seal, marker: activity.marker };
  return { kind: 'weighed', weighed: { kind: 'hold', memory: held }, memory, movement, limits };
}

/** What the agent did since a line of its transcript. The file is read from its end, and only so far. */
export function activityOf(stop: Stop, since: string | null): Activity {
  return activitySince(stop.transcriptPath, since, clientNamed(stop.client).readTranscriptLine);
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

// Before a loop is called stale: was its session away at a limit, without our having been told? The client's event about
// that can be lost, and Codex has none. Loaded at a stop of such a loop alone.

import { clientNamed } from '../../clients/index.ts';
import type { RunContext } from '../../engine/context.ts';
import { timeAtLimits } from '../../text/limit.ts';
import type { World } from './observe.ts';

/** Milliseconds that the loop's clock does not know of. What it stood still already may be the same time. */
export function unknownToClock({ stop, project, now }: RunContext, { found, saved }: World): number {
  const time = found.state.kind === 'loop' ? found.state.updatedAt : null;
  if (time === null) return 0;
  const { readTranscriptLine } = clientNamed(stop.client);
  // An empty one says that there was no line yet.
  const since = { marker: saved.seen === '' ? null : saved.seen, time };
  const away = timeAtLimits(stop.transcriptPath, since, project.now, readTranscriptLine);
  return Math.max(0, away - (project.now - now));
}

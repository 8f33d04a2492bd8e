// Turns a change into writes: a message in the topic, or the fallback file rewritten or put away.

import type { RunContext } from '../../engine/context.ts';
import type { Project } from '../../engine/project.ts';
import type { Commit } from '../../engine/workflow.ts';
import { fingerprint } from '../../store/fingerprint.ts';
import { homeOf } from '../../store/home.ts';
import { below } from '../../store/paths.ts';
import type { Write } from '../../store/writes.ts';
import { withIteration } from './fallback.ts';
import { fallbackPath, TOPIC } from './files.ts';
import type { World } from './observe.ts';
import type { FoundLoop } from './read-loop.ts';
import { positionAt, writeSaved } from './saved.ts';
import { changeStack, nextBody } from './state-format.ts';
import { post } from './topic-log.ts';
import type { Change } from './types.ts';

export function commit(change: Change, { found, saved }: World, { project }: RunContext): Commit {
  const written = found.source === 'file' ? toFile(change, found, project) : toTopic(change, found, project);
  const seen = change.seen ?? saved.seen;
  return {
    writes: [written.write],
    stateHash: fingerprint(written.text),
    saved: writeSaved({ position: positionAt(found.log), seen, keptSignal: keptUntilWritten(saved, found) }),
  };
}

/**
 * The sidecar is written before the state, and a crash in between must find the signal again. It speaks of the state as
 * it was, and no message of a topic comes twice; a file may, with the same words in it.
 */
function keptUntilWritten(
  { keptSignal }: World['saved'],
  { source }: FoundLoop,
): World['saved']['keptSignal'] {
  return source === 'file' ? null : keptSignal;
}

type Written = { write: Write; text: string };

function toTopic(change: Change, found: FoundLoop, { root, now }: Project): Written {
  const { fields, stack } = found.raw ?? { fields: {}, stack: [] };
  const { event, reason } = change;
  const body = nextBody(fields, { event, reason, stack: changeStack(stack, change), now });
  return { write: post(root, TOPIC, found.log, body, now), text: body };
}

function toFile(change: Change, found: FoundLoop, { root, now }: Project): Written {
  if (change.event !== 'STATE') return { write: putAway(root, now), text: '' };
  const [frame] = changeStack(found.raw?.stack ?? [], change);
  const text = typeof frame?.iter === 'number' ? withIteration(found.text, frame.iter) : found.text;
  return { write: { kind: 'replace', path: fallbackPath(root), content: text }, text };
}

/** The file goes, a copy stays: a person may want to know what it said. */
export function putAway(root: string, now: number): Write {
  const copy = below(homeOf(root), `idle/idle-loop.${now}.md`);
  return { kind: 'move', from: fallbackPath(root), to: copy };
}

// Turns a change into writes: a message in the topic, or the fallback file rewritten or put away.

import type { RunContext } from '../../engine/context.ts';
import type { Project } from '../../engine/project.ts';
import type { Commit } from '../../engine/workflow.ts';
import { fingerprint } from '../../store/fingerprint.ts';
import { homeOf } from '../../store/home.ts';
import { below } from '../../store/paths.ts';
import type { Write } from '../../store/writes.ts';
import { fallbackPath, withIteration } from './fallback.ts';
import type { World } from './observe.ts';
import { type Current, positionAt, TOPIC, writeOwn } from './read-loop.ts';
import { changeStack, nextBody } from './state-format.ts';
import { post } from './topic-log.ts';
import type { Change } from './types.ts';

export function commit(change: Change, { current, own }: World, { project }: RunContext): Commit {
  const written =
    current.source === 'file' ? toFile(change, current, project) : toTopic(change, current, project);
  const seen = change.seen ?? own.seen;
  return {
    writes: [written.write],
    stateHash: fingerprint(written.text),
    saved: writeOwn({ position: positionAt(current.log), seen, heard: null }),
  };
}

type Written = { write: Write; text: string };

function toTopic(change: Change, current: Current, { root, now }: Project): Written {
  const { fields, stack } = current.raw ?? { fields: {}, stack: [] };
  const { event, reason } = change;
  const body = nextBody(fields, { event, reason, stack: changeStack(stack, change), now });
  return { write: post(root, TOPIC, current.log, body, now), text: body };
}

function toFile(change: Change, current: Current, { root, now }: Project): Written {
  if (change.event !== 'STATE') return { write: putAway(root, now), text: '' };
  const [frame] = changeStack(current.raw?.stack ?? [], change);
  const text = typeof frame?.iter === 'number' ? withIteration(current.text, frame.iter) : current.text;
  return { write: { kind: 'replace', path: fallbackPath(root), content: text }, text };
}

/** The file goes, a copy stays: a person may want to know what it said. */
export function putAway(root: string, now: number): Write {
  const copy = below(homeOf(root), `idle/idle-loop.${now}.md`);
  return { kind: 'move', from: fallbackPath(root), to: copy };
}

// The loop of a project as it stands: the latest state of the topic `loop:current`, else the fallback file.

import { fingerprint } from '../../store/fingerprint.ts';
import { isObject, type Json } from '../../store/json.ts';
import { FALLBACK_RUN, readFallback } from './fallback.ts';
import { type RawState, readBody, readFrame } from './state-format.ts';
import { type LogEnd, latestOf, type Position, type Reach } from './topic-log.ts';
import type { State } from './types.ts';

export const TOPIC = 'loop:current';

export type Current = {
  state: State;
  /** Null where nothing tells it: no state, or none that can be read. */
  run: string | null;
  /** The state as it is written; null where there is none that can be read. */
  raw: RawState | null;
  source: 'topic' | 'file';
  /** The topic message's body, or the file's text: what the state's fingerprint is of. */
  text: string;
  log: LogEnd | null;
};

export function readCurrent(root: string, own: Own, reach: Reach): Current {
  const found = latestOf(TOPIC, root, own.position, reach);
  const { log } = found;
  if (found.kind === 'lost') return { ...NOTHING, state: { kind: 'lost' }, log };
  if (found.kind === 'none') return fromFile(root, log);
  const read = readBody(found.body);
  switch (read.kind) {
    case 'not-a-state':
      return fromFile(root, log);
    case 'unreadable':
      return { ...NOTHING, state: { kind: 'unreadable' }, text: found.body, log };
    case 'state':
      return { state: read.loop, run: read.run, raw: read.raw, source: 'topic', text: found.body, log };
  }
}

export function stateHash({ text }: Pick<Current, 'text'>): string {
  return fingerprint(text);
}

const NOTHING: Current = {
  state: { kind: 'nothing' },
  run: null,
  raw: null,
  source: 'topic',
  text: '',
  log: null,
};

function fromFile(root: string, log: LogEnd | null): Current {
  const file = readFallback(root);
  if (file.kind === 'none') return { ...NOTHING, log };
  if (file.kind === 'unreadable') return { ...NOTHING, state: { kind: 'unreadable' }, source: 'file', log };
  const { text, frame, updatedAt } = file;
  return {
    state: { kind: 'loop', event: 'STATE', updatedAt, stack: [readFrame(frame)] },
    run: FALLBACK_RUN,
    raw: { fields: {}, stack: [frame] },
    source: 'file',
    text,
    log,
  };
}

/** Our part of the run's sidecar. */
export type Own = {
  position: Position | null;
  /** The transcript's newest line at the last stop, empty when it had none; null: nobody looked yet. */
  seen: string | null;
  /** A signal that was given while another run held the stop, and the state it was given in. */
  heard: Heard | null;
};

export type Heard = { signal: string; state: string };

export const NEW_OWN: Own = { position: null, seen: null, heard: null };

/** Data like any other: whatever is not as we write it counts as never written. */
export function readOwn(value: Json | undefined): Own {
  if (!isObject(value)) return NEW_OWN;
  const { position, seen, heard } = value;
  return {
    position: isPosition(position) ? position : null,
    seen: typeof seen === 'string' ? seen : null,
    heard: isHeard(heard) ? heard : null,
  };
}

export function writeOwn({ position, seen, heard }: Own): Json {
  return { position, seen, heard };
}

/** As one word, where it cannot be written into the sidecar. */
export function writeWord({ signal, state }: Heard): string {
  return `${state} ${signal}`;
}

export function readWord(word: string): Heard {
  const [state = '', signal = ''] = word.split(' ', 2);
  return { signal, state };
}

/** What is remembered after a look at the log: whatever is posted from now on stands behind this. */
export function positionAt(log: LogEnd | null): Position | null {
  return log === null || log.topic === null
    ? null
    : { topic: log.topic, inode: log.inode, scanned: log.size };
}

function isPosition(value: unknown): value is Position {
  return (
    isObject(value) &&
    typeof value.topic === 'string' &&
    typeof value.inode === 'number' &&
    Number.isSafeInteger(value.scanned) &&
    Number(value.scanned) >= 0
  );
}

function isHeard(value: unknown): value is Heard {
  return isObject(value) && typeof value.signal === 'string' && typeof value.state === 'string';
}

// The loop of a project as it stands: the latest state of the topic `loop:current`, else the fallback file.

import { fingerprint } from '../../store/fingerprint.ts';
import { FALLBACK_RUN, readFallback } from './fallback.ts';
import { TOPIC } from './files.ts';
import type { Saved } from './saved.ts';
import { type RawState, readBody, readFrame } from './state-format.ts';
import { type LogEnd, latestOf, type Reach } from './topic-log.ts';
import type { State } from './types.ts';

export type FoundLoop = {
  state: State;
  /** Null where it is not known: no state, or none that can be read. */
  run: string | null;
  /** The state as it is written; null where there is none that can be read. */
  raw: RawState | null;
  source: 'topic' | 'file';
  /** The topic message's body, or the file's text: what the state's fingerprint is of. */
  text: string;
  log: LogEnd | null;
};

export function readLoop(root: string, saved: Saved, reach: Reach): FoundLoop {
  const latest = latestOf(TOPIC, root, saved.position, reach);
  const { log } = latest;
  if (latest.kind === 'lost') return { ...NOTHING, state: { kind: 'lost' }, log };
  if (latest.kind === 'none') return fromFile(root, log);
  const read = readBody(latest.body, latest.sentAt);
  switch (read.kind) {
    case 'not-a-state':
      return fromFile(root, log);
    case 'unreadable':
      return { ...NOTHING, state: { kind: 'unreadable' }, text: latest.body, log };
    case 'state':
      return { state: read.loop, run: read.run, raw: read.raw, source: 'topic', text: latest.body, log };
  }
}

export function stateHash({ text }: Pick<FoundLoop, 'text'>): string {
  return fingerprint(text);
}

const NOTHING: FoundLoop = {
  state: { kind: 'nothing' },
  run: null,
  raw: null,
  source: 'topic',
  text: '',
  log: null,
};

function fromFile(root: string, log: LogEnd | null): FoundLoop {
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

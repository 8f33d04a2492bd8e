// What idle keeps in a run's sidecar. Data like any other: whatever is not as we write it counts as never written.

import { isObject, type Json } from '../../store/json.ts';
import type { LogEnd, Position } from './topic-log.ts';

export type Saved = {
  position: Position | null;
  /** The transcript's newest line at the last stop, empty when it had none; null: nobody looked yet. */
  seen: string | null;
  /** A signal that was given while another run held the stop, and the state it was given in. */
  keptSignal: KeptSignal | null;
};

export type KeptSignal = { signal: string; state: string };

export const NOTHING_SAVED: Saved = { position: null, seen: null, keptSignal: null };

export function readSaved(value: Json | undefined): Saved {
  if (!isObject(value)) return NOTHING_SAVED;
  // Earlier versions called the signal `heard`.
  const { position, seen, keptSignal = value.heard } = value;
  return {
    position: isPosition(position) ? position : null,
    seen: typeof seen === 'string' ? seen : null,
    keptSignal: isKeptSignal(keptSignal) ? keptSignal : null,
  };
}

export function writeSaved({ position, seen, keptSignal }: Saved): Json {
  return { position, seen, keptSignal };
}

/** The saved part with a signal in it, until the next commit. */
export function keepSignal(saved: Json | undefined, word: string): Json {
  return writeSaved({ ...readSaved(saved), keptSignal: readWord(word) });
}

/** As one word, where it cannot be written into the sidecar. */
export function writeWord({ signal, state }: KeptSignal): string {
  return `${state} ${signal}`;
}

export function readWord(word: string): KeptSignal {
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

function isKeptSignal(value: unknown): value is KeptSignal {
  return isObject(value) && typeof value.signal === 'string' && typeof value.state === 'string';
}

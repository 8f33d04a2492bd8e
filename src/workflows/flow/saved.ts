// What a flow keeps in a run's sidecar. Data like any other: whatever is not as we write it counts as never written.

import { isObject, type Json } from '../../store/json.ts';

export type Saved = {
  /** The transcript's newest line at the last stop, empty when it had none; null: nobody looked yet. */
  seen: string | null;
  /** A signal that was given while another run held the stop, and the state it was given in. */
  kept: KeptSignal | null;
};

export type KeptSignal = { name: string; state: string };

export const NOTHING_SAVED: Saved = { seen: null, kept: null };

export function readSaved(value: Json | undefined): Saved {
  if (!isObject(value)) return NOTHING_SAVED;
  const { seen, kept } = value;
  return { seen: typeof seen === 'string' ? seen : null, kept: isKept(kept) ? kept : null };
}

export function writeSaved({ seen, kept }: Saved): Json {
  return { seen, kept };
}

/** The saved part with a signal in it, until the next commit. */
export function keepSignal(saved: Json | undefined, word: string): Json {
  return writeSaved({ ...readSaved(saved), kept: readWord(word) });
}

/** As one word, where it cannot be written into the sidecar. */
export function writeWord({ name, state }: KeptSignal): string {
  return `${state} ${name}`;
}

export function readWord(word: string): KeptSignal {
  const [state = '', name = ''] = word.split(' ', 2);
  return { name, state };
}

function isKept(value: unknown): value is KeptSignal {
  return isObject(value) && typeof value.name === 'string' && typeof value.state === 'string';
}

// What a decision knows of the loop: derived values only, never a text. Types, no behaviour.

import type { NearMiss } from '../../text/signals.ts';
import type { Mode, Reason } from './modes.ts';

export type State =
  | { kind: 'nothing' }
  /** The log is too long to find its latest state without our own notes. */
  | { kind: 'lost' }
  | { kind: 'unreadable' }
  | Loop;

export type Loop = {
  kind: 'loop';
  event: 'STATE' | 'DONE' | 'ABORT';
  /** Milliseconds; null when missing or not a time, which counts as stale. */
  updatedAt: number | null;
  /** The last one is the top. */
  stack: readonly Frame[];
};

export type Frame = {
  mode: Mode | 'unknown';
  /** `corrupt`: there is something, but no whole number from 0 up. */
  iter: number | 'corrupt';
  max: number | 'corrupt';
  /** When what is on top of it ends, it holds at once instead of at the next stop. */
  carryOn: boolean;
};

export type Facts = {
  /** By the loop's own clock, which stood still while it waited. */
  now: number;
  /** Milliseconds its session was away at limits that the clock does not know of; null: nobody looked. */
  limited: number | null;
  /** `unread`: the text where it might stand has not been looked at. */
  signal: Reason | 'none' | 'unread';
  /** What came near to a signal, where there was none: the hold hints at it. */
  nearMiss: NearMiss;
  /** The transcript's newest line, empty when it has none; null: nobody looked. */
  seen: string | null;
  /** The check that ends the top frame when it passes, without a signal. */
  untilCheck: string | null;
};

/** What is to be posted, said relative to the state that was read: frames to drop, whether the top one steps. */
export type Change = {
  event: 'STATE' | 'DONE' | 'ABORT';
  reason: Reason | 'CORRUPTED' | null;
  drop: 'none' | 'top' | 'all';
  step: boolean;
  seen: string | null;
};

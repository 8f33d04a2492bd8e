// What the driver says while it drives: one event at a time, to whoever shows it (types only).

import type { EndCode, Why } from './types.ts';

export type Said =
  | { event: 'began'; run: string | null; asked: string; client: string; access: string; root: string }
  | { event: 'run'; run: string }
  | { event: 'client-began'; session: string | null; pid: number; how: 'new' | 'resumed' }
  | { event: 'turn'; number: number }
  | { event: 'stop'; answer: 'hold' | 'allow'; stage: string; why: string }
  | { event: 'work'; what: 'review' | 'check'; name: string; status: string }
  | { event: 'denied'; what: string }
  | { event: 'turn-ended'; tools: number; usd: number | null }
  | { event: 'trouble'; what: string; said: string }
  | { event: 'client-ended'; how: string; code: number | null; signal: string | null }
  | { event: 'waits'; why: string; until: number }
  | { event: 'asked-to-end'; again: boolean }
  | { event: 'left'; command: string }
  | { event: 'finished'; code: EndCode; why: Why };

export type Report = {
  say(said: Said): void;
  /** What is going on right now, for a line that is drawn again and again. */
  now(status: {
    stage: string;
    tools: number;
    turns: number;
    usd: number | null;
    waitsUntil: number | null;
  }): void;
};

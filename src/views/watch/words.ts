// What the terminal shows in few letters: marks, bars, times.

import { plainText } from '../../text/printable.ts';
import type { RoundVerdict, StopKind } from '../../view/model.ts';
import {
  boundInWords,
  describeEnd,
  labelOf,
  type Standing,
  type Tone,
  toneOf,
} from '../../view/run-state.ts';
import type { RunCard } from '../shown.ts';

export type Colour = 'green' | 'yellow' | 'red' | 'cyan' | 'gray';

/** Of how a run stands (view/run-state.ts). */
const TONES: Readonly<Record<Tone, { mark: string; colour: Colour }>> = {
  attention: { mark: '!', colour: 'yellow' },
  active: { mark: '●', colour: 'cyan' },
  good: { mark: '✓', colour: 'green' },
  bad: { mark: '✗', colour: 'red' },
  quiet: { mark: '◌', colour: 'gray' },
};

export function markOf(run: Standing): { mark: string; colour: Colour } {
  const tone = toneOf(run);
  return run.end !== null && tone === 'quiet' ? { mark: '–', colour: 'gray' } : TONES[tone];
}

export const VERDICTS: Readonly<Record<RoundVerdict, { mark: string; colour: Colour }>> = {
  clean: { mark: '✓', colour: 'green' },
  findings: { mark: '✗', colour: 'red' },
  none: { mark: '·', colour: 'gray' },
  failed: { mark: '!', colour: 'yellow' },
  running: { mark: '…', colour: 'cyan' },
  'not-reviewed': { mark: '·', colour: 'gray' },
};

export const STOPS: Readonly<Record<StopKind, { name: string; colour: Colour }>> = {
  held: { name: 'held', colour: 'cyan' },
  allowed: { name: 'allowed', colour: 'gray' },
  waits: { name: 'waits', colour: 'gray' },
  'let-go': { name: 'let go', colour: 'yellow' },
  failed: { name: 'failed', colour: 'red' },
};

const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

export function spinnerAt(now: number): string {
  return SPINNER[Math.floor(now / 250) % SPINNER.length] ?? '';
}

/** `1:05`, `2:10:00`. */
export function elapsed(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const two = (value: number) => String(value).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

export function timeOfDay(at: number): string {
  return new Date(at).toTimeString().slice(0, 8);
}

/** Local, as the log has it. */
export function dayAndTime(at: number): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${timeOfDay(at)}`;
}

type Stand = Pick<RunCard, 'status' | 'end' | 'stage' | 'progress'>;

/** How it ended; or where it stands, with its bound where its stage does not say it. */
export function standOf({ status, end, stage, progress }: Stand): string {
  if (end !== null) return oneLine(describeEnd(end));
  const bound = progress === null ? null : boundInWords(progress, stage);
  const state = status === 'running' ? [] : [labelOf({ status, end })];
  return oneLine([...state, stage, ...(bound === null ? [] : [bound])].join(', '));
}

/** One line, without anything that steers a terminal. */
export function oneLine(text: string): string {
  return plainText(text).replace(/\s+/g, ' ').trim();
}

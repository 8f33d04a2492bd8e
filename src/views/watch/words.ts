// What the terminal shows in few letters: marks, bars, times.

import { plainText } from '../../text/printable.ts';
import type { Progress, RoundVerdict, StopKind } from '../../view/model.ts';
import type { Tone } from '../../view/run-state.ts';

export type Colour = 'green' | 'yellow' | 'red' | 'cyan' | 'gray';

/** Of how a run stands (view/run-state.ts). */
export const TONES: Readonly<Record<Tone, { mark: string; colour: Colour }>> = {
  attention: { mark: '!', colour: 'yellow' },
  active: { mark: '●', colour: 'cyan' },
  good: { mark: '✓', colour: 'green' },
  bad: { mark: '✗', colour: 'red' },
  quiet: { mark: '◌', colour: 'gray' },
};

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
  allowed: { name: 'allowed', colour: 'green' },
  waits: { name: 'waits', colour: 'gray' },
  'let-go': { name: 'let go', colour: 'yellow' },
  failed: { name: 'failed', colour: 'red' },
};

const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

export function spinnerAt(now: number): string {
  return SPINNER[Math.floor(now / 250) % SPINNER.length] ?? '';
}

export function bar(at: number, of: number, width: number): string {
  const filled = of <= 0 ? 0 : Math.min(width, Math.max(0, Math.round((at / of) * width)));
  return '█'.repeat(filled) + '░'.repeat(width - filled);
}

export function progressWords({ unit, at, of }: Progress): string {
  return of === null ? `${unit} ${at}` : `${unit} ${at} of ${of}`;
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

/** One line, without anything that steers a terminal. */
export function oneLine(text: string): string {
  return plainText(text).replace(/\s+/g, ' ').trim();
}

// Where an axis has its ticks, and what stands at them: round values, no label twice, none beyond the edge (pure).

import { dayOf, timeOf } from '../words.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const TIME_STEPS = [
  ...[SECOND, 2 * SECOND, 5 * SECOND, 10 * SECOND, 15 * SECOND, 30 * SECOND],
  ...[MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 15 * MINUTE, 30 * MINUTE],
  ...[HOUR, 2 * HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 2 * DAY, 7 * DAY, 14 * DAY, 30 * DAY, 91 * DAY],
];

export type Quantity = 'count' | 'time' | 'money';

/** Three or four round values from 0 to at least `most`; things that are counted have no halves. */
export function valueTicks(most: number, quantity: Quantity = 'count'): number[] {
  if (most <= 0) return [0, 1];
  const step = quantity === 'time' ? timeStep(most / 3) : roundStep(most / 3, quantity);
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, index) => index * step);
}

function roundStep(rough: number, quantity: Quantity): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough) ?? 10 * power;
  return quantity === 'money' ? Math.max(0.01, step) : Math.max(1, step);
}

function timeStep(rough: number): number {
  return TIME_STEPS.find((each) => each >= rough) ?? Math.ceil(rough / (30 * DAY)) * 30 * DAY;
}

export type TimeTick = { at: number; label: string };

/** Round local times from the first to the last, as many as the width in pixels has room for. */
export function timeTicks(from: number, to: number, width: number): TimeTick[] {
  const span = Math.max(1, to - from);
  const hasDay = span > 20 * HOUR;
  const step = timeStep(span / Math.max(1, Math.floor(width / (hasDay ? 116 : 76))));
  const offset = new Date(from).getTimezoneOffset() * MINUTE;
  const first = Math.ceil((from - offset) / step) * step + offset;
  const ticks: TimeTick[] = [];
  for (let at = first; at <= to; at += step) {
    const time = timeOf(at, step < MINUTE);
    const label = step >= DAY ? dayOf(at) : hasDay ? `${dayOf(at)}, ${time}` : time;
    // The hour that a change of the clock repeats.
    if (label !== ticks.at(-1)?.label) ticks.push({ at, label });
  }
  return ticks.length === 0 ? [{ at: from, label: timeOf(from, true) }] : ticks;
}

export const LETTER = 6.8;

/** Room for the longest label beside an axis. */
export function widthOf(labels: readonly string[]): number {
  return Math.ceil(Math.max(...labels.map(({ length }) => length)) * LETTER);
}

/** A label near an edge leans inwards. */
export function anchorAt(x: number, label: string, right: number): 'start' | 'middle' | 'end' {
  const half = (label.length * LETTER) / 2;
  if (x < half) return 'start';
  return x + half > right ? 'end' : 'middle';
}

export type Label = { text: string; x: number };

/** Each label in the first row where it does not touch the one before it; one that would be cut starts further left. */
export function inRows(labels: readonly Label[], right: number): { text: string; x: number; row: number }[] {
  const ends: number[] = [];
  return labels.map(({ text, x }) => {
    const long = text.length * LETTER;
    const start = Math.max(0, Math.min(x, right - long));
    const free = ends.findIndex((end) => end <= start);
    const row = free === -1 ? ends.length : free;
    ends[row] = start + long + 8;
    return { text, x: start, row };
  });
}

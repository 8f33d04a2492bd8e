// The loop's state as it is written in the topic `loop:current`: reading a message's body, and making the
// next one. Whatever else stands in a state is kept as it is.

import { fingerprint } from '../../store/fingerprint.ts';
import { isObject, type Json, type JsonObject, parseJson } from '../../store/json.ts';
import { isoTime } from '../../text/iso-time.ts';
import { isMode, modes } from './modes.ts';
import type { Change, Frame, Loop } from './types.ts';

/** A frame as it is written; only what is read here is known of it. */
export type RawFrame = Readonly<Record<string, unknown>>;

export type RawState = {
  fields: Readonly<Record<string, unknown>>;
  stack: readonly RawFrame[];
};

export type ReadBody =
  | { kind: 'state'; run: string; raw: RawState; loop: Loop }
  /** No `schema`: some other message that landed in the topic. */
  | { kind: 'not-a-state' }
  | { kind: 'unreadable' };

/** `sentAt`: when the message came, for a state that does not say when it is from. */
export function readBody(body: string, sentAt: number | null = null): ReadBody {
  const fields = parseJson(body);
  if (fields === undefined) return { kind: 'unreadable' };
  if (!isObject(fields) || fields.schema === undefined || fields.schema === null)
    return { kind: 'not-a-state' };
  const event = fields.event ?? 'STATE';
  const stack = fields.stack ?? [];
  if (event !== 'STATE' && event !== 'DONE' && event !== 'ABORT') return { kind: 'unreadable' };
  if (!Array.isArray(stack) || !stack.every(isObject)) return { kind: 'unreadable' };
  const loop: Loop = {
    kind: 'loop',
    event,
    updatedAt: (fields.updated_at ?? null) === null ? sentAt : timeOf(fields.updated_at),
    stack: stack.map(readFrame),
  };
  return { kind: 'state', run: runIdOf(fields.run_id), raw: { fields, stack }, loop };
}

export function readFrame(frame: RawFrame): Frame {
  const mode = isMode(frame.mode) ? frame.mode : 'unknown';
  return {
    mode,
    iter: countOf(frame.iter, 0),
    max: countOf(frame.max, modes[mode === 'unknown' ? 'loop' : mode].max),
    carryOn: frame.carry_on === true,
  };
}

/** A missing count has its default; one in quotes counts, as jq gave it to a shell. Anything else is corrupt. */
export function countOf(given: unknown, missing: number): number | 'corrupt' {
  if (given === undefined || given === null) return missing;
  const value = typeof given === 'string' && /^\d{1,9}$/.test(given) ? Number(given) : given;
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 'corrupt';
}

/** The stack after a change: frames dropped, the top one stepped. */
export function changeStack(stack: readonly RawFrame[], change: Pick<Change, 'drop' | 'step'>): RawFrame[] {
  if (change.drop === 'all') return [];
  const left = change.drop === 'top' ? stack.slice(0, -1) : [...stack];
  const top = left.at(-1);
  if (!change.step || top === undefined) return left;
  const iter = countOf(top.iter, 0);
  return [...left.slice(0, -1), { ...top, iter: iter === 'corrupt' ? iter : iter + 1 }];
}

type Next = { event: Change['event']; reason: string | null; stack: readonly RawFrame[]; now: number };

/** The next message's body. A reason of an earlier end is not carried along. */
export function nextBody(fields: RawState['fields'], next: Next): string {
  const { reason: _, ...kept } = fields;
  return JSON.stringify({
    ...kept,
    event: next.event,
    ...(next.reason === null ? {} : { reason: next.reason }),
    updated_at: timestamp(next.now),
    stack: next.stack,
  });
}

export function newFields(run: string): JsonObject {
  return { schema: 1, event: 'STATE', run_id: run };
}

/** To the second, as the format has it. */
export function timestamp(now: number): string {
  return `${isoTime(now).slice(0, -5)}Z`;
}

/** A name fit for commands and notes; what is not plain is called by its fingerprint. */
export function runIdOf(value: unknown): string {
  if (value === undefined || value === null || value === '') return UNNAMED;
  if (typeof value === 'string' && /^[A-Za-z0-9][A-Za-z0-9_-]{0,79}$/.test(value)) return value;
  return `x-${fingerprint(typeof value === 'string' ? value : JSON.stringify(value as Json))}`;
}

const UNNAMED = 'unnamed';

/** ISO 8601 with `Z` or an offset. Without either it would mean another moment on another machine: no time. */
function timeOf(value: unknown): number | null {
  if (typeof value !== 'string') return null;
  const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:[Zz]|[+-]\d\d(?::?\d\d)?)$/;
  if (!iso.test(value)) return null;
  const time = Date.parse(normalised(value));
  return Number.isNaN(time) ? null : time;
}

/** JavaScript reads an offset only as `+02:00`. */
function normalised(value: string): string {
  if (value.endsWith('Z')) return value.replace(',', '.');
  return value
    .replace(',', '.')
    .replace(/z$/, 'Z')
    .replace(
      /([+-]\d\d)(\d\d)?$/,
      (_, hours: string, minutes: string | undefined) => `${hours}:${minutes ?? '00'}`,
    );
}

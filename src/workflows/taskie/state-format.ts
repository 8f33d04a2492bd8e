// state.json as people and commands write it: eight fields, any of which may be missing, beside fields of
// others that are not ours to touch. Read leniently here; written by state-text.ts.

import { isObject, parseJson } from '../../store/json.ts';
import { isTaskId } from './names.ts';
import { asPhase, type Phase } from './phases.ts';
import type { KnownState, State } from './types.ts';

/** The eight fields under their names in the file, in the order a new file has them. */
export type StateFields = {
  max_reviews: number;
  current_task: string | null;
  phase: Phase;
  phase_iteration: number | null;
  next_phase: Phase | null;
  review_model: string;
  consecutive_clean: number;
  tdd: boolean;
};

export const NEW_STATE: StateFields = {
  max_reviews: 8,
  current_task: null,
  phase: 'new-plan',
  phase_iteration: 0,
  next_phase: 'plan-review',
  review_model: 'opus',
  consecutive_clean: 0,
  tdd: false,
};

/** What a missing field counts as, and is written as beside a change. A plan's phase cannot be guessed. */
export const DEFAULTS = { ...NEW_STATE, phase: null, phase_iteration: null, next_phase: null };

/** Missing in older plans, or where no task or review is under way: their defaults are right, so nothing is said. */
const MAY_BE_MISSING: ReadonlySet<string> = new Set([
  ...['consecutive_clean', 'tdd'],
  ...['current_task', 'phase_iteration'],
]);

/** `text` is null when there is no file. */
export function readState(text: string | null): State {
  if (text === null) return { kind: 'absent' };
  const value = parseJson(text.replace(/^\uFEFF/, ''));
  return isObject(value) ? understand(value) : { kind: 'broken' };
}

function understand(file: Readonly<Record<string, unknown>>): KnownState {
  const unsound: string[] = [];
  const take = <Value>(
    name: keyof StateFields,
    read: (value: unknown) => Value | undefined,
    fallback: Value,
  ) => {
    const isThere = Object.hasOwn(file, name);
    const value = isThere ? read(file[name]) : undefined;
    if (value === undefined && (isThere || !MAY_BE_MISSING.has(name))) unsound.push(name);
    return value ?? fallback;
  };
  const state = {
    maxReviews: take('max_reviews', count, DEFAULTS.max_reviews),
    currentTask: take<string | null>('current_task', task, null),
    phase: take<Phase | 'other' | null>('phase', phase, null),
    iteration: take<number | null>('phase_iteration', countOrNull, null),
    next: take<Phase | 'other' | null>('next_phase', phaseOrNull, null),
    model: take('review_model', modelName, DEFAULTS.review_model),
    clean: take('consecutive_clean', count, DEFAULTS.consecutive_clean),
    tdd: take('tdd', flag, DEFAULTS.tdd),
  };
  const strange = (['phase', 'next'] as const).filter((name) => state[name] === 'other');
  return {
    kind: 'known',
    ...state,
    unsound: [...unsound, ...strange.map((name) => (name === 'next' ? 'next_phase' : name))],
  };
}

/** A number in quotes is a person's slip, not a different meaning. */
function count(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

const countOrNull = (value: unknown): number | null | undefined => (value === null ? null : count(value));

/** Ids that could not be part of a file name are no ids. */
function task(value: unknown): string | null | undefined {
  if (value === null) return null;
  const id = typeof value === 'number' ? String(value) : value;
  return typeof id === 'string' && isTaskId(id) ? id : undefined;
}

function phase(value: unknown): Phase | 'other' | undefined {
  return typeof value === 'string' ? (asPhase(value) ?? 'other') : undefined;
}

const phaseOrNull = (value: unknown): Phase | 'other' | null | undefined =>
  value === null ? null : phase(value);

/** Any model may be named; what no command line could carry, or would take for a flag, is none. */
function modelName(value: unknown): string | undefined {
  return typeof value === 'string' && /^(?!-)[\x21-\x7e]{1,200}$/.test(value) ? value : undefined;
}

/** In quotes too, as jq gave it to a shell. */
function flag(value: unknown): boolean | undefined {
  if (value === 'true' || value === 'false') return value === 'true';
  return typeof value === 'boolean' ? value : undefined;
}

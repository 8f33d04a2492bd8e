// Where a run stands: its own counts, together with the part of the definition that matters there. Pure, and the same
// for the hook, the checker and a replay.

import type { At, Condition, Definition, Line, Marks, Reviewed, StateDefinition, Target } from './types.ts';

/** What is counted of a run. */
export type Counts = {
  at: string;
  /** Of every state that was entered, how often. */
  visits: Readonly<Record<string, number>>;
  /** Holds in this visit. */
  stay: number;
  /** Holds of the whole run. */
  held: number;
};

/** The same, with what was found out on the way. */
export type Run = Counts & {
  /** What the files that this state watches were like at its entry. */
  marks: Marks;
  /** By the names of the reviews. */
  reviewed: Readonly<Record<string, Reviewed>>;
  reviews: number;
};

export function beginning({ start }: Definition, marks: Marks): Run {
  return { at: start, visits: { [start]: 1 }, stay: 0, held: 0, marks, reviewed: {}, reviews: 0 };
}

/** Null: there is no such state, or it is an end. */
export function standing(definition: Definition, { at, visits, stay, held }: Counts): At | null {
  const state = own(definition.states, at);
  if (state === undefined || state.kind === 'end') return null;
  const targetOf = (to: string): Target => target(definition, to, own(visits, to) ?? 0);
  const { holds, otherwise } = state.kind === 'work' ? state : { holds: null, otherwise: null };
  return {
    kind: 'at',
    flow: definition.flow,
    at,
    pause: state.kind === 'pause',
    lines: state.leave.map(({ when, to }) => ({ when, target: targetOf(to) })),
    limit: holds === null || otherwise === null ? null : { holds, otherwise: targetOf(otherwise) },
    visits: own(visits, at) ?? 1,
    stay,
    held,
    most: definition.holds,
  };
}

function target(definition: Definition, to: string, visits: number): Target {
  const state = own(definition.states, to);
  const watches = watchedIn(state).length > 0;
  return { to, is: state === undefined ? 'let-go' : kindOf(state), visits, watches };
}

const kindOf = (state: StateDefinition): Target['is'] => (state.kind === 'end' ? state.end : state.kind);

/** A state may be called `constructor`. */
export function own<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

export type FileCondition = Extract<Condition, { kind: 'file' }>;

export const fileKey = ({ glob, is }: Pick<FileCondition, 'glob' | 'is'>): string => `${is} ${glob}`;

export function conditionsIn(state: StateDefinition | undefined): readonly Condition[] {
  return state === undefined || state.kind === 'end' ? [] : state.leave.flatMap(({ when }) => when);
}

/** The patterns whose change since the entry a state asks about. */
export function watchedIn(state: StateDefinition | undefined): string[] {
  const globs = conditionsIn(state).flatMap((each) =>
    each.kind === 'file' && each.is === 'changed' ? each.glob : [],
  );
  return [...new Set(globs)];
}

/** The names of the signals that somebody listens for in this state. */
export function signalsIn(lines: readonly Pick<Line, 'when'>[]): string[] {
  const names = lines.flatMap(({ when }) =>
    when.flatMap((each) => (each.kind === 'signal' ? each.name : [])),
  );
  return [...new Set(names)];
}

export function reviewIn(conditions: readonly Condition[]): string | null {
  const found = conditions.find((each) => each.kind === 'review');
  return found?.kind === 'review' ? found.name : null;
}

// A run's state as it is written: where it stands, what is counted, and where its flow came from. A person may edit it.

import type { Outcome } from '../../engine/step.ts';
import { parseJson } from '../../store/json.ts';
import { hasShape, isCount, isOneOf, isTableOf, isText } from '../../store/shape.ts';
import type { Run } from './stand.ts';
import type { Change, Reviewed } from './types.ts';

export type RunState = Run & {
  schema: 1;
  flow: string;
  /** When it was started; ISO 8601. */
  started: string;
  /** The file it was compiled from, as a person names it, and what that file was like. */
  from: string;
  source: string;
  ended: Outcome | null;
};

const isRunState = hasShape<RunState>({
  schema: isOneOf(1),
  flow: isText,
  started: isText,
  from: isText,
  source: isText,
  ended: isOneOf('completed', 'limit', 'stuck', 'released', 'cancelled', null),
  at: isText,
  visits: isTableOf(isCount),
  stay: isCount,
  held: isCount,
  marks: isTableOf(isText),
  reviewed: isTableOf(
    hasShape<Reviewed>({ content: isText, verdict: isOneOf('clean', 'findings'), number: isCount }),
  ),
  reviews: isCount,
});

/** Null: it is none. */
export function readRunState(text: string): RunState | null {
  const value = parseJson(text);
  return isRunState(value) ? value : null;
}

export function writeRunState(state: RunState): string {
  return `${JSON.stringify(state, null, 2)}\n`;
}

/** What a decision makes of it. */
export function afterChange(state: RunState, change: Change): RunState {
  const { to, held, ended, marks, reviewed } = change;
  const visits = Object.hasOwn(state.visits, to ?? '') ? (state.visits[to ?? ''] ?? 0) : 0;
  const entered =
    to === null
      ? { stay: state.stay + Number(held) }
      : { at: to, visits: { ...state.visits, [to]: visits + 1 }, stay: Number(held), marks };
  return {
    ...state,
    ...entered,
    held: state.held + Number(held),
    ...(reviewed === null ? {} : withReview(state, reviewed)),
    ended,
  };
}

function withReview(
  { reviewed, reviews }: RunState,
  { name, ...said }: NonNullable<Change['reviewed']>,
): Pick<RunState, 'reviewed' | 'reviews'> {
  return { reviewed: { ...reviewed, [name]: said }, reviews: Math.max(reviews, said.number) };
}

// What a stop comes to, in words that both a decision and a naive model can be put into and compared by.

import type { Json } from '../../../src/store/json.ts';

export type Outcome<State> = {
  answer: 'hold' | 'allow' | 'review' | 'look' | 'prove';
  /** What the agent or the user is told about; null: nothing that its contract (docs/contracts) names. */
  about: string | null;
  /** The state from then on. */
  state: State;
  /** What else is done, where the contract says so. */
  also: Readonly<Record<string, Json>>;
};

/** Where the contract leaves something open, a naive model names every outcome that would be right. */
export type Acceptable<State> = readonly [Outcome<State>, ...Outcome<State>[]];

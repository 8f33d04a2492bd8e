// What claudex's explorer goes through: every value of every field of the state, and of every fact.

import type { Domains } from '../../../src/explorer/choices.ts';
import { Space } from '../../../src/explorer/space.ts';
import type { Facts, State } from '../../../src/workflows/claudex/types.ts';

/** The state, and what the sidecar remembers of waiting in this round. */
export type Node = State & { waited: Facts['waited'] };

/** Limits 1, 2 and 3; the round from 1 to one above. Zero and garbage are read as 1 or the default. */
export const space = new Space<Node>({
  mode: ['plan', 'review', 'unknown'],
  phase: ['drafting', 'reviewing', 'summarizing', 'done', 'cancelled', 'errored', 'unknown'],
  round: [1, 2, 3, 4],
  maxRounds: [1, 2, 3],
  signal: ['none', 'no-material-findings', 'max-reached'],
  waited: ['no', 'held', 'notified'],
});

/** `waited` is not free: it is what the sidecar says of this round. */
export const domains: Domains<Node, Facts> = {
  id: () => ['valid', 'malformed'],
  cwd: () => ['inside', 'elsewhere'],
  plan: ({ mode, phase }) =>
    mode === 'plan' && phase === 'drafting' ? ['missing', 'empty', 'unchanged', 'drafted'] : ['unread'],
  runner: () => ['idle', 'running', 'in-background'],
  waited: ({ waited }) => [waited],
  lastReviewed: ({ round }) => Array.from({ length: round + 1 }, (_, index) => index),
  reviewFiles: ({ mode }) => (mode === 'review' ? ['written', 'missing', 'unread'] : ['unread']),
  unwarned: () => [[], ['CLAUDEX_MAX_PLAN_ROUNDS']],
};

export const starts = [1, 2, 3].flatMap((maxRounds) =>
  (['plan', 'review'] as const).map((mode) => ({
    label: `claudex ${mode}, ${maxRounds} round${maxRounds === 1 ? '' : 's'}`,
    node: {
      mode,
      phase: mode === 'plan' ? ('drafting' as const) : ('reviewing' as const),
      round: 1,
      maxRounds,
      signal: 'none' as const,
      waited: 'no' as const,
    },
  })),
);

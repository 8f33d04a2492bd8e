// The gate as the explorer walks it: claims one after the other, each with every end that two checks can have and with
// protected files changed or not, beside the true history of what was refused.

import type { Judged, judge, Memory, Terms } from '../../../src/engine/proof/judge.ts';
import type { CheckFact } from '../../../src/engine/proof/types.ts';
import { LazyFacts } from '../../../src/explorer/choices.ts';
import type { Broken, Edge, Model } from '../../../src/explorer/explorer.ts';
import { checker } from '../../../src/explorer/invariant.ts';
import { Space } from '../../../src/explorer/space.ts';
import { type Context, invariants } from './invariants.ts';

/** What the pin says, what was said so far, and what really happened. */
export type Node = Memory & {
  limit: number;
  off: boolean;
  onProtected: Terms['onProtected'];
  /** Claims refused in a row. */
  row: number;
  /** Was the agent held for these before? */
  heldForProtected: boolean;
  heldForCannotRun: boolean;
};

const MOST = 3;
const COUNTS = [0, 1, 2, MOST, MOST + 1];
const EITHER = [false, true];

const space = new Space<Node>({
  refusals: COUNTS,
  cannotRunSaid: EITHER,
  protectedSaid: EITHER,
  limit: [0, 1, MOST],
  off: EITHER,
  onProtected: ['notice', 'hold'],
  row: COUNTS,
  heldForProtected: EITHER,
  heldForCannotRun: EITHER,
});

const NEW = {
  ...{ refusals: 0, cannotRunSaid: false, protectedSaid: false, row: 0 },
  ...{ heldForProtected: false, heldForCannotRun: false },
};

const starts = [0, 1, MOST].flatMap((limit) =>
  EITHER.flatMap((off) =>
    (['notice', 'hold'] as const).map((onProtected) => ({
      label: `limit ${limit}, ${onProtected}${off ? ', off' : ''}`,
      node: { ...NEW, limit, off, onProtected },
    })),
  ),
);

const plain = { code: null, milliseconds: null, from: null } as const;
const ENDS: readonly Omit<CheckFact, 'name'>[] = [
  { ...plain, end: 'passed', from: 'run' },
  { ...plain, end: 'passed', from: 'receipt' },
  { ...plain, end: 'failed', from: 'run' },
  { ...plain, end: 'failed', from: 'receipt' },
  { ...plain, end: 'failed', from: 'run', failedBefore: true },
  { ...plain, end: 'timed-out', from: 'run' },
  { ...plain, end: 'failed', from: 'run', redBefore: true },
  { ...plain, end: 'timed-out', from: 'run', accepted: 'person' },
  { ...plain, end: 'cannot-run', why: 'not-found' },
  { ...plain, end: 'untrusted' },
];

/** What a claim meets; `null`: the check was not asked, since another had failed. */
export type Met = { first: Omit<CheckFact, 'name'>; second: Omit<CheckFact, 'name'> | null; changed: number };

const domains = {
  first: () => ENDS,
  second: () => [null, ...ENDS],
  changed: () => [0, 1],
};

export type Judge = typeof judge;

export function gateModel(judging: Judge, checked = invariants): Model<Node> {
  const check = checker(checked);
  const lazy = new LazyFacts<Node, Met>(domains);
  return {
    name: 'proof',
    space,
    starts,
    // The notes lie in the project: anybody may write them. They can only make a claim worth less.
    editable: () => [],
    expand(from, each) {
      lazy.each(from, (met) => each(claim(judging, from, met, lazy, check)));
    },
  };
}

export const REQUIRED = 2;

function claim(
  judging: Judge,
  from: Node,
  { first, second, changed }: Met,
  lazy: LazyFacts<Node, Met>,
  check: (context: Context) => Broken | null,
): Edge<Node> {
  const checks = [{ ...first, name: 'test' }, ...(second === null ? [] : [{ ...second, name: 'types' }])];
  const { limit, off, onProtected, refusals, cannotRunSaid, protectedSaid } = from;
  const terms: Terms = { required: REQUIRED, off, refusals: limit, onProtected };
  const judged = judging(checks, changed, terms, { refusals, cannotRunSaid, protectedSaid });
  const to = after(from, judged, checks);
  return {
    by: 'stop',
    what: () => `${JSON.stringify(lazy.read())} ${judged.proof.claim}, ${judged.proof.worth}`,
    to,
    answer: judged.proof.claim === 'refused' ? 'hold' : 'allow',
    about: judged.proof.claim,
    combinations: lazy.combinations(),
    broken: check({ from, checks, changed, judged, to }),
  };
}

function after(from: Node, { proof, memory }: Judged, checks: readonly CheckFact[]): Node {
  const isLetGo = proof.why.includes('refused-too-often');
  const isRefused = proof.claim === 'refused' && !isLetGo;
  const isForCannotRun =
    isRefused &&
    !proof.heldForProtected &&
    !checks.some(({ end }) => end === 'failed' || end === 'timed-out');
  return {
    ...from,
    ...memory,
    row: isRefused ? Math.min(MOST + 1, from.row + 1) : isLetGo ? from.row : 0,
    heldForProtected: from.heldForProtected || proof.heldForProtected === true,
    heldForCannotRun: isForCannotRun || (from.heldForCannotRun && memory.cannotRunSaid),
  };
}

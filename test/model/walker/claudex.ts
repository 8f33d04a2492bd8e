// Random walks of a claudex loop: stops with any facts, `done`, and edits by hand.

import fc from 'fast-check';
import type { Step } from '../../../src/engine/step.ts';
import type { Change, Facts } from '../../../src/workflows/claudex/types.ts';
import type { Node } from '../claudex/domains.ts';
import { after, type Decide, stateOf } from '../claudex/model.ts';
import { naiveClaudex } from '../naive/claudex.ts';
import type { Outcome } from '../naive/outcome.ts';
import { mustBeAccepted } from './compare.ts';

const node: fc.Arbitrary<Node> = fc.record({
  mode: fc.constantFrom('plan', 'plan', 'review', 'unknown'),
  phase: fc.constantFrom('drafting', 'reviewing', 'summarizing', 'done', 'cancelled', 'errored', 'unknown'),
  round: fc.integer({ min: 1, max: 12 }),
  maxRounds: fc.integer({ min: 1, max: 9 }),
  signal: fc.constantFrom('none', 'no-material-findings', 'max-reached'),
  waited: fc.constantFrom('no', 'held', 'notified'),
});

/** `waited` comes from the loop itself. */
const facts: fc.Arbitrary<Omit<Facts, 'waited'>> = fc.record({
  id: fc.constantFrom('valid', 'valid', 'valid', 'valid', 'malformed'),
  cwd: fc.constantFrom('inside', 'inside', 'inside', 'elsewhere'),
  plan: fc.constantFrom('missing', 'empty', 'unchanged', 'drafted', 'drafted', 'unread'),
  runner: fc.constantFrom('idle', 'idle', 'running', 'in-background'),
  lastReviewed: fc.nat({ max: 12 }),
  reviewFiles: fc.constantFrom('written', 'missing'),
  unwarned: fc.constantFrom([], ['CLAUDEX_STALE_MINUTES']),
});

const move = fc.oneof(
  { weight: 5, arbitrary: facts.map((given) => ({ stop: given })) },
  { weight: 1, arbitrary: fc.record({ edit: fc.constantFrom(...fieldNames()), to: node }) },
);

function fieldNames(): (keyof Node)[] {
  return ['mode', 'phase', 'round', 'maxRounds', 'signal', 'waited'];
}

export const claudexWalk = fc.record({ start: node, moves: fc.array(move, { maxLength: 25 }) });

type Walk = typeof claudexWalk extends fc.Arbitrary<infer Made> ? Made : never;

export function walkClaudex(decide: Decide, { start, moves }: Walk, seen = new Set<string>()): void {
  let at = start;
  for (const made of moves) {
    if ('edit' in made) {
      at = { ...at, [made.edit]: made.to[made.edit] };
      continue;
    }
    const given: Facts = { ...made.stop, waited: at.waited };
    const step = decide(stateOf(at), given);
    const to = after(at, step);
    mustBeAccepted(outcomeOf(step, to), naiveClaudex(stateOf(at), given), { at, given }, seen);
    at = to;
  }
}

function outcomeOf(step: Step<Change>, to: Node): Outcome<ReturnType<typeof stateOf>> {
  if (step.kind !== 'hold' && step.kind !== 'allow') throw new Error(`claudex never answers ${step.kind}`);
  const { change } = step;
  // docs/contracts/claudex.md leaves garbage in a variable open: its notice may come beside anything.
  const notice = step.notice?.name === 'variables' ? null : (step.notice?.name ?? null);
  return {
    answer: step.kind,
    about: step.kind === 'hold' ? step.message.name : notice,
    state: stateOf(to),
    also: {
      runner: change?.runner?.round ?? null,
      cleanUp: change?.cleanUp === true,
      setAside: change?.setAside === true,
      quiet: step.kind === 'allow' && step.quiet === true,
      waited: to.waited,
    },
  };
}

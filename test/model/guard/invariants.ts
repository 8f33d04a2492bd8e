// What the guard must do whatever happens: let go in time, not before, say it once, and come back to life.

import type { dependsOnTools, GuardAnswer, GuardLimits, Movement } from '../../../src/engine/guard/guard.ts';
import { type Invariants, unless } from '../../../src/explorer/invariant.ts';
import { NO_GUARD_MEMORY } from '../../../src/store/records.ts';
import { memoryOf, type Node } from './model.ts';

export type Context = { from: Node; movement: Movement; weighed: GuardAnswer; to: Node };

export function invariants(limits: GuardLimits, hangs: typeof dependsOnTools): Invariants<Context> {
  const moved = ({ state, artifacts }: Movement): boolean => state || artifacts;
  return {
    'holds without even a tool call are bounded': ({ to }) =>
      unless(to.silent <= limits.unmoved, `${to.silent} in a row`),
    'holds with tool calls alone are bounded': ({ movement, weighed, to }) => {
      if (limits.tools === null || weighed.kind === 'release' || moved(movement)) return null;
      return unless(to.holds <= limits.tools, `${to.holds} in a row`);
    },
    'holds behind a transcript that cannot tell are bounded': ({ to }) =>
      unless(to.unsure <= limits.unknown, `${to.unsure} in a row`),
    'nobody is let go before a limit is reached': ({ from, movement, weighed }) => {
      if (weighed.kind === 'hold' || !weighed.first) return null;
      const { tools } = movement;
      const silent = tools === 'no' && from.silent >= limits.unmoved;
      const unsure = tools === 'unknown' && from.unsure >= limits.unknown;
      const still = limits.tools !== null && from.holds >= limits.tools;
      return unless(silent || unsure || still || isZero(limits), 'too early');
    },
    'what others moved is always progress': ({ movement, weighed, to }) =>
      unless(
        !moved(movement) || (weighed.kind === 'hold' && !to.released),
        'let go although something moved',
      ),
    'released stays released until something moves': ({ from, movement, weighed }) =>
      unless(!from.released || moved(movement) || weighed.kind === 'release', 'held again'),
    'the user is notified once per release': ({ from, movement, weighed }) => {
      if (weighed.kind === 'hold' || moved(movement)) return null;
      return unless(weighed.first === !from.told, from.told ? 'told twice' : 'not told');
    },
    'a release is remembered, and spends nothing': ({ from, weighed, to }) => {
      if (weighed.kind === 'hold') return null;
      const spent =
        to.noProgress !== from.noProgress ||
        to.noTools !== from.noTools ||
        to.toolsUnknown !== from.toolsUnknown;
      return unless(to.released && !spent, to.released ? 'counted' : 'forgotten');
    },
    'a turn of waiting is held, and counts nothing': ({ from, movement, weighed, to }) => {
      if (!movement.waited || moved(movement) || from.released) return null;
      const { noProgress, noTools, toolsUnknown } = from;
      const isSame =
        to.noProgress === noProgress && to.noTools === noTools && to.toolsUnknown === toolsUnknown;
      return unless(weighed.kind === 'hold' && isSame, weighed.kind === 'hold' ? 'counted' : 'let go');
    },
    'every hold is remembered': ({ weighed, to }) =>
      unless(weighed.kind === 'release' || to.held, 'forgotten'),
    'a late transcript is waited for exactly when the answer depends on it': ({ from, movement }) => {
      if (!from.held) return null;
      const memory = { ...NO_GUARD_MEMORY, ...memoryOf(from) };
      const { state, artifacts, waited = false } = movement;
      const asked = hangs(memory, { state, artifacts, waited }, limits);
      const last = from.silent >= limits.unmoved && !from.released && !moved(movement) && !waited;
      const used = limits.tools !== null && from.holds >= limits.tools;
      return unless(asked === (last && !used), asked ? 'waited for nothing' : 'not waited for');
    },
  };
}

export type Settled = { from: Node; moved: boolean; to: Node };

export const settledInvariants: Invariants<Settled> = {
  'what others moved before an allow that commits is progress': ({ moved, to }) => {
    if (!moved) return null;
    const counted = to.noProgress + to.noTools + to.toolsUnknown;
    return unless(!to.released && counted === 0, to.released ? 'still released' : `still counted ${counted}`);
  },
  'an allow that commits is no progress by itself': ({ from, moved, to }) =>
    unless(moved || JSON.stringify(from) === JSON.stringify(to), 'the guard forgot'),
};

/** A limit of zero never holds, not even once. */
const isZero = ({ unmoved, tools, unknown }: GuardLimits): boolean =>
  unmoved === 0 || tools === 0 || unknown === 0;

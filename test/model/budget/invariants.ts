// What must hold of every budget: it is counted once, it ends in one last hold and a pause, and only a person grants more.

import { type Invariants, unless } from '../../../src/explorer/invariant.ts';
import type { Context, Node } from './model.ts';

/** By what really was used. */
const isSpent = ({ used, limit, ended }: Node, due: 'hold' | 'review'): boolean =>
  used >= limit || (due === 'review' && ended >= limit);

const due = ({ facts }: Context): 'hold' | 'review' | null =>
  facts.step === 'hold' || facts.step === 'review' ? facts.step : null;

export const invariants: Invariants<Context> = {
  'a spent run is held no more, but for the last hold': (context) => {
    const { answer, to, from } = context;
    const what = due(context);
    if (answer !== 'hold' || what === null) return null;
    return unless(!isSpent({ ...to, ended: from.ended }, what), 'held, though nothing is left');
  },
  'a run with something left goes on': (context) => {
    const { from, answer, to } = context;
    const what = due(context);
    if (from.stage !== 'open' || what === null || answer === 'died') return null;
    return unless(answer === 'hold' || isSpent({ ...to, ended: from.ended }, what), `answered by ${answer}`);
  },
  'there is one last hold': ({ answer, to }) =>
    unless(answer !== 'last-hold' || to.lastHolds === 1, `${to.lastHolds} last holds`),
  'no run is paused without its last hold': ({ answer, from }) =>
    unless(answer !== 'pause' || from.lastHolds === 1, 'paused at once'),
  'after the last hold the agent may stop': (context) => {
    const { from, answer } = context;
    if (from.stage !== 'last-hold' || due(context) === null || answer === 'died') return null;
    return unless(answer === 'pause', `answered by ${answer}`);
  },
  'a paused run is never held': ({ from, answer }) =>
    unless(from.stage !== 'paused' || (answer !== 'hold' && answer !== 'last-hold'), `${answer}`),
  'no stop brings a paused run back': ({ from, to }) =>
    unless(from.stage !== 'paused' || to.stage === 'paused', `it is ${to.stage}`),
  'no stop grants more': ({ from, to }) => unless(to.limit === from.limit, `${to.limit} of ${from.limit}`),
  'what was used is counted': ({ to }) =>
    unless(to.stage === 'paused' || to.tokens >= to.used, `${to.tokens} counted of ${to.used}`),
  'nothing is counted twice': ({ to }) =>
    unless(
      to.tokens <= to.used && to.reviews <= to.ended,
      `${to.tokens} of ${to.used}, ${to.reviews} of ${to.ended}`,
    ),
  'nothing that was spent is given back': ({ from, to }) =>
    unless(to.tokens >= from.tokens && to.time >= from.time && to.reviews >= from.reviews, 'it is less'),
  'a review that ended is counted': ({ to }) =>
    unless(to.reviews >= to.ended, `${to.reviews} of ${to.ended}`),
  'time counts while the run works, and only then': ({ from, answer, to }) => {
    if (from.stage === 'paused' || answer === 'died') return null;
    return unless(to.time === to.worked, `${to.time} counted of ${to.worked}`);
  },
};

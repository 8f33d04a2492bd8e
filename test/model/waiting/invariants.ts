// What must hold of every wait: it has a reason and an end, and its time is counted once.

import { type Invariants, unless } from '../../../src/explorer/invariant.ts';
import { type Context, LENGTH } from './model.ts';

export const invariants: Invariants<Context> = {
  'a run waits for something that is there': ({ from, facts, answer }) => {
    if (answer.kind === 'goes-on') return null;
    const { for: what } = answer.waiting;
    if (what === 'work') return unless(facts.works, 'nothing runs');
    if (what === 'person') return unless(from.for === 'person', 'nobody asked');
    return unless(from.for === 'reviewer', 'there is no such limit');
  },
  'every wait for work ends': ({ from, answer }) => {
    if (answer.kind === 'goes-on' || answer.waiting.for !== 'work') return null;
    return unless((from.running ?? 0) < LENGTH.work, `it has run for ${from.running} ticks`);
  },
  'every other wait ends': ({ from, answer }) => {
    if (answer.kind === 'goes-on' || answer.waiting.for === 'work') return null;
    const most = answer.waiting.for === 'person' ? LENGTH.person : LENGTH.limit;
    return unless((from.began ?? 0) < most, `it began ${from.began} ticks ago`);
  },
  'a person who answered is not waited for': ({ facts, answer }) =>
    unless(
      !facts.answered || answer.kind === 'goes-on' || answer.waiting.for !== 'person',
      'still waited for',
    ),
  'an open question is waited for, and shown once': ({ from, facts, answer }) => {
    if (from.for !== 'person' || facts.answered || (from.began ?? 0) >= LENGTH.person) return null;
    if (answer.kind === 'goes-on') return 'not waited for';
    return unless(answer.news === !from.shown, from.shown ? 'shown twice' : 'not shown');
  },
  'work that wakes the agent is waited for': ({ from, facts, answer }) => {
    const isFree = from.for === 'nothing' || from.for === 'work' || from.for === 'session';
    if (!isFree || !facts.works || (from.running ?? 0) >= LENGTH.work) return null;
    return unless(answer.kind === 'waits', 'held');
  },
  'only a review waits for a reviewer': ({ facts, answer }) =>
    unless(
      answer.kind === 'goes-on' || answer.waiting.reviewer === undefined || facts.step === 'review',
      `a ${facts.step} waits`,
    ),
  'a review waits for its reviewer': ({ from, facts, answer }) => {
    if (from.for !== 'reviewer' || facts.step !== 'review') return null;
    const isAtLimit = from.until === 'unknown' ? from.began === 0 : from.until > 0;
    return unless(!isAtLimit || answer.kind === 'waits', 'asked again too early');
  },
  'a session that stops is at no limit': ({ answer }) =>
    unless(answer.waiting?.for !== 'limit' || answer.waiting.reviewer !== undefined, 'still at its limit'),
  'no time is counted twice': ({ to }) =>
    unless(to.waited <= to.moved, `${to.waited} waited since the state moved ${to.moved} ticks ago`),
  'the time of a wait that ended is counted': ({ from, facts, answer, to }) => {
    if (answer.kind === 'waits' || facts.moves || from.for !== 'session') return null;
    const isSameAge = from.moved >= from.since;
    return unless(!isSameAge || to.waited >= from.since, `${from.since} away, ${to.waited} counted`);
  },
  'a question that nobody answered takes nothing off the age': ({ from, answer, to }) => {
    if (from.for !== 'person' || (from.began ?? 0) < LENGTH.person || answer.kind === 'waits') return null;
    return unless(to.waited <= from.waited, 'it was counted');
  },
};

// idle once more, as docs/contracts/idle.md has it: the order of the machine's states as one list of ifs,
// without a look at the real decision. The walker compares the two.

import type { Frame, Loop, State } from '../../../src/workflows/idle/types.ts';
import type { Given } from '../idle/domains.ts';
import type { Acceptable, Outcome } from './outcome.ts';

type Row = Outcome<State>;

export function naiveIdle(state: State, facts: Given): Acceptable<State> {
  const allow = (about: string | null, next: State, reason: string | null = null): Row => ({
    answer: 'allow',
    about,
    state: next,
    also: { reason },
  });
  const prove = (about: string): Row => ({ answer: 'prove', about, state, also: { reason: null } });
  const look = (about: string): Row => ({ answer: 'look', about, state, also: { reason: null } });

  // IDLE
  if (state.kind === 'nothing') return [allow(null, state)];
  if (state.kind === 'lost') return [allow('lost', state)];
  // Unreadable state: nothing is posted.
  if (state.kind === 'unreadable') return [allow('unreadable', state)];
  if (state.stack.length === 0 || state.event === 'DONE') return [allow(null, state)];
  // ABORTED
  if (state.event === 'ABORT') return [allow(null, state)];

  const posted = (event: Loop['event'], stack: readonly Frame[]): Loop => ({
    kind: 'loop',
    event,
    updatedAt: facts.now,
    stack,
  });
  const frames = [...state.stack];
  const top = frames.pop();
  if (top === undefined) return [allow(null, state)];

  // The place of the unknown mode in the order is not written down; without a mode no signal is known either.
  const unknown = top.mode === 'unknown' ? allow('unknown-mode', state) : null;
  if (top.iter === 'corrupt' || top.max === 'corrupt') {
    // Which frames the ABORT keeps is not written down: nothing resumes them.
    const aborted = allow('corrupt', posted('ABORT', []), 'CORRUPTED');
    const kept = [frames, state.stack].map((stack) => allow('corrupt', posted('ABORT', stack), 'CORRUPTED'));
    return [aborted, ...kept, ...(unknown === null ? [] : [unknown])];
  }
  // STUCK: stale, "the state stays". Missing or unparsable counts as stale. Time at a limit does not count: before it
  // is called stale the transcript is asked for some that nobody told of.
  const age = state.updatedAt === null ? Number.POSITIVE_INFINITY : facts.now - state.updatedAt;
  const orUnknown = unknown === null ? [] : [unknown];
  if (age !== Number.POSITIVE_INFINITY && age > 7_200_000 && facts.limited === null)
    return [look('limit'), ...orUnknown];
  if (age - (facts.limited ?? 0) > 7_200_000) return [allow('stale', state), ...orUnknown];
  if (unknown !== null) return [unknown];

  // COMPLETING. The signal is read last of all, and only once the answer depends on it.
  if (facts.signal === 'unread') return [look('signal')];
  // The frame's own check is asked unless it was given up: that it passes says "done", and nothing else does.
  let said: string = facts.signal;
  if (facts.untilCheck !== null && (said === 'none' || isClaim(said))) {
    if (facts.until === null) return [prove(facts.untilCheck)];
    if (facts.until.claim === 'refused') said = 'none';
    else if (said === 'none') said = 'COMPLETE';
  }
  // A claim is worth what the checks say; refused, it is as if nothing had been said.
  if (isClaim(said)) {
    if (facts.proof === null) return [prove('claim')];
    if (facts.proof.claim === 'refused') said = 'none';
  }
  if (said !== 'none') {
    const below = frames.at(-1);
    if (below === undefined) return [allow('completed', posted('DONE', []), said)];
    if (!below.carryOn) return [allow('completed', posted('STATE', frames))];
    return carryOn(below, frames.slice(0, -1), frames);
  }
  if (top.iter >= top.max) return [allow('maximum', posted('DONE', frames), 'MAX_ITERATIONS')];
  // ACTIVE
  return [active(top, top.iter, frames)];

  function active(frame: Frame, iter: number, under: readonly Frame[]): Row {
    const stack = [...under, { ...frame, iter: iter + 1 }];
    return { answer: 'hold', about: 'continue', state: posted('STATE', stack), also: { reason: null } };
  }

  /** "Stepped as ACTIVE in the same commit and holds at once." What cannot be stepped cannot hold. */
  function carryOn(frame: Frame, under: readonly Frame[], all: readonly Frame[]): Acceptable<State> {
    const { iter, max, mode } = frame;
    const broken = iter === 'corrupt' || max === 'corrupt' || mode === 'unknown';
    if (!broken && iter < max) return [active(frame, iter, under)];
    // Either it is left for the next stop, which finds out, or this one ends it already.
    const left = allow('completed', posted('STATE', all));
    if (broken)
      return [left, ...[[], under, all].map((s) => allow('corrupt', posted('ABORT', s), 'CORRUPTED'))];
    return [left, allow('maximum', posted('DONE', under), 'MAX_ITERATIONS')];
  }
}

function isClaim(said: string): boolean {
  return said === 'COMPLETE' || said === 'DONE' || said === 'NO_MORE_ISSUES';
}

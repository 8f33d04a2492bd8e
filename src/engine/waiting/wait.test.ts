import { describe, expect, it } from 'vitest';
import type { Waiting } from '../../store/records.ts';
import { type WaitAnswer, type WaitQuestion, waitAt } from './wait.ts';

const HOUR = 3_600_000;
const since = 1_000 * HOUR;
const work: Waiting = { for: 'work', since, until: since + 2 * HOUR, what: 'a subagent' };
const shown = { marker: 'm', turn: 't' };
const asked: Waiting = { for: 'person', since, until: since + 168 * HOUR, what: 'Which one?', shown };
const limit: Waiting = { for: 'limit', since, until: since + HOUR, what: 'rate_limit' };
const reviewer: Waiting = { ...limit, reviewer: 'codex' };

const question: WaitQuestion = {
  now: since + HOUR / 2,
  step: 'hold',
  waiting: null,
  work: null,
  answered: null,
  limits: { work: 2 * HOUR },
};

const at = (hours: number, more: Partial<WaitQuestion>): WaitAnswer =>
  waitAt({ ...question, now: since + hours * HOUR, ...more });

const goesOn = (waiting: Waiting | null, ended: Waiting | null): WaitAnswer => ({
  kind: 'goes-on',
  waiting,
  ended,
});
const waits = (waiting: Waiting, more: Partial<WaitAnswer> = {}) => ({
  kind: 'waits',
  waiting,
  news: false,
  ended: null,
  ...more,
});

it('goes on where nothing is waited for', () => {
  for (const step of ['hold', 'review', 'prove'] as const)
    expect(at(0, { step })).toEqual(goesOn(null, null));
});

describe('for work', () => {
  it('waits from the first stop at which it runs, silently', () => {
    for (const step of ['hold', 'review', 'prove'] as const)
      expect(at(0, { step, work: 'a subagent' })).toEqual(waits(work));
  });

  it('waits from now on where its wait began on a clock that was ahead', () => {
    const now = since - 720 * HOUR;
    const begun = { ...work, since: now, until: now + 2 * HOUR };
    expect(waitAt({ ...question, now, work: 'a subagent', waiting: work })).toEqual(
      waits(begun, { ended: work }),
    );
  });

  it('waits no longer when other work takes its place', () => {
    expect(at(1, { work: 'another', waiting: work })).toEqual(waits({ ...work, what: 'another' }));
  });

  it('goes on when nothing runs any more', () => {
    expect(at(1, { waiting: work })).toEqual(goesOn(null, work));
  });

  it('goes on after the longest wait as if nothing ran, and counts its time once', () => {
    const spent = { ...work, since: since + 2 * HOUR };
    expect(at(2, { work: 'a subagent', waiting: work })).toEqual(goesOn(spent, work));
    expect(at(3, { work: 'a subagent', waiting: spent })).toEqual(goesOn(spent, spent));
    expect(at(9, { waiting: spent })).toEqual(goesOn(null, spent));
  });

  it('does not wait where the user allows no time for it', () => {
    const spent = { ...work, until: since };
    expect(at(0, { work: 'a subagent', limits: { work: 0 } })).toEqual(goesOn(spent, null));
    expect(at(1, { work: 'a subagent', limits: { work: 0 }, waiting: spent }).kind).toBe('goes-on');
  });

  it('ends even if its record does not say when', () => {
    const endless = { ...work, until: null };
    const first = at(25, { work: 'a subagent', waiting: endless });
    expect(first.kind).toBe('goes-on');
    expect(at(26, { work: 'a subagent', waiting: first.waiting }).kind).toBe('goes-on');
  });
});

describe('for a person', () => {
  it('shows the question, then waits for the answer', () => {
    const unshown: Waiting = { ...asked, shown: null };
    for (const step of ['hold', 'review', 'prove'] as const) {
      expect(at(0, { step, waiting: unshown })).toEqual(waits(unshown, { news: true }));
      expect(at(9, { step, waiting: asked, answered: 'no' })).toEqual(waits(asked));
    }
  });

  it('goes on when it was answered', () => {
    expect(at(9, { waiting: asked, answered: 'yes' })).toEqual(goesOn(null, asked));
  });

  it('goes on when nobody answered in time, and that time is not counted', () => {
    expect(at(168, { waiting: asked, answered: 'no' })).toEqual(goesOn(null, null));
    expect(at(168, { waiting: { ...asked, shown: null } })).toEqual(goesOn(null, null));
    expect(at(169, { waiting: asked, answered: 'yes' })).toEqual(goesOn(null, null));
  });

  it('waits for the work that runs once it is answered', () => {
    const begun = { ...work, since: since + HOUR, until: since + 3 * HOUR };
    expect(at(1, { waiting: asked, answered: 'yes', work: 'a subagent' })).toEqual(
      waits(begun, { ended: asked }),
    );
  });

  it('waits for the person, whatever runs', () => {
    expect(at(1, { waiting: asked, answered: 'no', work: 'a subagent' })).toEqual(waits(asked));
  });
});

describe('for a limit', () => {
  it('goes on when the session is back', () => {
    for (const hours of [0.5, 30]) expect(at(hours, { waiting: limit })).toEqual(goesOn(null, limit));
    expect(at(1, { waiting: limit, work: 'a subagent' })).toMatchObject({ kind: 'waits', ended: limit });
  });

  it('of a reviewer: a review waits, and nothing else', () => {
    expect(at(0.5, { step: 'review', waiting: reviewer })).toEqual(waits(reviewer));
    // It ends when it did, and its time up to now is counted: what follows may move the state.
    const left = { ...reviewer, since: since + HOUR / 2 };
    expect(at(0.5, { step: 'hold', waiting: reviewer })).toEqual(goesOn(left, reviewer));
    expect(at(0.5, { step: 'prove', waiting: reviewer })).toEqual(goesOn(left, reviewer));
    const unknown = at(0.1, { waiting: { ...reviewer, until: null } });
    expect(unknown.waiting).toMatchObject({ since: since + HOUR / 10, until: since + HOUR / 6 });
  });

  it('of a reviewer: the review comes at the first stop after it', () => {
    expect(at(1, { step: 'review', waiting: reviewer })).toEqual(goesOn(null, reviewer));
    const unknown = { ...reviewer, until: null };
    expect(at(0.1, { step: 'review', waiting: unknown })).toEqual(waits(unknown));
    expect(at(0.2, { step: 'review', waiting: unknown })).toEqual(goesOn(null, unknown));
  });

  it('of a reviewer: work that runs is waited for instead of a hold', () => {
    expect(at(0, { waiting: reviewer, work: 'a subagent' })).toEqual(waits(work, { ended: reviewer }));
  });
});

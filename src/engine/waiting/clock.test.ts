import { describe, expect, it, test } from 'vitest';
import { NO_WAITS, newSidecar, type Sidecar, type Waiting } from '../../store/records.ts';
import { clockAtStop, clockOf, endOfWait, isOver, waitedAtStop, waitedInAll, waitingNow } from './clock.ts';

const HOUR = 3_600_000;
const since = 1_000 * HOUR;
const work: Waiting = { for: 'work', since, until: since + 2 * HOUR, what: 'a subagent' };
const asked: Waiting = { for: 'person', since, until: since + 168 * HOUR, what: 'Which one?', shown: null };
const limit: Waiting = { for: 'limit', since, until: since + HOUR, what: 'rate_limit' };
const reviewer: Waiting = { ...limit, reviewer: 'codex' };

const waitingFor = (waiting: Waiting, waited = 0): Sidecar => ({
  ...newSidecar('idle:x'),
  waiting,
  waits: { ...NO_WAITS, waited },
});

describe('a wait is over', () => {
  test.each<[string, Waiting, number]>([
    ['for work', work, 2],
    ['for a person', asked, 168],
    ['for a limit', limit, 1],
    ['for a limit nobody knows the end of', { ...limit, until: null }, 24],
    ['for a reviewer nobody knows more of', { ...reviewer, until: null }, 1 / 6],
    ['for work, whatever the record says', { ...work, until: Number.POSITIVE_INFINITY }, 24],
    ['for a limit, whatever the record says', { ...limit, until: since + 9_000 * HOUR }, 8 * 24],
    ['for a person, whatever the record says', { ...asked, until: since + 90_000 * HOUR }, 366 * 24],
  ])('%s', (_, waiting, hours) => {
    const end = since + hours * HOUR;
    expect([isOver(waiting, end - 1), isOver(waiting, end)]).toEqual([false, true]);
    expect(waitingNow(waitingFor(waiting), end - 1)).toBe(waiting);
    expect(waitingNow(waitingFor(waiting), end)).toBeNull();
  });

  test.each([
    ['for work', work, 1 / 60],
    ['for a limit', limit, 1 / 60],
    ['for a reviewer', reviewer, 1 / 60],
    ['for a person, who is still asked', asked, 24],
  ])('when it began on a clock that was ahead: %s', (_, waiting, hours) => {
    const ahead = hours * HOUR;
    expect([isOver(waiting, since - ahead), isOver(waiting, since - ahead - 1)]).toEqual([false, true]);
  });

  it('where there is none', () => {
    expect(waitingNow(newSidecar('idle:x'), since)).toBeNull();
  });
});

describe("the run's clock", () => {
  const hoursLost = (sidecar: Sidecar, hours: number) => {
    const now = since + hours * HOUR;
    return [clockOf(sidecar, now), clockAtStop(sidecar, now)].map((clock) => (now - clock) / HOUR);
  };

  it('is the usual one for a run that never waited', () => {
    expect(hoursLost(newSidecar('idle:x'), 5)).toEqual([0, 0]);
  });

  it('stands still while the run waits, and has lost what it waited before', () => {
    for (const waiting of [work, asked, limit, reviewer])
      expect(hoursLost(waitingFor(waiting, 3 * HOUR), 0.5)).toEqual([3.5, 3.5]);
  });

  it('goes on at the end of a wait for work or for a reviewer', () => {
    expect(hoursLost(waitingFor(work), 9)).toEqual([2, 2]);
    expect(hoursLost(waitingFor(reviewer), 9)).toEqual([1, 1]);
  });

  it('goes on at the end of a limit, unless the session comes back: then it was away all the time', () => {
    expect(hoursLost(waitingFor(limit), 9)).toEqual([1, 9]);
  });

  it('never stood still for a question that nobody answered', () => {
    expect(hoursLost(waitingFor(asked), 167)).toEqual([167, 167]);
    expect(hoursLost(waitingFor(asked), 168)).toEqual([0, 0]);
  });

  it('does not go ahead of the time by a wait that is still to begin', () => {
    expect(hoursLost(waitingFor(work), -3)).toEqual([0, 0]);
  });

  it('stands still from a pause on, and a wait is counted up to it', () => {
    const paused = { ...newSidecar('idle:x'), paused: since + HOUR };
    expect(hoursLost(paused, 0.5)).toEqual([0, 0]);
    expect(hoursLost(paused, 3)).toEqual([2, 2]);
    expect(hoursLost({ ...waitingFor(work, HOUR), paused: since + HOUR }, 5)).toEqual([6, 6]);
  });
});

describe('the time of a wait that ends at a stop', () => {
  it.each<[string, Waiting, number, number]>([
    ['for work, up to its end', work, 9, 2],
    ['for a limit of the session, to the last', limit, 9, 9],
    ['for a reviewer, up to its end', reviewer, 9, 1],
    ['for a person that answered', asked, 5, 5],
    ['for a person that did not', asked, 169, 0],
    ['that is still to begin', limit, -2, 0],
  ])('%s', (_, waiting, hours, waited) => {
    expect(waitedAtStop(waiting, since + hours * HOUR)).toBe(waited * HOUR);
    expect(waitedInAll(3, waiting, since + hours * HOUR)).toBe(3 + waited * HOUR);
  });

  it('is a whole number, and never more than a record can hold', () => {
    expect(waitedAtStop(work, since + 0.6)).toBe(1);
    expect(waitedAtStop(limit, since + 1.4)).toBe(1);
    expect(waitedInAll(Number.MAX_SAFE_INTEGER - 1, work, since + HOUR)).toBe(Number.MAX_SAFE_INTEGER);
  });

  it('is over at the latest at the end that is known', () => {
    expect(endOfWait(work)).toBe(since + 2 * HOUR);
    expect(endOfWait({ ...reviewer, until: null })).toBe(since + HOUR / 6);
  });
});

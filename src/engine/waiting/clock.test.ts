import { expect, it, test } from 'vitest';
import { NO_WAITS, newSidecar, type Sidecar, type Waiting } from '../../store/records.ts';
import { calledInAll } from './calls.ts';
import { clockAtStop, clockOf, endOfWait, isOver, waitedAtStop, waitedInAll, waitingNow } from './clock.ts';

const HOUR = 3_600_000;
const since = 1_000 * HOUR;
const work: Waiting = { for: 'work', since, until: since + 2 * HOUR, what: 'a subagent' };
const asked: Waiting = { for: 'person', since, until: since + 168 * HOUR, what: 'Which one?', shown: null };
const limit: Waiting = { for: 'limit', since, until: since + HOUR, what: 'rate_limit' };
const reviewer: Waiting = { ...limit, reviewer: 'codex' };
const none = newSidecar('idle:x');
const waitingFor = (waiting: Waiting, waited = 0): Sidecar => ({
  ...{ ...none, waiting, waits: { ...NO_WAITS, waited } },
});

test.each<[string, Waiting, number]>([
  ['for work', work, 2],
  ['for a person', asked, 168],
  ['for a limit', limit, 1],
  ['for a limit nobody knows the end of', { ...limit, until: null }, 24],
  ['for a reviewer nobody knows more of', { ...reviewer, until: null }, 1 / 6],
  ['for work, whatever the record says', { ...work, until: Number.POSITIVE_INFINITY }, 24],
  ['for a limit, whatever the record says', { ...limit, until: since + 9_000 * HOUR }, 8 * 24],
  ['for a person, whatever the record says', { ...asked, until: since + 90_000 * HOUR }, 366 * 24],
])('a wait is over: %s', (_, waiting, hours) => {
  const end = since + hours * HOUR;
  expect([endOfWait(waiting), isOver(waiting, end - 1), isOver(waiting, end)]).toEqual([end, false, true]);
  expect([waitingNow(waitingFor(waiting), end - 1), waitingNow(waitingFor(waiting), end)]).toEqual([
    waiting,
    null,
  ]);
});

test.each([
  ['for work', work, 1 / 60],
  ['for a limit', limit, 1 / 60],
  ['for a person, who is still asked', asked, 24],
])('a wait is over that began on a clock that was ahead: %s', (_, waiting, hours) => {
  const ahead = hours * HOUR;
  expect([isOver(waiting, since - ahead), isOver(waiting, since - ahead - 1)]).toEqual([false, true]);
});

/** Hours that the run's clock has lost, for whoever looks and at a stop. */
test.each<[string, Sidecar, number, number, number]>([
  ['never waited', none, 5, 0, 0],
  ['waits for work, and waited before', waitingFor(work, 3 * HOUR), 0.5, 3.5, 3.5],
  ['waits for an answer, and waited before', waitingFor(asked, 3 * HOUR), 0.5, 3.5, 3.5],
  ['waited for work up to its end', waitingFor(work), 9, 2, 2],
  ['waited for a reviewer up to its end', waitingFor(reviewer), 9, 1, 1],
  ['waited for a limit: at its stop the session was away all the time', waitingFor(limit), 9, 1, 9],
  ['waits for an answer nearly too long', waitingFor(asked), 167, 167, 167],
  ['waited for an answer that nobody gave', waitingFor(asked), 168, 0, 0],
  ['is to begin a wait', waitingFor(work), -3, 0, 0],
  ['is to be paused', { ...none, paused: since + HOUR }, 0.5, 0, 0],
  ['is paused', { ...none, paused: since + HOUR }, 3, 2, 2],
  ['waited up to a pause', { ...waitingFor(work, HOUR), paused: since + HOUR }, 5, 6, 6],
])('the clock of a run that %s', (_, sidecar, hours, lost, lostAtStop) => {
  const now = since + hours * HOUR;
  expect([now - clockOf(sidecar, now), now - clockAtStop(sidecar, now)]).toEqual([
    lost * HOUR,
    lostAtStop * HOUR,
  ]);
});

it('the time of a wait that ends at a stop is a whole number, and never more than a record can hold', () => {
  expect([waitedAtStop(work, since + 0.6), waitedAtStop(limit, since + 1.4), waitedAtStop(limit, 0)]).toEqual(
    [1, 1, 0],
  );
  expect(waitedInAll(3, limit, since + HOUR)).toBe(HOUR + 3);
  expect(waitedInAll(Number.MAX_SAFE_INTEGER - 1, work, since + HOUR)).toBe(Number.MAX_SAFE_INTEGER);
});

test.each([
  ['none', 0, 0, 0],
  ['long ones, as they were', 3, 300_000, 300_000],
  ['short ones, a minute each', 3, 20, 180_000],
])('calls of `holdfast wait` have taken, in all: %s', (_, calls, called, inAll) => {
  expect(calledInAll({ ...NO_WAITS, calls, called })).toBe(inAll);
});

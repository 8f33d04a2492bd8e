import { expect, it } from 'vitest';
import { NO_WAITS, newSidecar, type Sidecar, type Waiting, type Waits } from '../../store/records.ts';
import {
  beginWait,
  handedOver,
  type StepTaken,
  waitChange,
  waitsAfter,
  withPause,
  withWait,
} from './on-record.ts';

const HOUR = 3_600_000;
const now = 1_000 * HOUR;
const none = newSidecar('idle:x');
const asked: Waiting = { for: 'person', since: now - HOUR, until: now + HOUR, what: 'Which?', shown: null };
const limit: Waiting = { ...asked, for: 'limit', what: 'rate_limit' };
const work: Waiting = { ...asked, for: 'work' };
const reviewer: Waiting = { ...limit, reviewer: 'codex' };
const waitingFor = (waiting: Waiting | undefined): Sidecar => ({ ...none, waiting });

it('the sidecar is left alone where nothing changes', () => {
  const sidecar = waitingFor(limit);
  expect(withWait(sidecar, { waiting: { ...limit }, ended: null }, now)).toBe(sidecar);
  expect(withWait(none, { waiting: null, ended: null }, now)).toBe(none);
});

it('the time of each wait that ended is counted, but for a question that nobody answered', () => {
  const once = withWait(waitingFor(limit), { waiting: null, ended: limit }, now);
  expect([once.waiting, once.waits?.waited]).toEqual([undefined, HOUR]);
  const next = beginWait({ ...once, waiting: work }, { ...asked, since: now }, now);
  expect([next.waiting?.since, next.waits?.waited]).toEqual([now, 2 * HOUR]);
  expect(beginWait(waitingFor({ ...asked, until: now }), limit, now).waits?.waited).toBe(0);
  expect(beginWait(none, asked, now)).toEqual(waitingFor(asked));
});

const nothing = { state: false, artifacts: false, tools: 'no' } as const;
const waits: Waits = { waited: HOUR, questions: 2, calls: 3, called: 4, callsAtHold: 1 };
it.each<[string, Partial<StepTaken>, Partial<Waits>, Partial<Waits>]>([
  ['knows the calls at a hold', {}, {}, { callsAtHold: 3 }],
  ['does not know them at an allowed stop', { held: false }, {}, {}],
  ['begins with the age of the state', { moves: true }, {}, { waited: 0, callsAtHold: 3 }],
  [
    'ends a row of questions by work',
    { movement: { ...nothing, tools: 'yes' } },
    {},
    { questions: 0, callsAtHold: 3 },
  ],
  [
    'ends it by a state that moved',
    { movement: { ...nothing, state: true } },
    {},
    { questions: 0, callsAtHold: 3 },
  ],
  [
    'ends it by an artifact',
    { movement: { ...nothing, artifacts: true } },
    {},
    { questions: 0, callsAtHold: 3 },
  ],
  ['not by what nobody can tell', { movement: { ...nothing, tools: 'unknown' } }, {}, { callsAtHold: 3 }],
  ['not where nobody looked', { movement: null }, {}, { callsAtHold: 3 }],
  ['not by an answer', { movement: { ...nothing, tools: 'yes' }, answered: asked }, {}, { callsAtHold: 3 }],
  ['not by waiting', { movement: { ...nothing, tools: 'yes', waited: true } }, {}, { callsAtHold: 3 }],
  [
    'forgives one that was refused, by a hold',
    { movement: { ...nothing, tools: 'yes' } },
    { questions: 4 },
    { questions: 3, callsAtHold: 3 },
  ],
  [
    'and by nothing else',
    { movement: { ...nothing, tools: 'yes' }, held: false },
    { questions: 4 },
    { questions: 4 },
  ],
])('what is counted about waits %s', (_, taken, before, after) => {
  const step: StepTaken = { moves: false, held: true, movement: nothing, answered: null, ...taken };
  expect(waitsAfter({ ...waits, ...before }, step)).toEqual({ ...waits, ...after });
  expect(waitsAfter(undefined, step)).toBeUndefined();
});

it.each<[string, Waiting | undefined, Waiting | undefined, string[]]>([
  ['a beginning', undefined, work, ['began work']],
  ['an end', work, undefined, ['ended work']],
  ['nothing while it goes on', work, { ...work, what: 'y' }, []],
  ['an end where it is used up', work, { ...work, since: now, until: now }, ['ended work']],
  ['both where another takes its place', work, limit, ['ended work', 'began limit']],
  ['both where it is another’s limit', limit, reviewer, ['ended limit', 'began limit']],
  ['nothing of a question', undefined, asked, []],
  ['the beginning of a pause', undefined, { ...asked, pause: true }, ['began person']],
])('the journal has of a wait: %s', (_, before, after, lines) => {
  expect(waitChange(before, after).map(({ what, wait }) => `${what} ${wait.for}`)).toEqual(lines);
});

it.each<[string, Waiting | undefined, Waiting | undefined, number | undefined]>([
  ['waits no more for a limit, whose time is counted', limit, undefined, HOUR],
  ['waits no more for a client’s cap', { ...asked, capped: true }, undefined, HOUR],
  ['shows its question again', { ...asked, shown: { marker: 'm', turn: 't' } }, asked, undefined],
  ['leaves one that is over', { ...asked, until: now }, { ...asked, until: now }, undefined],
  ['has the time noted', undefined, undefined, undefined],
])('a run that another session takes over %s', (_, before, after, waited) => {
  const next = handedOver(waitingFor(before), now);
  expect([next.waiting, next.waits?.waited, next.takenOver]).toEqual([after, waited, now]);
});

it('a pause of the budget is noted once, and takes its time off the age when it is over', () => {
  expect(withPause(none, null, now)).toBe(none);
  const paused = withPause(none, now - HOUR, now);
  expect(paused).toEqual({ ...none, paused: now - HOUR });
  expect(withPause(paused, now - HOUR, now)).toBe(paused);
  expect(withPause(paused, now, now).paused).toBe(now);
  const waited = (paused: number, before: number) =>
    withPause({ ...none, paused, waits: { ...NO_WAITS, waited: before } }, null, now);
  expect(waited(now - HOUR, 5)).toEqual({ ...none, waits: { ...NO_WAITS, waited: HOUR + 5 } });
  expect(waited(now + HOUR, 5).waits?.waited).toBe(5);
  expect(waited(now - HOUR, Number.MAX_SAFE_INTEGER).waits?.waited).toBe(Number.MAX_SAFE_INTEGER);
});

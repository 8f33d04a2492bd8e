import { describe, expect, it } from 'vitest';
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
const asked: Waiting = { for: 'person', since: now - HOUR, until: now + HOUR, what: 'Which?', shown: null };
const limit: Waiting = { for: 'limit', since: now - HOUR, until: now + HOUR, what: 'rate_limit' };
const waitingFor = (waiting: Waiting): Sidecar => ({ ...newSidecar('idle:x'), waiting });

describe('the sidecar', () => {
  it('is left alone where nothing changes', () => {
    const sidecar = waitingFor(limit);
    expect(withWait(sidecar, { waiting: { ...limit }, ended: null }, now)).toBe(sidecar);
    const plain = newSidecar('idle:x');
    expect(withWait(plain, { waiting: null, ended: null }, now)).toBe(plain);
  });

  it('counts the time of a wait that ended', () => {
    const once = withWait(waitingFor(limit), { waiting: null, ended: limit }, now);
    expect([once.waiting, once.waits?.waited]).toEqual([undefined, HOUR]);
    const twice = withWait({ ...once, waiting: asked }, { waiting: null, ended: asked }, now);
    expect(twice.waits?.waited).toBe(2 * HOUR);
  });
});

describe('a wait that begins', () => {
  it('takes the place of another, whose time is counted', () => {
    for (const before of [limit, asked, { ...limit, for: 'work' } as const]) {
      const next = beginWait(waitingFor(before), { ...asked, since: now }, now);
      expect([next.waiting?.since, next.waits?.waited]).toEqual([now, HOUR]);
    }
    expect(beginWait(newSidecar('idle:x'), asked, now)).toEqual(waitingFor(asked));
  });

  it('counts nothing of a question that nobody answered', () => {
    expect(beginWait(waitingFor({ ...asked, until: now }), limit, now).waits?.waited).toBe(0);
  });
});

describe('what is counted about waits', () => {
  const waits: Waits = { waited: HOUR, questions: 2, calls: 3, called: 4, callsAtHold: 1 };
  const nothing = { state: false, artifacts: false, tools: 'no' } as const;
  const held: StepTaken = { moves: false, held: true, movement: nothing, answered: null };

  it('is nothing for a run that never waited', () => {
    expect(waitsAfter(undefined, held)).toBeUndefined();
  });

  it('begins again with the age of the state', () => {
    expect(waitsAfter(waits, { ...held, moves: true })?.waited).toBe(0);
    expect(waitsAfter(waits, held)?.waited).toBe(HOUR);
  });

  it('knows the calls at each hold', () => {
    expect(waitsAfter(waits, held)?.callsAtHold).toBe(3);
    expect(waitsAfter(waits, { ...held, held: false })?.callsAtHold).toBe(1);
  });

  it('has questions in a row until the agent worked and asked nothing', () => {
    const worked: StepTaken = { ...held, movement: { ...nothing, tools: 'yes' } };
    expect(waitsAfter(waits, worked)?.questions).toBe(0);
    expect(waitsAfter(waits, held)?.questions).toBe(2);
    expect(waitsAfter(waits, { ...worked, answered: asked })?.questions).toBe(2);
    expect(
      waitsAfter(waits, { ...worked, movement: { ...nothing, tools: 'yes', waited: true } })?.questions,
    ).toBe(2);
    expect(waitsAfter({ ...NO_WAITS, questions: 1 }, { ...held, held: false })?.questions).toBe(1);
    expect(waitsAfter({ ...waits, questions: 4 }, worked)?.questions).toBe(3);
    expect(waitsAfter({ ...waits, questions: 4 }, { ...worked, held: false })?.questions).toBe(4);
  });
});

describe('what the journal has of a wait', () => {
  const work: Waiting = { for: 'work', since: 5, until: 100, what: 'x' };
  const limit: Waiting = { for: 'limit', since: 5, until: 100, what: 'rate_limit' };
  it.each([
    ['a beginning', undefined, work, [{ what: 'began', wait: work }]],
    ['an end', work, undefined, [{ what: 'ended', wait: work }]],
    ['nothing while it goes on', work, { ...work, what: 'y' }, []],
    [
      'an end where it is used up',
      work,
      { ...work, since: 100, until: 100 },
      [{ what: 'ended', wait: work }],
    ],
    [
      'both where another takes its place',
      work,
      limit,
      [
        { what: 'ended', wait: work },
        { what: 'began', wait: limit },
      ],
    ],
    ['nothing of a question', undefined, { ...work, for: 'person' as const }, []],
  ])('is %s', (_, before, after, lines) => {
    expect(waitChange(before, after)).toEqual(lines);
  });
});

describe('a run that another session takes over', () => {
  it('waits for nothing of the former one’s, whose time is counted', () => {
    const next = handedOver(waitingFor(limit), now);
    expect([next.takenOver, next.waiting, next.waits?.waited]).toEqual([now, undefined, HOUR]);
    const capped = handedOver(waitingFor({ ...asked, capped: true }), now);
    expect([capped.waiting, capped.waits?.waited]).toEqual([undefined, HOUR]);
  });

  it('shows an open question again, and leaves one that is over', () => {
    const shown = { marker: 'm', turn: 't' };
    const open = { ...asked, shown };
    expect(handedOver(waitingFor(open), now)).toEqual({
      ...waitingFor({ ...asked, shown: null }),
      takenOver: now,
    });
    const over = { ...open, until: now };
    expect(handedOver(waitingFor(over), now)).toEqual({ ...waitingFor(over), takenOver: now });
  });

  it('has only the time noted where it waits for nothing', () => {
    expect(handedOver(newSidecar('idle:x'), now)).toEqual({ ...newSidecar('idle:x'), takenOver: now });
  });
});

describe('a pause of the budget', () => {
  const plain = newSidecar('idle:x');

  it('is noted, and left where it is', () => {
    expect(withPause(plain, null, now)).toBe(plain);
    const paused = withPause(plain, now - HOUR, now);
    expect(paused).toEqual({ ...plain, paused: now - HOUR });
    expect(withPause(paused, now - HOUR, now)).toBe(paused);
    expect(withPause(paused, now, now).paused).toBe(now);
  });

  it('takes its time off the age when it is over', () => {
    const paused: Sidecar = { ...plain, paused: now - HOUR, waits: { ...NO_WAITS, waited: 5, calls: 2 } };
    const { paused: _, ...rest } = paused;
    expect(withPause(paused, null, now)).toEqual({
      ...rest,
      waits: { ...NO_WAITS, waited: HOUR + 5, calls: 2 },
    });
    expect(withPause({ ...plain, paused: now + HOUR }, null, now).waits?.waited).toBe(0);
    const most = { ...NO_WAITS, waited: Number.MAX_SAFE_INTEGER };
    expect(withPause({ ...paused, waits: most }, null, now).waits?.waited).toBe(Number.MAX_SAFE_INTEGER);
  });
});

describe('what the journal has of a wait for another', () => {
  const reviewer: Waiting = { ...limit, reviewer: 'codex' };
  it('is a line where the reviewer is another one, or a pause', () => {
    expect(waitChange(limit, reviewer).map(({ what }) => what)).toEqual(['ended', 'began']);
    expect(waitChange(reviewer, { ...reviewer })).toEqual([]);
    const pause: Waiting = { ...asked, pause: true };
    expect(waitChange(undefined, pause)).toEqual([{ what: 'began', wait: pause }]);
    expect(waitChange(undefined, { ...limit, until: limit.since })).toEqual([]);
  });
});

it('artifacts and state that moved end the row of questions, and so does nothing else', () => {
  const waits: Waits = { waited: 0, questions: 3, calls: 0, called: 0, callsAtHold: 0 };
  const taken = (movement: StepTaken['movement']): StepTaken => ({
    ...{ moves: false, held: true, movement, answered: null },
  });
  const nothing = { state: false, artifacts: false, tools: 'unknown' } as const;
  expect(waitsAfter(waits, taken({ ...nothing, state: true }))?.questions).toBe(0);
  expect(waitsAfter(waits, taken({ ...nothing, artifacts: true }))?.questions).toBe(0);
  expect(waitsAfter(waits, taken(nothing))?.questions).toBe(3);
  expect(waitsAfter(waits, taken(null))?.questions).toBe(3);
});

import { describe, expect, it } from 'vitest';
import { shownBudget } from '../../test/support/shown-run.ts';
import { NO_GUARD_MEMORY, newSidecar, type Waiting } from '../store/records.ts';
import { describeEnd, endFrom, labelOf, type RecordedEnd, toneOf } from './run-state.ts';
import { type KnownOfRun, standingOf } from './standing.ts';

const bound = { ...newSidecar('toy:a'), sessions: ['s'] };
const plain: KnownOfRun = {
  ...{ name: 'toy:a', live: true, stand: null, sidecar: bound, recorded: null, own: null, drive: null },
  ...{ stops: 1, wait: null, waiting: null, budget: null, proof: null, unreadable: null, goOn: '/toy:on a' },
};
const asked: Waiting = {
  ...{ for: 'person', since: 1, until: 9, what: 'Which?' },
  shown: { marker: null, turn: null },
};
const waiting = { for: 'person' as const, since: 1, until: 2, what: 'x', reviewer: null, text: 'It asks.' };
const released = { ...bound, guard: { s: { ...NO_GUARD_MEMORY, released: true } } };
const recorded = (outcome: RecordedEnd['outcome'], more: Partial<RecordedEnd> = {}) => ({
  recorded: { outcome, at: 7, worth: null, why: [], ...more },
});
const limit = (what: string) => ({
  wait: { for: 'limit' as const, since: 1, until: null, what },
  waiting: { ...waiting, text: 'Log in.' },
});
const untrusted = { untrusted: ['t'], off: false };

describe('how a run stands', () => {
  it.each<[string, Partial<KnownOfRun>, string]>([
    ['goes on', {}, 'running: running'],
    ['cannot be read', { live: false, unreadable: 'Broken.' }, 'needs-you: needs you: Broken.'],
    ['asks', { wait: asked, waiting }, 'needs-you: needs you: It asks.'],
    ['will ask at its next stop', { wait: { ...asked, shown: null }, waiting }, 'waiting: waiting'],
    ['has to be logged in', limit('authentication_failed'), 'needs-you: needs you: Log in.'],
    ['is at a usage limit', limit('rate_limit'), 'waiting: waiting'],
    ['awaits a decision', { stand: { kind: 'person', why: 'Choose.' } }, 'needs-you: needs you: Choose.'],
    ['has checks switched off', { proof: { ...untrusted, off: true } }, 'running: running'],
    ['goes on, though its files say "let go" to none', { live: true, drive: 'on' }, 'running: running'],
    ['no session has taken up', { sidecar: newSidecar('toy:a'), stops: 0 }, 'not-started: not started'],
    ['is fired by hand', { sidecar: newSidecar('toy:a') }, 'running: running'],
    ['cancelled is cancelled, whatever its files say', recorded('cancelled'), 'ended: cancelled'],
    ['is over, how is not on record', { live: false }, 'ended: ended'],
    ['has no files', { live: null, ...recorded('stuck') }, 'ended: stuck'],
    [
      'has files that say how it ended',
      { live: false, own: recorded('limit').recorded },
      'ended: limit reached',
    ],
    ['was let go', { sidecar: released }, 'ended: released'],
    ['has ended inside another that goes on', recorded('completed'), 'running: running'],
    ['is paused', { budget: shownBudget({ stage: 'paused', text: 'Spent.' }) }, 'paused: paused: Spent.'],
    ['is over, its budget spent', { live: false, ...recorded('paused') }, 'ended: budget spent'],
  ])('one that %s', (_, more, said) => {
    const { status, end, needs } = standingOf({ ...plain, ...more });
    expect([status, labelOf({ status, end }), needs].filter((each) => each !== null).join(': ')).toBe(said);
  });

  it.each<[string, Partial<KnownOfRun>, string, RegExp]>([
    ['stale', { live: false, stand: { kind: 'stale' } }, 'paused', /`holdfast resume toy:a`/],
    ['left by its driver', { drive: { ended: 'errors' } }, 'paused', /errors.*`holdfast resume toy:a`/],
    ['past a review', { stand: { kind: 'goes-on', reached: 'plan' } }, 'your-turn', /plan.*`\/toy:on a`/],
    ['with an untrusted check', { proof: untrusted }, 'needs-you', /"t".*`holdfast trust`/],
  ])('one that is %s says what to do', (_, more, status, needs) => {
    expect(standingOf({ ...plain, ...more })).toMatchObject({ status, end: null });
    expect(standingOf({ ...plain, ...more }).needs).toMatch(needs);
  });
});

it('ends are told apart, and green is proven alone', () => {
  const ends = [
    endFrom({ ...recorded('completed', { worth: 'proven' }).recorded }),
    endFrom({ ...recorded('completed', { worth: 'unproven', why: ['failed', 'not trusted'] }).recorded }),
    endFrom({ ...recorded('completed').recorded }),
    endFrom({ ...recorded('cancelled', { by: 'by a person' }).recorded }),
    endFrom({ ...recorded('released').recorded }),
    endFrom({ ...recorded('released', { worth: 'unproven' }).recorded }),
    ...(['limit', 'stuck', 'paused', null] as const).map((outcome) => endFrom(recorded(outcome).recorded)),
  ];
  expect(
    ends.map((end) => `${toneOf({ status: 'ended', end })}  ${describeEnd(end)}`).join('\n'),
  ).toMatchFileSnapshot('snapshots/ends.txt');
});

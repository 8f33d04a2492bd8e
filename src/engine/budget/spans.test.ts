// Every way in which a span can begin and end.

import { describe, expect, it } from 'vitest';
import { marksUpTo, worked } from './spans.ts';
import type { Clock, Mark } from './types.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** At most so long a call counts that was open. */
const OPEN = 2 * HOUR;

const at = (minutes: number): { at: number } => ({ at: minutes * MINUTE });
const begins = (minutes: number): Mark => ({ ...at(minutes), kind: 'begins' });
const holds = (minutes: number): Mark => ({ ...at(minutes), kind: 'holds' });
const ends = (minutes: number): Mark => ({ ...at(minutes), kind: 'ends' });
const works = (minutes: number, ...calls: string[]): Mark => ({ ...at(minutes), kind: 'works', calls });
const results = (minutes: number, ...ids: string[]): Mark => ({ ...at(minutes), kind: 'results', ids });

describe('of a client’s time counts', () => {
  it.each<[string, Mark[], number]>([
    ['nothing where nothing is known', [], 0],
    ['all from a prompt to a stop', [begins(0), works(3), ends(10)], 10],
    ['a turn without a row of the agent’s', [begins(0), ends(10)], 10],
    ['all of a row of holds', [begins(0), works(1), holds(2), works(5), holds(6), ends(10)], 10],
    ['what a hold begins after a stop that was allowed', [begins(0), ends(2), holds(3), ends(5)], 4],
    ['nothing between a stop and the next prompt', [begins(0), ends(2), begins(600), ends(605)], 7],
    ['what is ended once, once', [begins(0), ends(2), ends(60), begins(600), ends(605), ends(700)], 7],
    ['up to the last own row where nothing ended it', [begins(0), works(4), begins(600), ends(601)], 5],
    ['none of it where there is no own row', [begins(0), begins(600), ends(601)], 1],
    ['up to the last own row where nothing comes any more', [begins(0), works(4)], 4],
    ['up to a hold of which nothing came', [begins(0), works(1), holds(2), begins(600), ends(601)], 3],
    ['what the client does without a prompt that anybody saw', [ends(0), works(60), works(62), ends(65)], 5],
    ['a row that is late, with nothing', [begins(0), ends(2), works(3), begins(600), ends(601)], 3],
    [
      'several prompts that nothing ended',
      [begins(0), works(1), begins(60), works(62), begins(600), ends(601)],
      4,
    ],
    [
      'the call that was open, to its result',
      [begins(0), works(1, 'a'), results(30, 'a'), begins(600), ends(601)],
      31,
    ],
    [
      'a call to which a prompt came, once',
      [begins(0), works(1, 'a'), begins(5), results(30, 'a'), ends(40)],
      40,
    ],
    [
      'a call whose result came too late, no longer than is waited for work',
      [begins(0), works(1, 'a'), results(599, 'a'), begins(600), ends(601)],
      122,
    ],
    ['a call that has no result, with its own row', [begins(0), works(1, 'a'), begins(600), ends(601)], 2],
    [
      'the longest of several calls',
      [begins(0), works(1, 'a', 'b'), results(9, 'b'), results(7, 'a'), begins(600), ends(601)],
      10,
    ],
    ['results alone begin nothing', [ends(0), results(5, 'a'), begins(600), ends(601)], 1],
    [
      'a long call within a turn, all of it',
      [begins(0), works(1, 'a'), results(300, 'a'), works(301), ends(302)],
      302,
    ],
    ['what is out of order, in order', [ends(10), works(3), begins(0)], 10],
  ])('%s', (_, marks, minutes) => {
    expect(worked(marks, OPEN)).toBe(minutes * MINUTE);
  });
});

describe('up to a stop', () => {
  const open: Clock = { at: 60 * MINUTE, still: null };
  const still = (more: object = {}): NonNullable<Clock['still']> => ({
    ...{ for: 'limit', since: 60 * MINUTE, until: null },
    ...more,
  });
  const rows = [works(61), begins(600), works(601)];
  it.each<[string, Clock, Mark[] | null, number]>([
    ['an open span counts by the rows', open, rows, 6],
    ['an open span without times counts from stop to stop', open, null, 545],
    ['a closed one begins with a prompt', { ...open, still: still(), wakes: true }, [begins(600)], 5],
    ['a closed one without times stands still', { ...open, still: still(), wakes: true }, null, 0],
    [
      'a turn that failed ended its span',
      { ...open, still: still({ since: 63 * MINUTE }), wakes: true },
      [],
      3,
    ],
    [
      'a wait for work without times ends with it',
      { ...open, still: still({ for: 'work', until: 180 * MINUTE }), wakes: true },
      null,
      425,
    ],
    ['another run’s time is not this one’s', { ...open, still: still() }, rows, 0],
    [
      'what the driver noted tells where rows do not',
      {
        ...open,
        still: still(),
        wakes: true,
        marks: [begins(100), ends(102), begins(500), ends(501)] as Clock['marks'],
      },
      null,
      3,
    ],
    [
      'a driver’s start closes what a dead one left open',
      { ...open, marks: [begins(600)] as Clock['marks'] },
      [works(64)],
      9,
    ],
    ['what lies before or ahead is passed over', open, [begins(3), works(59), begins(900), ends(905)], 545],
    ['a clock that was set back counts nothing', { at: 900 * MINUTE, still: null }, [works(64)], 0],
  ])('%s', (_, clock, read, minutes) => {
    expect(worked(marksUpTo(clock, read, 605 * MINUTE), OPEN)).toBe(minutes * MINUTE);
  });
});

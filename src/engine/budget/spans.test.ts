// Every way in which a span can begin and end.

import { expect, it } from 'vitest';
import { marksUpTo, worked } from './spans.ts';
import type { Clock, Mark } from './types.ts';

const MINUTE = 60_000;

/** `b`egins, `h`olds, `e`nds, `w`orks with the calls it opens, `r`esults of such; at so many minutes. */
function marks(text: string): Mark[] {
  return text
    .split(' ')
    .filter(Boolean)
    .map((mark) => {
      const [, kind = '', minutes = '', ids = ''] = /^([bhewr])(\d+)([a-z]*)$/.exec(mark) ?? [];
      const at = Number(minutes) * MINUTE;
      switch (kind) {
        case 'b':
          return { at, kind: 'begins' };
        case 'h':
          return { at, kind: 'holds' };
        case 'e':
          return { at, kind: 'ends' };
        case 'w':
          return { at, kind: 'works', calls: [...ids] };
        case 'r':
          return { at, kind: 'results', ids: [...ids] };
      }
      throw new Error(`no mark: ${mark}`);
    });
}

it.each([
  ['nothing where nothing is known', '', 0],
  ['all from a prompt to a stop', 'b0 w3 e10', 10],
  ['a turn without a row of the agent’s', 'b0 e10', 10],
  ['all of a row of holds', 'b0 w1 h2 w5 h6 e10', 10],
  ['what a hold begins after a stop that was allowed', 'b0 e2 h3 e5', 4],
  ['nothing between a stop and the next prompt', 'b0 e2 b600 e605', 7],
  ['what is ended once, once', 'b0 e2 e60 b600 e605 e700', 7],
  ['up to the last own row where nothing ended it', 'b0 w4 b600 e601', 5],
  ['none of it where there is no own row', 'b0 b600 e601', 1],
  ['up to the last own row where nothing comes any more', 'b0 w4', 4],
  ['up to a hold of which nothing came', 'b0 w1 h2 b600 e601', 3],
  ['what the client does without a prompt that anybody saw', 'e0 w60 w62 e65', 5],
  ['a row that is late, with nothing', 'b0 e2 w3 b600 e601', 3],
  ['several prompts that nothing ended', 'b0 w1 b60 w62 b600 e601', 4],
  ['the call that was open, to its result', 'b0 w1a r30a b600 e601', 31],
  ['a call to which a prompt came, once', 'b0 w1a b5 r30a e40', 40],
  ['a call whose result came too late, no longer than is waited for work', 'b0 w1a r599a b600 e601', 122],
  ['a call that has no result, with its own row', 'b0 w1a b600 e601', 2],
  ['the longest of several calls', 'b0 w1ab r9b r7a b600 e601', 10],
  ['nothing that results alone would begin', 'e0 r5a b600 e601', 1],
  ['a long call within a turn, all of it', 'b0 w1a r300a w301 e302', 302],
  ['what is out of order, in order', 'e10 w3 b0', 10],
])('of a client’s time counts %s', (_, text, minutes) => {
  expect(worked(marks(text), 120 * MINUTE)).toBe(minutes * MINUTE);
});

const OPEN: Clock = { at: 60 * MINUTE, still: null };
const still = (minutes = 60) => ({ for: 'limit', since: minutes * MINUTE, until: null }) as const;
const noted = (text: string) => marks(text) as NonNullable<Clock['marks']>;
const forWork = { for: 'work', since: 60 * MINUTE, until: 180 * MINUTE } as const;
const driven: Clock = { ...OPEN, still: still(), wakes: true, marks: noted('b100 e102 b500 e501') };

it.each<[string, Clock, string | null, number]>([
  ['an open span counts by the rows', OPEN, 'w61 b600 w601', 6],
  ['an open span without times counts from stop to stop', OPEN, null, 545],
  ['a closed one begins with a prompt', { ...OPEN, still: still(), wakes: true }, 'b600', 5],
  ['a closed one without times stands still', { ...OPEN, still: still(), wakes: true }, null, 0],
  ['a turn that failed ended its span', { ...OPEN, still: still(63), wakes: true }, '', 3],
  ['a wait for work without times ends with it', { ...OPEN, still: forWork, wakes: true }, null, 425],
  ['another run’s time is not this one’s', { ...OPEN, still: still() }, 'w61 b600 w601', 0],
  ['what the driver noted tells where rows do not', driven, null, 3],
  ['a driver’s start closes what a dead one left open', { ...OPEN, marks: noted('b600') }, 'w64', 9],
  ['what lies before or ahead is passed over', OPEN, 'b3 w59 b900 e905', 545],
  ['a clock that was set back counts nothing', { at: 900 * MINUTE, still: null }, 'w64', 0],
])('up to a stop %s', (_, clock, read, minutes) => {
  const known = marksUpTo(clock, read === null ? null : marks(read), 605 * MINUTE);
  expect(worked(known, 120 * MINUTE)).toBe(minutes * MINUTE);
});

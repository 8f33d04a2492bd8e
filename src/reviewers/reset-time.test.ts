import { describe, expect, it } from 'vitest';
import { resetTimeIn } from './reset-time.ts';

const at = (time: string): number => Date.parse(time);
/** When the minute that is named has passed. */
const minuteAfter = (time: string): number => at(time) / 1000 + 60;

describe('the time at which a limit ends', () => {
  it.each([
    ['resets 7:53pm (UTC)', '2026-11-16T18:47:00Z', '2026-11-16T19:53:00Z'],
    ['resets 3am (UTC)', '2026-11-16T22:10:00Z', '2026-11-17T03:00:00Z'],
    ['resets 12am (UTC)', '2026-11-16T22:10:00Z', '2026-11-17T00:00:00Z'],
    ['resets 12:30pm (UTC)', '2026-11-16T10:10:00Z', '2026-11-16T12:30:00Z'],
    // It has just passed, and is not tomorrow's.
    ['resets 7:53pm (UTC)', '2026-11-16T19:59:00Z', '2026-11-16T19:53:00Z'],
    ['resets Nov 21, 10:53am (Europe/Berlin)', '2026-11-16T18:47:00Z', '2026-11-21T09:53:00Z'],
    ['resets Jan 2, 4pm (America/New_York)', '2026-12-30T18:47:00Z', '2027-01-02T21:00:00Z'],
    // Another day there than here.
    ['resets 1am (Asia/Tokyo)', '2026-11-16T14:00:00Z', '2026-11-16T16:00:00Z'],
    // An hour ago is not tomorrow's yet; a moment more is.
    ['resets 7pm (UTC)', '2026-11-16T20:00:00Z', '2026-11-16T19:00:00Z'],
    ['resets 7pm (UTC)', '2026-11-16T20:00:01Z', '2026-11-17T19:00:00Z'],
    ['resets 12pm (UTC)', '2026-11-16T12:30:40Z', '2026-11-16T12:00:00Z'],
    ['RESETS 11:59PM (utc)', '2026-11-16T12:30:40Z', '2026-11-16T23:59:00Z'],
    ['resets 1:00 am (UTC)', '2026-11-30T12:30:40Z', '2026-12-01T01:00:00Z'],
    // A date that is named is meant, passed or not, of the year that is nearest.
    ['resets Nov 1, 3am (UTC)', '2026-11-16T18:47:00Z', '2026-11-01T03:00:00Z'],
    ['resets November 21 at 3am (UTC)', '2026-11-16T18:47:00Z', '2026-11-21T03:00:00Z'],
    ['resets Dec 31, 3am (UTC)', '2027-01-02T18:47:00Z', '2026-12-31T03:00:00Z'],
    ['resets Jul 1, 3am (UTC)', '2026-02-01T18:47:00Z', '2026-07-01T03:00:00Z'],
    // As far from one as from the other: the earlier one.
    ['resets Jan 1, 3am (UTC)', '2028-07-02T18:47:00Z', '2028-01-01T03:00:00Z'],
    ['resets Feb 3, 5:30am (Asia/Kolkata)', '2026-02-01T18:47:00Z', '2026-02-03T00:00:00Z'],
    // The clocks are set forward on the way.
    ['resets Mar 29, 3am (Europe/Berlin)', '2026-03-28T08:00:00Z', '2026-03-29T01:00:00Z'],
    ['resets Mar 8, 3am (America/New_York)', '2026-03-07T08:00:00Z', '2026-03-08T07:00:00Z'],
    // The clocks are set back in between.
    ['resets Oct 27, 9am (Europe/Berlin)', '2026-10-23T08:00:00Z', '2026-10-27T08:00:00Z'],
  ])('%s, said at %s, is %s', (said, now, expected) => {
    expect(resetTimeIn(`You've hit your limit · ${said}`, at(now))).toBe(minuteAfter(expected));
  });

  it.each([
    'API Error: Request rejected (429) · Usage limit reached.',
    'resets soon',
    'resets 7:53pm',
    'resets 7:53pm (Nowhere/Land)',
    'resets 99:99pm (UTC)',
    'resets Foo 21, 10am (UTC)',
    'resets 13pm (UTC)',
    'resets 7:60pm (UTC)',
    'resets 7:5pm (UTC)',
    'presets 7pm (UTC)',
    'resets 7xm (UTC)',
    '',
  ])('is not known from %j', (said) => {
    expect(resetTimeIn(said, at('2026-11-16T18:47:00Z'))).toBeNull();
  });
});

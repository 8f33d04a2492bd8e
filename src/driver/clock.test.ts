import { describe, expect, it } from 'vitest';
import { anyOf, Bell, type Ended, LONGEST_WAIT, pause, realClock, timeToGoOn } from './clock.ts';

const never: Ended = () => () => {};
const AN_HOUR = 3_600_000;

describe('a bell', () => {
  it('tells all who listen once, and whoever comes later at once', async () => {
    const bell = new Bell();
    const notified: string[] = [];
    bell.ended(() => notified.push('first'));
    bell.ended(() => notified.push('second'));
    bell.ended(() => notified.push('gone'))();
    expect(bell.rung).toBe(false);
    bell.ring();
    expect(bell.rung).toBe(true);
    expect(notified).toEqual(['first', 'second']);
    bell.ring();
    expect(notified).toHaveLength(2);
    await new Promise<void>((resolve) => {
      bell.ended(() => {
        notified.push('late');
        resolve();
      })();
    });
    expect(notified).toEqual(['first', 'second', 'late']);
  });

  it('may be one of several', () => {
    const [one, other] = [new Bell(), new Bell()];
    let notified = 0;
    anyOf(one.ended, other.ended)(() => notified++);
    other.ring();
    expect(notified).toBe(1);
    const forget = anyOf(one.ended)(() => notified++);
    forget();
    one.ring();
    // Who listened to both is notified by both; who listens no more is not.
    expect(notified).toBe(2);
  });
});

describe('a pause', () => {
  it('is over after its time, and listens no more', async () => {
    let isForgotten = false;
    await pause(1, () => () => {
      isForgotten = true;
    });
    expect(isForgotten).toBe(true);
  });

  it('is over at once where there is something else to do, or its time is over', async () => {
    const bell = new Bell();
    const paused = pause(AN_HOUR, bell.ended);
    bell.ring();
    await paused;
    await pause(AN_HOUR, bell.ended);
    await pause(-AN_HOUR, never);
  });
});

describe('the real clock', () => {
  it('waits until a time, and no longer than it must', async () => {
    const until = Date.now() + 30;
    await realClock.waitUntil(until, never);
    expect(Date.now()).toBeGreaterThanOrEqual(until);
    await realClock.waitUntil(Date.now() - AN_HOUR, never);
  });

  it('waits no longer where there is something else to do', async () => {
    const bell = new Bell();
    const waits = realClock.waitUntil(Date.now() + AN_HOUR, bell.ended);
    const beats = realClock.beat(bell.ended);
    bell.ring();
    await Promise.all([waits, beats]);
    await realClock.waitUntil(Date.now() + AN_HOUR, bell.ended);
  });

  it('forgets who listened', async () => {
    let listening = 0;
    const counted: Ended = () => {
      listening++;
      return () => {
        listening--;
      };
    };
    await realClock.waitUntil(Date.now() + 5, counted);
    expect(listening).toBe(0);
  });

  it('tells the time', () => {
    const before = Date.now();
    expect(realClock.now()).toBeGreaterThanOrEqual(before);
  });
});

it('a wait on record is never longer than eight days', () => {
  expect(LONGEST_WAIT).toBe(8 * 24 * AN_HOUR);
  expect(timeToGoOn(null, 5)).toBeNull();
  expect(timeToGoOn(7, 5)).toBe(7);
  expect(timeToGoOn(5 + LONGEST_WAIT + 1, 5)).toBe(5 + LONGEST_WAIT);
});

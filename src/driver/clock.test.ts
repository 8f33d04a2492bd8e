import { describe, expect, it } from 'vitest';
import { anyOf, Bell, type Ended, LONGEST_WAIT, leftUntil, pause, realClock, timeToGoOn } from './clock.ts';

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
  const leftOf = (ms: number) => leftUntil(Date.now() + ms, realClock);

  it('waits until a time, and no longer than it must', async () => {
    const began = performance.now();
    await realClock.wait(leftOf(30), never);
    // Their milliseconds do not begin at the same moment.
    expect(performance.now()).toBeGreaterThanOrEqual(began + 28);
    await realClock.wait(leftOf(-AN_HOUR), never);
  });

  it('waits no longer where there is something else to do', async () => {
    const bell = new Bell();
    const waits = realClock.wait(leftOf(AN_HOUR), bell.ended);
    const beats = realClock.beat(bell.ended);
    bell.ring();
    await Promise.all([waits, beats]);
    await realClock.wait(leftOf(AN_HOUR), bell.ended);
  });

  it('forgets who listened', async () => {
    let listening = 0;
    const counted: Ended = () => {
      listening++;
      return () => {
        listening--;
      };
    };
    await realClock.wait(leftOf(5), counted);
    expect(listening).toBe(0);
  });

  it('tells the time', () => {
    const before = Date.now();
    expect(realClock.now()).toBeGreaterThanOrEqual(before);
  });
});

describe('a wait on record', () => {
  const next = (at: number | null, since?: number) => ({ session: 'same', say: 'go-on', at, since }) as const;

  it('is never longer than eight days', () => {
    expect(LONGEST_WAIT).toBe(8 * 24 * AN_HOUR);
    expect(timeToGoOn(next(null), 5)).toBeNull();
    expect(timeToGoOn(next(7), 5)).toBe(7);
    expect(timeToGoOn(next(5 + LONGEST_WAIT + 1), 5)).toBe(5 + LONGEST_WAIT);
  });

  it('is no longer than it was meant to be, though the clock was set back', () => {
    expect(timeToGoOn(next(AN_HOUR, 0), 10)).toBe(AN_HOUR);
    expect(timeToGoOn(next(9 * AN_HOUR, 8 * AN_HOUR), 10)).toBe(AN_HOUR + 10);
    expect(timeToGoOn(next(null, 8 * AN_HOUR), 10)).toBeNull();
  });
});

describe('what is left of a wait', () => {
  it.each([
    ['nothing but time', 20, 20, 80],
    ['a sleep of the machine, which its own count lacks', 90, 20, 10],
    ['a clock that is set back', -9 * AN_HOUR, 20, 80],
    ['a clock that is set forward', 9 * AN_HOUR, 20, -1],
  ])('after %s', (_, onTheClock, passed, left) => {
    const clock = { ...realClock, now: () => 1000, passed: () => 0 };
    const of = leftUntil(1100, clock);
    expect(of()).toBe(100);
    clock.now = () => 1000 + onTheClock;
    clock.passed = () => passed;
    expect(Math.max(-1, of())).toBe(left);
  });
});

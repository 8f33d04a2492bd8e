import { expect, it, onTestFinished, vi } from 'vitest';
import { keepLooking, orDismiss } from './watcher.ts';

const watcherOf = (said: string[]) => ({
  watch: (leader: number) => void said.push(`watch ${leader}`),
  dismiss: () => void said.push('dismissed'),
});

it('a start that throws leaves no watcher behind', () => {
  const said: string[] = [];
  const start = (): never => {
    throw new Error('ENOSPC');
  };
  expect(() => orDismiss(watcherOf(said), start)).toThrow('ENOSPC');
  expect(said).toEqual(['dismissed']);
});

it('one that does not is watched on', () => {
  const said: string[] = [];
  expect(orDismiss(watcherOf(said), () => 7)).toBe(7);
  expect(said).toEqual([]);
});

/** A family that notes when it was looked at; looking takes as long as it is given. */
function lookedAt(takesMs: number) {
  vi.useFakeTimers({ now: 0 });
  onTestFinished(() => void vi.useRealTimers());
  const times: number[] = [];
  const look = () => {
    times.push(Date.now());
    vi.setSystemTime(Date.now() + takesMs);
    return [];
  };
  return { times, family: { look, end: async () => {} } };
}

it('a family is looked at soon, and then every second until it is enough', () => {
  const { times, family } = lookedAt(0);
  const enough = keepLooking(family);
  expect(times).toEqual([]);
  vi.advanceTimersByTime(199);
  expect(times).toEqual([]);
  vi.advanceTimersByTime(2001);
  expect(times).toEqual([200, 1200, 2200]);
  enough();
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(5000);
  expect(times).toHaveLength(3);
});

it('it is looked at as often as one likes, but no more than a twentieth of the time', () => {
  const quick = lookedAt(0);
  keepLooking(quick.family, 50);
  vi.advanceTimersByTime(300);
  expect(quick.times).toEqual([200, 250, 300]);
  const slow = lookedAt(100);
  keepLooking(slow.family, 50);
  vi.advanceTimersByTime(200);
  expect(slow.times).toEqual([200]);
  vi.advanceTimersByTime(1999);
  expect(slow.times).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(slow.times).toHaveLength(2);
});

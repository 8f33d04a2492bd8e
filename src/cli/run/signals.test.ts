import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Bell } from '../../driver/clock.ts';
import type { Said } from '../../driver/report.ts';
import type { Shown } from './show.ts';
import { catchSignals } from './signals.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

let said: (Said | string)[];
let asked: Bell;
let streams: (() => void)[];
const shown: Shown = {
  say: (each) => void said.push(each),
  line: (text) => void said.push(text),
  ...{ now: () => {}, object: () => {}, done: () => {} },
};

beforeEach(() => {
  said = [];
  asked = new Bell();
  // What this process has of its own is put back.
  streams = [process.stdout, process.stderr].map((stream) => {
    const before = stream.listeners('error') as (() => void)[];
    return () => {
      stream.removeAllListeners('error');
      for (const listener of before) stream.on('error', listener);
    };
  });
});
afterEach(() => {
  for (const putBack of streams) putBack();
  vi.restoreAllMocks();
});

const listenersNow = (): number[] => SIGNALS.map((signal) => process.listenerCount(signal));

/** Nothing but our own listener hears of it. */
function sent(signal: (typeof SIGNALS)[number]): void {
  const listener = process.listeners(signal).at(-1);
  listener?.(signal);
}

it.each(SIGNALS)('%s once asks the driver to end, and twice ends everything', (signal) => {
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  const before = listenersNow();
  const signals = catchSignals(asked, shown, () => 'holdfast run --continue idle:a');
  try {
    expect(listenersNow()).toEqual(before.map((count) => count + 1));
    expect(asked.rung).toBe(false);
    sent(signal);
    expect(asked.rung).toBe(true);
    expect(said).toEqual([{ event: 'asked-to-end', again: false }]);
    expect(exit).not.toHaveBeenCalled();
    sent(signal);
    expect(said.slice(1)).toEqual([
      { event: 'asked-to-end', again: true },
      { event: 'left', command: 'holdfast run --continue idle:a' },
      'To go on: holdfast run --continue idle:a',
    ]);
    expect(exit.mock.calls).toEqual([[5]]);
  } finally {
    signals.forget();
  }
  expect(listenersNow()).toEqual(before);
});

it.each(['stdout', 'stderr'] as const)('whoever no longer reads %s asks the driver to end', (name) => {
  const stream = process[name];
  const other = vi.fn();
  stream.on('error', other);
  const signals = catchSignals(asked, shown, () => '');
  signals.forget();
  expect(stream.listenerCount('error')).toBe(1);
  expect(asked.rung).toBe(false);
  stream.emit('error', new Error('EPIPE'));
  expect(asked.rung).toBe(true);
  // What other commands do there, to end with 0, is not done.
  expect(other).not.toHaveBeenCalled();
  expect(said).toEqual([]);
});

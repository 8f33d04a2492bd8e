import { expect, it } from 'vitest';
import { Pauses } from './pauses.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
const listening = (): number[] => SIGNALS.map((signal) => process.listenerCount(signal));

/** Nothing but the listener that was added last hears of it. */
function sent(signal: (typeof SIGNALS)[number]): void {
  process.listeners(signal).at(-1)?.(signal);
}

it('a pause that nobody cuts short is a whole one', async () => {
  const pauses = new Pauses();
  expect(await pauses.pause(1)).toBe(true);
  expect(pauses.isOver).toBe(false);
  pauses.end();
});

it.each(SIGNALS)('%s cuts a pause short, and those after it', async (signal) => {
  const before = listening();
  const pauses = new Pauses();
  expect(listening()).toEqual(before.map((count) => count + 1));
  const paused = pauses.pause(3_600_000);
  sent(signal);
  expect(await paused).toBe(false);
  expect(pauses.isOver).toBe(true);
  expect(await pauses.pause(3_600_000)).toBe(false);
  // A second signal ends the process as it likes.
  expect(listening()).toEqual(before);
});

it('a signal that comes between two pauses ends the next before it begins', async () => {
  const pauses = new Pauses();
  await pauses.pause(1);
  sent('SIGINT');
  expect(await pauses.pause(3_600_000)).toBe(false);
});

it('after its end no signal is caught', () => {
  const before = listening();
  new Pauses().end();
  expect(listening()).toEqual(before);
});

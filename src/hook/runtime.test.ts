import { afterEach, expect, it } from 'vitest';
import { runtimeHere } from './runtime.ts';

afterEach(() => {
  process.removeAllListeners('SIGTERM');
  process.removeAllListeners('SIGINT');
});

it('tells a review that the hook must end, and one that begins afterwards at once', () => {
  const notified: string[] = [];
  const { whenAskedToEnd } = runtimeHere();

  whenAskedToEnd(() => notified.push('first'));
  expect(notified).toEqual([]);
  process.emit('SIGTERM');
  expect(notified).toEqual(['first']);

  whenAskedToEnd(() => notified.push('second'));
  expect(notified).toEqual(['first', 'second']);
});

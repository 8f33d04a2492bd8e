import { afterEach, expect, it } from 'vitest';
import { runtimeHere } from './runtime.ts';

afterEach(() => {
  process.removeAllListeners('SIGTERM');
  process.removeAllListeners('SIGINT');
});

it('tells a review that the hook must end, and one that begins afterwards at once', () => {
  const told: string[] = [];
  const { whenAskedToEnd } = runtimeHere();

  whenAskedToEnd(() => told.push('first'));
  expect(told).toEqual([]);
  process.emit('SIGTERM');
  expect(told).toEqual(['first']);

  whenAskedToEnd(() => told.push('second'));
  expect(told).toEqual(['first', 'second']);
});

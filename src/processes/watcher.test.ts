import { expect, it } from 'vitest';
import { orDismiss } from './watcher.ts';

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

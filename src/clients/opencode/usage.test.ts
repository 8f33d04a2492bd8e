import { describe, expect, it } from 'vitest';
import type { Stop } from '../stop.ts';
import type { LineUsage } from '../usage.ts';
import { usage } from './usage.ts';

const stop: Stop = {
  ...{ client: 'opencode', session: null, turn: null, cwd: null, transcriptPath: null },
  ...{ lastMessage: null, planMode: false, backgroundTasks: [] },
};

it('the tokens of opencode stand in its one transcript, each step by itself', () => {
  expect(usage.totals).toBe(false);
  expect(usage.files(stop)).toEqual([]);
  expect(usage.files({ ...stop, transcriptPath: '/t' })).toEqual(['/t']);
});

it.each<[string, number | null]>([
  ['{"at":"1970-01-01T00:00:01Z"}', 1000],
  ['{"at":"1970-01-01T00:00:00Z"}', 0],
  ['{}', null],
  ['no json', null],
])('the line %s was written at %s', (line, time) => {
  expect(usage.timeOf(line)).toBe(time);
});

describe('the tokens of a step', () => {
  const step = (tokens: unknown, more: object = {}): string =>
    JSON.stringify({ opencode: 1, id: 's', tokens, ...more });
  const used = (tokens: number, cacheRead: number, at: number | null = null): LineUsage => ({
    ...{ kind: 'message', id: 's', tokens, cacheRead, at },
  });
  it.each<[string, LineUsage | null]>([
    [
      step({ input: 1, output: 20, reasoning: 300, cache: { read: 4000, write: 50_000 } }),
      used(50_321, 4000),
    ],
    [step({}), used(0, 0)],
    [step({ input: 1, cache: 7 }), used(1, 0)],
    [step({ input: 1 }, { at: '1970-01-01T00:00:01Z' }), used(1, 0, 1000)],
    [step(null), null],
    [step({}, { id: '' }), null],
    [step({}, { opencode: 2 }), null],
    [step({}).replace('tokens', 'other'), null],
    ['"tokens"', null],
  ])('%s', (line, expected) => {
    expect(usage.read(line)).toEqual(expected);
  });
});

import { describe, expect, it } from 'vitest';
import { objectField } from './fields.ts';
import type { Stop } from './stop.ts';
import type { LineUsage } from './usage.ts';
import { usageByLine } from './usage-by-line.ts';

const usage = usageByLine({
  sign: '"used"',
  id: 'name',
  usedIn: (entry) => (entry.type === 'answer' ? objectField(entry, 'used') : null),
  ...{ input: 'in', cached: 'read', output: ['out', 'thought'] },
});
const stop: Stop = {
  ...{ client: 'x', session: null, turn: null, cwd: null, transcriptPath: null },
  ...{ lastMessage: null, planMode: false, backgroundTasks: [] },
};

it('a transcript that has each answer in a line is the one file, without totals', () => {
  expect(usage.totals).toBe(false);
  expect(usage.files(stop)).toEqual([]);
  expect(usage.files({ ...stop, transcriptPath: '/t' })).toEqual(['/t']);
});

it.each<[string, number | null]>([
  ['{"timestamp":"1970-01-01T00:00:01Z"}', 1000],
  ['{"timestamp":"1970-01-01T00:00:00Z"}', 0],
  ['{}', null],
  ['no json', null],
])('the line %s was written at %s', (line, time) => {
  expect(usage.timeOf(line)).toBe(time);
});

describe('the tokens of an answer', () => {
  const answer = (used: unknown, more: object = {}): string =>
    JSON.stringify({ type: 'answer', name: 'a', used, ...more });
  const read = (tokens: number, cacheRead: number, at: number | null = null): LineUsage => ({
    ...{ kind: 'message', id: 'a', tokens, cacheRead, at },
  });

  it.each<[string, LineUsage | null]>([
    [answer({ in: 10, read: 4, out: 3, thought: 2 }), read(11, 4)],
    [answer({ in: 4, read: 4, out: 3 }), read(3, 4)],
    [answer({ in: 3, read: 4, out: 3 }), read(3, 4)],
    [answer({ in: 10 }), read(10, 0)],
    [answer({}), read(0, 0)],
    [answer({ in: -1, read: '4', out: 1.5 }), read(0, 0)],
    [answer({ in: 1 }, { timestamp: '1970-01-01T00:00:01Z' }), read(1, 0, 1000)],
    [answer({ in: 1 }, { name: '' }), null],
    [answer({ in: 1 }, { type: 'other' }), null],
    [answer(null), null],
    [answer({ in: 1 }).replace('used', 'spent'), null],
    ['"used"', null],
  ])('%s', (line, expected) => {
    expect(usage.read(line)).toEqual(expected);
  });

  it('are not looked for in a line without the sign', () => {
    const blind = usageByLine({
      sign: '"sign"',
      id: 'name',
      usedIn: (entry) => entry,
      input: 'in',
      cached: 'c',
      output: [],
    });
    expect(blind.read('{"name":"a","in":1}')).toBeNull();
    expect(blind.read('{"name":"a","in":1,"sign":0}')).toEqual(read(1, 0));
  });
});

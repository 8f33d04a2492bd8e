import { expect, it } from 'vitest';
import type { Json } from '../../store/json.ts';
import { readRecordedWait } from './recorded.ts';

const WAITING = { for: 'person', since: 0, until: null, what: '' };
const QUESTION = { now: 5, step: 'hold', waiting: WAITING, work: null, answered: null, limits: { work: 60 } };
const read = (more: object) => readRecordedWait({ ...QUESTION, result: 'waits', ...more } as Json);

it.each([
  ...[{}, { step: 'review' }, { step: 'prove' }, { answered: 'yes' }, { waiting: null, work: 'work' }],
  ...[{ for: 'work' }, { for: 'limit', reviewer: 'critic' }, { until: 1e300 }, { since: 8e15 }].map(within),
  ...[{ shown: null }, { shown: { marker: null, turn: 't' } }, { pause: true }, { capped: true }].map(within),
])('a wait in the journal is read: %j', (more) => {
  expect(read(more)).toEqual({ question: { ...QUESTION, ...more }, result: 'waits' });
});

it.each([
  ...[
    { now: -1 },
    { step: 'look' },
    { work: 1 },
    { answered: 'maybe' },
    { limits: { work: -1 } },
    { result: 'holds' },
  ],
  ...[{ for: 'rain' }, { until: 'x' }, { what: 1 }, { shown: {} }, { reviewer: 1 }].map(within),
  ...[{ pause: false }, { capped: false }, { since: -1 }, { since: 8e15 + 1 }].map(within),
])('a line that says %j has none', (more) => {
  expect([read(more), readRecordedWait(undefined)]).toEqual([null, null]);
});

function within(more: object): object {
  return { waiting: { ...WAITING, ...more } };
}

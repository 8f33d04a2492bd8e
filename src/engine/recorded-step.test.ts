import { expect, it } from 'vitest';
import { readRecordedStep } from './recorded-step.ts';

const message = { name: 'go-on', slots: { left: 9, who: 'you' } };
const notice = { name: 'look', slots: {} };

it.each<[object, object]>([
  [{}, { said: null, change: {} }],
  [{ message, notice }, { said: message }],
  [{ message: {}, notice }, { said: notice }],
  [{ change: { to: 'done' } }, { change: { to: 'done' } }],
  [{ change: 'done' }, { change: {} }],
  ...[{ slots: {} }, { name: 'a', slots: 'b' }, 'go on'].map((broken): [object, object] => [
    { message: broken },
    { said: null },
  ]),
  [
    { message: { name: 'a', slots: { b: 'c', d: 1, e: null, f: ['g'] } } },
    { said: { name: 'a', slots: { b: 'c', d: 1 } } },
  ],
])('a step in the journal is read: %j', (step, read) => {
  expect(readRecordedStep({ kind: 'hold', ...step })).toMatchObject({ kind: 'hold', ...read });
});

it.each([null, 'allow', [], {}, { kind: 1 }])('%j is none', (step) => {
  expect(readRecordedStep(step)).toBeNull();
});

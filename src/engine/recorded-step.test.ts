import { expect, it } from 'vitest';
import { readRecordedStep } from './recorded-step.ts';

const message = { name: 'go-on', slots: { left: 9, who: 'you' } };
const notice = { name: 'look', slots: {} };

it.each<[string, unknown, unknown]>([
  ['its kind alone', { kind: 'allow' }, { kind: 'allow', said: null, change: {} }],
  ['what the agent was told', { kind: 'hold', message }, { kind: 'hold', said: message, change: {} }],
  ['what the user was told', { kind: 'allow', notice }, { kind: 'allow', said: notice, change: {} }],
  ['the agent’s before the user’s', { kind: 'hold', message, notice }, { said: message }],
  ['the user’s where the agent’s is broken', { kind: 'hold', message: {}, notice }, { said: notice }],
  ['its change', { kind: 'allow', change: { to: 'done' } }, { change: { to: 'done' } }],
  ['no change that is no object', { kind: 'allow', change: 'done' }, { change: {} }],
  ['no message without a name', { kind: 'hold', message: { slots: {} } }, { said: null }],
  ['no message without slots', { kind: 'hold', message: { name: 'a', slots: 'b' } }, { said: null }],
  ['no message that is text', { kind: 'hold', message: 'go on' }, { said: null }],
  [
    'only slots that are words or numbers',
    { kind: 'hold', message: { name: 'a', slots: { b: 'c', d: 1, e: null, f: ['g'], h: true } } },
    { said: { name: 'a', slots: { b: 'c', d: 1 } } },
  ],
])('a recorded step is read with %s', (_, step, read) => {
  expect(readRecordedStep(step)).toMatchObject(read as object);
});

it.each([null, 'allow', 1, [], {}, { kind: 1 }, { kind: null, message }])(
  '%j is no recorded step',
  (step) => {
    expect(readRecordedStep(step)).toBeNull();
  },
);

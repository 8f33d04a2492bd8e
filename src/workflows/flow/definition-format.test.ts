// A definition as it is written and read again; whatever is not quite one is none.

import { describe, expect, it } from 'vitest';
import { readDefinition, writeDefinition } from './definition-format.ts';
import type { Definition } from './types.ts';

const WHOLE = {
  schema: 1,
  flow: 'sample',
  about: 'All of it.',
  holds: 7,
  start: 'work',
  states: {
    work: {
      kind: 'work',
      say: 'Do it',
      leave: [
        {
          when: [
            { kind: 'visits', least: 2 },
            { kind: 'signal', name: 'done' },
            { kind: 'file', glob: 'a', is: 'exists' },
            { kind: 'check', name: 'test', is: 'passed' },
            { kind: 'review', name: 'critic', is: 'clean' },
          ],
          to: 'finished',
        },
      ],
      holds: 3,
      otherwise: 'rest',
    },
    rest: { kind: 'pause', say: 'Wait', leave: [{ when: [], to: 'work' }] },
    finished: { kind: 'end', end: 'completed', say: 'Done' },
  },
  reviews: { critic: { prompt: 'Look', files: ['src/**'] } },
} satisfies Definition;

/** With another value at a path (`states.work.holds`); undefined leaves the key out. */
function withValue(path: string, value: unknown): string {
  const copy: unknown = structuredClone(WHOLE);
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  let table = copy as Record<string, unknown>;
  for (const key of keys) table = table[key] as Record<string, unknown>;
  table[last] = value;
  return JSON.stringify(copy);
}

describe('a definition', () => {
  it('is written on one line and read as it was', () => {
    const text = writeDefinition(WHOLE);
    expect(text).toBe(`${JSON.stringify(WHOLE)}\n`);
    expect(readDefinition(text)).toEqual(WHOLE);
  });

  const WHEN = 'states.work.leave.0.when';
  const good: [string, unknown][] = [
    ['about', null],
    ['holds', 0],
    ['states', {}],
    ['reviews', {}],
    ['states.work.leave', []],
    ['states.work.holds', null],
    ['states.work.otherwise', null],
    ['states.rest.say', null],
    ['states.rest.leave', []],
    ['states.finished.say', null],
    ['states.finished.end', 'let-go'],
    [`${WHEN}.2.is`, 'missing'],
    [`${WHEN}.2.is`, 'changed'],
    [`${WHEN}.3.is`, 'failed'],
    [`${WHEN}.4.is`, 'findings'],
    [`${WHEN}.0.least`, 0],
    ['reviews.critic.files', []],
  ];
  it.each(good)('may have at %s %j', (path, value) => {
    const text = withValue(path, value);
    expect(readDefinition(text)).toEqual(JSON.parse(text));
  });

  const bad: [string, ...unknown[]][] = [
    ['schema', 2, '1', undefined],
    ['flow', 3, null, undefined],
    ['about', 3, undefined],
    ['holds', -1, 1.5, '7', null, undefined],
    ['start', null, 3, undefined],
    ['states', null, [], undefined, { work: null }, { work: {} }],
    ['reviews', null, [], undefined, { critic: null }],
    ['reviews.critic.prompt', null, 3, undefined],
    ['reviews.critic.files', null, 'src', [3], undefined],
    ['states.work.kind', 'other', undefined, 'Work', 'end'],
    ['states.work.say', null, 3, undefined],
    ['states.work.leave', null, {}, [null], undefined],
    ['states.work.holds', -1, '3', undefined],
    ['states.work.otherwise', 3, undefined],
    ['states.work.leave.0.to', null, 3, undefined],
    ['states.work.leave.0.when', null, {}, [null], [{}], [{ kind: 'other' }], undefined],
    ['states.rest.kind', 'rest', 'work', 'end'],
    ['states.rest.say', 3, undefined],
    ['states.rest.leave', null, [{ to: 'work' }], undefined],
    ['states.finished.kind', 'ended', 'pause', 'work', undefined],
    ['states.finished.end', 'stuck', null, undefined],
    ['states.finished.say', 3, undefined],
    [`${WHEN}.0.kind`, 'visit', 'signal', undefined],
    [`${WHEN}.0.least`, -1, '2', null, undefined],
    [`${WHEN}.1.kind`, 'sign', 'visits', 'file', undefined],
    [`${WHEN}.1.name`, null, 3, undefined],
    [`${WHEN}.2.kind`, 'files', 'check', undefined],
    [`${WHEN}.2.glob`, null, 3, undefined],
    [`${WHEN}.2.is`, 'passed', null, undefined],
    [`${WHEN}.3.kind`, 'checks', 'review', 'file', undefined],
    [`${WHEN}.3.name`, null, 3, undefined],
    [`${WHEN}.3.is`, 'clean', 'exists', null, undefined],
    [`${WHEN}.4.kind`, 'reviews', 'check', 'file', undefined],
    [`${WHEN}.4.name`, null, 3, undefined],
    [`${WHEN}.4.is`, 'passed', 'failed', null, undefined],
  ];
  it.each(bad)('is none with something else at %s', (path, ...values) => {
    for (const value of values) expect(readDefinition(withValue(path, value)), `${value}`).toBe(null);
  });

  it.each(['', 'null', '[]', '3', '{', '{}', '"flow"'])('is not %j', (text) => {
    expect(readDefinition(text)).toBe(null);
  });
});

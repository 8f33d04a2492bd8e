// Records of schema 1 in today's form. What was broken stays so: nothing is checked here.

import { describe, expect, it } from 'vitest';
import { fromSchema1, guardMemoryFromSchema1, OLD_NOTIFIED } from './old-records.ts';

describe('a record of schema 1', () => {
  it.each([
    ['nothing but its number changes', { schema: 1, run: 'a' }, { schema: 2, run: 'a' }],
    [
      'its one review is the first of its works',
      { attempt: { id: 'x' } },
      { attempts: [{ id: 'x', work: 'review' }] },
    ],
    ['no review is no work', { attempt: null }, { attempts: [] }],
    ['a broken review stays broken', { attempt: 'x' }, { attempts: 'x' }],
    ['the workflow’s own part is what is saved', { own: [1] }, { saved: [1] }],
    ['also where that is null', { own: null }, { saved: null }],
    ['what was told is what was notified', { told: ['b'] }, { notified: ['b'] }],
    ['an empty guard stays empty', { guard: {} }, { guard: {} }],
    ['a broken guard stays broken', { guard: [1] }, { guard: [1] }],
    ['a broken memory stays broken', { guard: { s: 7 } }, { guard: { s: 7 } }],
    [
      'each session’s memory has today’s words',
      { guard: { s: { held: true, still: 1, unmoved: 2, unknown: 3, told: 'n' } } },
      { guard: { s: { held: true, noProgress: 1, noTools: 2, toolsUnknown: 3, notified: 'n' } } },
    ],
  ])('%s', (_, old, today) => {
    expect(fromSchema1(old)).toStrictEqual({ schema: 2, ...today });
  });

  it('has its work called a review whatever it was called', () => {
    expect(fromSchema1({ attempt: { work: 'check' } })).toEqual({
      schema: 2,
      attempts: [{ work: 'review' }],
    });
  });
});

it('a memory without counts has none in today’s words either', () => {
  expect(guardMemoryFromSchema1({ held: false })).toStrictEqual({
    ...{ held: false, noProgress: undefined, noTools: undefined, toolsUnknown: undefined },
    notified: undefined,
  });
});

it('the old marks of what was shown are found by how their names began', () => {
  expect(OLD_NOTIFIED).toBe('told-');
});

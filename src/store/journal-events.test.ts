// The journal's lines about what happens between stops, as they are read.

import { describe, expect, it, test } from 'vitest';
import { readOther } from './journal-events.ts';

const ABOUT = { schema: 2, time: '2026-01-31T09:30:00Z', session: null, workflow: 'toy', run: 'a' };

describe('work', () => {
  const began = { ...ABOUT, event: 'work', attempt: 'a1', work: 'review', name: 'opus', what: 'began' };
  const ended = {
    ...ABOUT,
    event: 'work',
    attempt: 'a1',
    work: 'check',
    name: 'test',
    what: 'ended',
    end: 'failed',
  };

  test.each([
    ['a text stays', 'soon', 'soon'],
    ['none is null', undefined, null],
    ['null stays', null, null],
    ['a number is null', 5, null],
  ])('that began has a deadline: %s', (_, given, deadline) => {
    expect(readOther({ ...began, deadline: given })).toEqual({ ...began, deadline });
  });

  test.each([
    [1, 2.5, 1, 2.5],
    [0, 0, 0, 0],
    [undefined, undefined, null, null],
    [null, null, null, null],
    ['1', '2', null, null],
    [Number.POSITIVE_INFINITY, Number.NaN, null, null],
  ])('that ended with %s after %s has them as numbers or null', (given, took, code, milliseconds) => {
    expect(readOther({ ...ended, code: given, milliseconds: took })).toEqual({
      ...ended,
      code,
      milliseconds,
    });
  });

  test.each([
    ['neither review nor check', { ...began, work: 'dance' }],
    ['no kind', { ...began, work: undefined }],
    ['an attempt that is a number', { ...began, attempt: 1 }],
    ['no attempt', { ...began, attempt: undefined }],
    ['no name', { ...began, name: undefined }],
    ['an end that is no text', { ...ended, end: 1 }],
    ['another word for what happened, with an end', { ...ended, what: 'paused' }],
    ['nothing that happened', { ...began, what: undefined }],
  ])('with %s says nothing', (_, line) => {
    expect(readOther(line)).toBeNull();
  });
});

describe('a wait', () => {
  const wait = { ...ABOUT, event: 'wait', what: 'began', for: 'work', until: 'noon' };

  test.each(['work', 'person', 'limit'])('for %s is read at its beginning and its end', (of) => {
    for (const what of ['began', 'ended'])
      expect(readOther({ ...wait, what, for: of })).toEqual({ ...wait, what, for: of });
  });

  test.each([[undefined], [null], [7]])('until %j has no end that is known', (until) => {
    expect(readOther({ ...wait, until })).toStrictEqual({ ...wait, until: null });
  });

  it('says whose limit it is, where that is a text', () => {
    expect(readOther({ ...wait, reviewer: 'codex' })).toStrictEqual({ ...wait, reviewer: 'codex' });
    expect(readOther({ ...wait, reviewer: 7 })).toStrictEqual(wait);
  });

  test.each([{ for: 'luck' }, { for: undefined }, { what: 'asked' }, { what: undefined }])(
    'with %j says nothing',
    (part) => {
      expect(readOther({ ...wait, ...part })).toBeNull();
    },
  );
});

describe('a question', () => {
  const question = { ...ABOUT, event: 'question' };

  test.each(['asked', 'answered'])('that was %s is read', (what) => {
    expect(readOther({ ...question, what })).toEqual({ ...question, what });
  });

  test.each(['began', undefined, 1])('with %j says nothing', (what) => {
    expect(readOther({ ...question, what })).toBeNull();
  });
});

describe('a notification that failed', () => {
  const notify = { ...ABOUT, event: 'notify', what: 'failed', on: 'ended', by: 'run', why: 'exit code 1' };

  it('is read with all of its words', () => {
    expect(readOther(notify)).toEqual(notify);
  });

  test.each(['what', 'on', 'by', 'why'])('without a text for %s says nothing', (key) => {
    expect(readOther({ ...notify, [key]: 1 })).toBeNull();
    expect(readOther({ ...notify, [key]: undefined })).toBeNull();
  });
});

test.each(['stop', 'review', '', undefined, 1])('a line of the event %j is none of these', (event) => {
  const all = {
    attempt: 'a1',
    work: 'review',
    name: 'x',
    what: 'began',
    for: 'work',
    on: '',
    by: '',
    why: '',
  };
  expect(readOther({ ...ABOUT, ...all, event })).toBeNull();
});

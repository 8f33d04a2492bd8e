import { describe, expect, it } from 'vitest';
import type { JournalEntry, ReviewEntry, StopEntry } from '../store/journal-lines.ts';
import { describeEvent, stepOf } from './describe-event.ts';

type Event = Exclude<JournalEntry, StopEntry>;
const line = {
  schema: 2,
  time: '2026-11-17T09:00:00.000Z',
  session: null,
  workflow: 'toy',
  run: 'a',
} as const;
const limits = { tokens: 2_000_000, timeMs: null, reviews: 3, usd: null };
const review: ReviewEntry = {
  ...{ ...line, event: 'review', attempt: 'x', reviewer: 'codex', model: 'm', file: 'r-1.md' },
  ...{ verdict: 'clean', usd: null, tokens: null, milliseconds: null },
};
const ended = { ...line, event: 'work', attempt: 'x', work: 'check', name: 'test', what: 'ended' } as const;
const waits = { ...line, event: 'wait', what: 'began', until: null } as const;
const drive = { ...line, event: 'drive', what: 'began' } as const;

describe('what happened to a run, in words', () => {
  it.each<[Event, string]>([
    [{ ...line, event: 'start' }, 'started in a terminal'],
    [{ ...line, event: 'adopt', session: '0b5d6c1e-1111' }, 'adopted in session 0b5d6c1e'],
    [{ ...line, event: 'cancel' }, 'cancelled in a terminal'],
    [{ ...line, event: 'end', outcome: null }, 'ended, how is not on record'],
    [{ ...line, event: 'end', outcome: 'paused' }, 'paused: its budget is spent'],
    [{ ...line, event: 'end', outcome: 'completed', proof: 'proven' }, 'done and proven'],
    [
      { ...line, event: 'end', outcome: null, proof: 'unproven', why: ['untrusted', 'failed'] },
      'done, unproven (not trusted, failed)',
    ],
    [{ ...line, event: 'budget', what: 'set', limits }, 'it may spend 2M tokens, 3 reviews'],
    [
      { ...line, event: 'budget', what: 'spent', limits },
      'what it may spend is spent (2M tokens, 3 reviews)',
    ],
    [
      { ...line, event: 'budget', what: 'raised', limits },
      'more was granted: it may spend 2M tokens, 3 reviews in all',
    ],
    [{ ...line, event: 'question', what: 'asked' }, 'its agent asked you something'],
    [{ ...line, event: 'question', what: 'answered' }, 'its question was answered'],
    [
      { ...line, event: 'notify', what: 'failed', by: 'a\nbell', on: 'needs\tyou', why: 'no\u001b such' },
      'nobody was called by a bell about needs you: no such',
    ],
    [
      {
        ...line,
        event: 'notify',
        what: 'failed',
        by: 'b'.repeat(61),
        on: 'o'.repeat(41),
        why: 'w'.repeat(201),
      },
      `nobody was called by ${'b'.repeat(59)}… about ${'o'.repeat(39)}…: ${'w'.repeat(199)}…`,
    ],
    [
      {
        ...line,
        event: 'notify',
        what: 'failed',
        by: 'b'.repeat(60),
        on: 'o'.repeat(40),
        why: 'w'.repeat(200),
      },
      `nobody was called by ${'b'.repeat(60)} about ${'o'.repeat(40)}: ${'w'.repeat(200)}`,
    ],
  ])('%#', (entry, words) => {
    expect(describeEvent(entry)).toBe(words);
  });

  it.each<[Event, string]>([
    [
      { ...line, event: 'work', attempt: 'x', work: 'review', name: 'codex', what: 'began', deadline: null },
      'the review codex began',
    ],
    [{ ...ended, end: 'passed', code: 0, milliseconds: 1499 }, 'the check test: passed after 1 s'],
    [
      { ...ended, end: 'failed', code: 1, milliseconds: 1500 },
      'the check test: failed after 2 s, exit code 1',
    ],
    [{ ...ended, end: 'cannot-run', code: null, milliseconds: null }, 'the check test: cannot-run'],
    [{ ...ended, end: 'failed', code: -1, milliseconds: null }, 'the check test: failed, exit code -1'],
    [
      { ...ended, name: 'n'.repeat(121), end: 'e'.repeat(41), code: null, milliseconds: 0 },
      `the check ${'n'.repeat(119)}…: ${'e'.repeat(39)}… after 0 s`,
    ],
    [
      { ...ended, name: 'n'.repeat(120), end: 'e'.repeat(40), code: null, milliseconds: null },
      `the check ${'n'.repeat(120)}: ${'e'.repeat(40)}`,
    ],
  ])('of work: %#', (entry, words) => {
    expect(describeEvent(entry)).toBe(words);
  });

  it.each<[Event, string]>([
    [{ ...waits, for: 'work' }, 'it waits for what runs in the background'],
    [{ ...waits, for: 'person', until: 'noon' }, 'it waits for you, until noon at the latest'],
    [{ ...waits, for: 'limit' }, 'it waits for a limit'],
    [{ ...waits, for: 'limit', reviewer: 'codex' }, 'it waits for a limit of codex'],
    [{ ...waits, for: 'limit', reviewer: 'c'.repeat(41) }, `it waits for a limit of ${'c'.repeat(39)}…`],
    [{ ...waits, for: 'limit', reviewer: 'c'.repeat(40) }, `it waits for a limit of ${'c'.repeat(40)}`],
    [{ ...waits, what: 'ended', for: 'person', until: 'noon' }, 'it no longer waits for you'],
    [{ ...waits, what: 'ended', for: 'limit', reviewer: 'codex' }, 'it no longer waits for a limit of codex'],
  ])('of a wait: %#', (entry, words) => {
    expect(describeEvent(entry)).toBe(words);
  });

  it.each<[Event, string]>([
    [drive, '`holdfast run` began'],
    [{ ...drive, what: 'client-began' }, 'its client began'],
    [{ ...drive, what: 'client-ended', why: 'code 1' }, 'its client ended (code 1)'],
    [{ ...drive, what: 'waits', until: 'noon' }, 'it waits until noon'],
    [{ ...drive, what: 'waits', until: 'noon', why: 'limit' }, 'it waits until noon (limit)'],
    [{ ...drive, what: 'left' }, '`holdfast run` was ended'],
    [{ ...drive, what: 'finished' }, '`holdfast run` is done'],
    [{ ...drive, what: 'flew' as 'left' }, 'flew'],
    [{ ...drive, what: 'toString' as 'left' }, 'toString'],
  ])('of `holdfast run`: %#', (entry, words) => {
    expect(describeEvent(entry)).toBe(words);
  });

  it.each<[Event, string]>([
    [review, 'codex/m for r-1.md, clean'],
    [{ ...review, verdict: 'findings' }, 'codex/m for r-1.md, findings'],
    [{ ...review, verdict: 'none' }, 'codex/m for r-1.md, no verdict'],
    [{ ...review, verdict: 'failed' }, 'codex/m for r-1.md, it failed'],
    [{ ...review, verdict: null }, 'codex/m for r-1.md, no verdict'],
    [{ ...review, verdict: 'nonsense' }, 'codex/m for r-1.md, no verdict'],
    [{ ...review, usd: 0.09999 }, 'codex/m for r-1.md, clean, $0.1000'],
    [{ ...review, usd: 0.1 }, 'codex/m for r-1.md, clean, $0.10'],
    [{ ...review, usd: 0 }, 'codex/m for r-1.md, clean, $0.0000'],
    [{ ...review, milliseconds: 1500 }, 'codex/m for r-1.md, clean, 2 s'],
    [{ ...review, milliseconds: 0 }, 'codex/m for r-1.md, clean, 0 s'],
    [
      {
        ...review,
        usd: 2,
        tokens: { input: 1, cacheCreation: 20, cacheRead: 300, output: 7 },
        milliseconds: 61_000,
      },
      'codex/m for r-1.md, clean, $2.00, 321 tokens in, 7 out, 61 s',
    ],
  ])('of a review: %#', (entry, words) => {
    expect(describeEvent(entry)).toBe(words);
  });
});

describe('a stop’s step in a word', () => {
  it.each([
    [null, ''],
    ['hold', ''],
    [{}, ''],
    [{ kind: 'hold' }, 'hold'],
    [{ kind: 'hold', message: { name: 'go-on' } }, 'go-on'],
    [{ kind: 'allow', notice: { name: 'over' } }, 'over'],
    [{ kind: 'allow', message: { name: 'first' }, notice: { name: 'second' } }, 'first'],
    [{ kind: 'allow', message: null, notice: { name: 'second' } }, 'allow'],
    [{ kind: 'allow', message: 'text' }, 'allow'],
    [{ kind: 'allow', message: {} }, 'allow'],
    [{ kind: 7 }, '7'],
    [{ kind: 'x', message: { name: { toString: 1 } } }, '{"toString":1}'],
  ])('%j is "%s"', (step, word) => {
    expect(stepOf({ step } as unknown as StopEntry)).toBe(word);
  });
});

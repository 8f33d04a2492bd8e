import { expect, it } from 'vitest';
import { eventsIn } from './event-lines.ts';
import { findReviewer, reviewers } from './index.ts';
import { describeNoVerdict } from './no-verdict.ts';
import { programs } from './programs.ts';
import { addTokens, tokenCount } from './read-spend.ts';
import type { NoVerdict } from './verdict.ts';

it('finds the reviewers there are, and says which one is not', async () => {
  for (const { name } of programs) expect((await findReviewer(name)).name).toBe(name);
  expect(programs.map(({ name }) => name)).toEqual(reviewers.map(({ name }) => name));
  await expect(findReviewer('nobody')).rejects.toThrow('there is no reviewer called nobody');
});

it.each<[NoVerdict['kind'], NoVerdict['code'], string]>([
  [
    'missing',
    null,
    '`claude` was not found on PATH, so no review ran; install it with `npm install -g @anthropic-ai/claude-code`',
  ],
  ['not-logged-in', null, '`claude` is not logged in; run `claude` in a terminal and log in'],
  ['timed-out', null, 'it was ended at our deadline (review.timeout in holdfast.config.json)'],
  ['too-much-output', null, 'it printed more than unknown MB, which is not read'],
  ['no-file', null, 'it gave a verdict but wrote no review file'],
  ['no-verdict', null, 'it ran to its end but gave no verdict'],
  ['usage-limit', 0, 'the usage limit of its account is reached; it ends at 1970-01-01 00:00 UTC'],
  ['api-error', 0, 'its API refused the request (status 0)'],
  ['api-error', 529, 'its API refused the request (status 529)'],
  ['api-error', null, 'its API refused the request (status unknown)'],
  ['usage-limit', null, 'the usage limit of its account is reached'],
  [
    'usage-limit',
    1_794_858_840,
    'the usage limit of its account is reached; it ends at 2026-11-16 19:54 UTC',
  ],
  ['usage-limit', 1e15, 'the usage limit of its account is reached; it ends at a time unknown'],
  ['killed', 9, 'it was killed by signal 9'],
  ['killed', null, 'it was killed by signal unknown'],
  ['too-much-output', 64, 'it printed more than 64 MB, which is not read'],
  ['exit-code', 0, 'it ended with exit code 0'],
  ['exit-code', null, 'it ended with exit code unknown'],
])('says why there is no verdict: %s, %s', (kind, code, said) => {
  expect(describeNoVerdict({ kind, code }, 'claude')).toBe(said);
});

it.each([
  [0, 0],
  [1, 1],
  [-1, 0],
  [1.5, 0],
  ['1', 0],
  [null, 0],
  [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  [2 ** 53, 0],
  [Number.POSITIVE_INFINITY, 0],
])('a count of tokens is a whole number above zero, or none: %j', (value, count) => {
  expect(tokenCount(value)).toBe(count);
});

it('counts of tokens are added each to its own kind', () => {
  const one = { input: 1, cacheCreation: 2, cacheRead: 3, output: 4 };
  const other = { input: 10, cacheCreation: 20, cacheRead: 30, output: 40 };
  expect(addTokens(one, other)).toEqual({ input: 11, cacheCreation: 22, cacheRead: 33, output: 44 });
});

it('events are the objects among the lines', () => {
  expect(eventsIn('{"a":1}\nwarning\n[]\n7\nnull\n{"b":\n{"c":{}}')).toEqual([{ a: 1 }, { c: {} }]);
  expect(eventsIn('')).toEqual([]);
});

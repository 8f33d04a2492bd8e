import { expect, it } from 'vitest';
import { findReviewer, reviewers } from './index.ts';
import { describeNoVerdict } from './no-verdict.ts';
import { programs } from './programs.ts';
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

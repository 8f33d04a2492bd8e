import { expect, it } from 'vitest';
import { whyNoVerdict } from './why-no-verdict.ts';

it.each([
  [
    { cause: 'not-logged-in', reviewer: 'opus' },
    '`claude` is not logged in; run `claude` in a terminal and log in',
  ],
  [
    { cause: 'not-logged-in', reviewer: 'codex' },
    '`codex` is not logged in; run `codex` in a terminal and log in',
  ],
  [{ cause: 'not-logged-in' }, '`claude` is not logged in; run `claude` in a terminal and log in'],
  [{ cause: 'exit-code', code: 7, reviewer: 'codex' }, 'it ended with exit code 7'],
  [{ cause: 'exit-code', code: '7', reviewer: 'codex' }, 'it ended with exit code unknown'],
  [{ cause: 'exit-code', reviewer: 'codex' }, 'it ended with exit code unknown'],
  [{ cause: 'bad luck', code: 7, reviewer: 'codex' }, 'not written down'],
  [{ code: 7, reviewer: 'codex' }, 'not written down'],
])('a review without a verdict, %j, is explained: %s', (slots, why) => {
  expect(whyNoVerdict(slots as Parameters<typeof whyNoVerdict>[0])).toBe(why);
});

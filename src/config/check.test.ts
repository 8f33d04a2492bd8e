import { expect, it } from 'vitest';
import { isCheckName } from './check.ts';

it.each(['a', '7', 'A-z', 'test:unit', 'a.b_c', `a${'b'.repeat(63)}`])('%s is a check’s name', (name) => {
  expect(isCheckName(name)).toBe(true);
});

it.each(['', '-a', '.a', '_a', ':a', 'a b', 'a/b', 'a\n', '\na', 'ä', `a${'b'.repeat(64)}`])(
  '%j is none',
  (name) => {
    expect(isCheckName(name)).toBe(false);
  },
);

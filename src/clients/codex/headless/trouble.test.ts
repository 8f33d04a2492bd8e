import { expect, test } from 'vitest';
import { troubleIn } from './trouble.ts';

const NOW = new Date(2026, 10, 16, 21, 0).getTime();

test.each([
  ['You’ve hit your usage limit. Try again at 11:05 PM.', new Date(2026, 10, 16, 23, 6).getTime()],
  [
    'You’ve hit your usage limit. Try again at Nov 21st, 2026 12:24 AM.',
    new Date(2026, 10, 21, 0, 25).getTime(),
  ],
  ['You’ve hit your usage limit. Try again in 2 hours 3 minutes.', NOW + 123 * 60_000],
  ['You’ve hit your usage limit. Try again in 4 days 1 hour.', NOW + 97 * 3600_000],
  ['You’ve hit your usage limit. Try again at Foo 21st, 2026 12:24 AM.', null],
  ['You’ve hit your usage limit.', null],
])('%s', (message, resetsAt) => {
  expect(troubleIn(message, NOW)).toMatchObject({ what: 'limit', resetsAt });
});

test.each([
  ['stream disconnected before completion: error sending request', 'network'],
  ["Codex ran out of room in the model's context window.", 'context'],
  ['Selected model is at capacity. Please try a different model.', 'server'],
  ['unexpected status 403 Forbidden: no', 'login'],
  ['unexpected status 404 Not Found: no', 'refused'],
  ['something else', 'unknown'],
  ['', 'unknown'],
])('%s: %s', (message, what) => {
  expect(troubleIn(message, NOW)).toMatchObject({ what, resetsAt: null });
});

test('what a server said is one line, and not too long', () => {
  const { said } = troubleIn(`a\n\u001b[2Jb ${'x'.repeat(100_000)}`, NOW);
  expect(said).toMatch(/^a \[2Jb x+…$/);
  expect(said.length).toBeLessThanOrEqual(300);
});

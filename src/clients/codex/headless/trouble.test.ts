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
  ['You’ve hit your usage limit. Try again at 12:05 PM.', new Date(2026, 10, 16, 12, 6).getTime()],
  [
    'You’ve hit your usage limit. Try again at january 2nd, 2027, 1:00 am',
    new Date(2027, 0, 2, 1, 1).getTime(),
  ],
  ['You’ve hit your usage limit. Try again at Dec 3rd 2026 9:59 pm', new Date(2026, 11, 3, 22, 0).getTime()],
  ['You’ve hit your usage limit. Try again in 1 minute 5 seconds.', NOW + 65_000],
  ['You’ve hit your usage limit. Try again in 1 Day.', NOW + 86_400_000],
  ['exceeded retry limit, last status: 429 Too Many Requests', null],
  ['unexpected status 429 Too Many Requests', null],
  ['Rate limit reached', null],
  ['rate_limit_exceeded', null],
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
  ['invalid_request_error: no', 'refused'],
  ['invalid_prompt', 'refused'],
  ['context_length_exceeded', 'context'],
  ['Quota exceeded. Try again in 2 hours.', 'billing'],
  ['insufficient_quota', 'billing'],
  ['unexpected status 402 Payment Required', 'billing'],
  ['Check your plan and billing details.', 'billing'],
  ['unexpected status 401: no', 'login'],
  ['Unauthorized', 'login'],
  ['Not logged in', 'login'],
  ['Please log in again.', 'login'],
  ['Please login.', 'login'],
  ['Your refresh token was revoked.', 'login'],
  ['unexpected status 503 Service Unavailable', 'server'],
  ['We are experiencing high demand.', 'server'],
  ['The server is overloaded.', 'server'],
  ['server_error', 'server'],
  ['Internal Server Error', 'server'],
  ['Connection failed: no route', 'network'],
  ['Waiting for network', 'network'],
  ['the request timed out', 'network'],
  ['timeout', 'network'],
  ['dns error', 'network'],
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

test.each([
  ['{"error":{"message":"No such model."}}', 'No such model.'],
  ['{"error":"odd"}', '{"error":"odd"}'],
  ['{"error":null}', '{"error":null}'],
  ['{"error":{"message":7}}', '{"error":{"message":7}}'],
])('a server’s answer is told by its message: %s', (message, said) => {
  expect(troubleIn(message, NOW).said).toBe(said);
});

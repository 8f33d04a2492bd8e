import { describe, expect, it } from 'vitest';
import type { Trouble } from '../../headless.ts';
import { troubleIn } from './trouble.ts';

const NOW = 1_000_000;
const answer = (error: unknown): string => `[API Error: ${JSON.stringify({ error })}]`;
const trouble = (what: Trouble['what'], said: string, resetsAt: number | null = null): Trouble => ({
  ...{ what, resetsAt, said },
});

describe('why a turn of Gemini CLI’s failed', () => {
  it.each<[string, string, Trouble]>([
    ['x', '', trouble('unknown', 'x')],
    ['[API Error: x]', '', trouble('unknown', 'x')],
    ['[API Error: x] more', '', trouble('unknown', 'x')],
    ['[API Error: a\n]b]', '', trouble('unknown', 'a ]b')],
    ['so [API Error: x]', '', trouble('unknown', 'so [API Error: x]')],
    [answer({ code: 500, message: 'm' }), '', trouble('server', 'm')],
    [answer({ code: 500 }), '', trouble('server', '{"error":{"code":500}}')],
    [answer({ code: '500', message: 'm' }), '', trouble('unknown', 'm')],
    [answer({ code: '500', message: 'm' }), '  status: 402,', trouble('billing', 'm')],
    [answer({ code: 500, message: 'm' }), '  status: 402,', trouble('server', 'm')],
    [answer('odd'), '  status: 402,', trouble('billing', '{"error":"odd"}')],
  ])('%j with %j', (message, stderr, expected) => {
    expect(troubleIn(message, stderr, NOW)).toEqual(expected);
  });

  it.each<[number, Trouble['what']]>([
    [399, 'unknown'],
    [400, 'refused'],
    [401, 'login'],
    [402, 'billing'],
    [403, 'login'],
    [404, 'refused'],
    [429, 'limit'],
    [499, 'refused'],
    [500, 'server'],
    [503, 'server'],
  ])('is told by the status %s: %s', (code, what) => {
    expect(troubleIn(answer({ code, message: 'm' }), '', NOW)).toEqual(trouble(what, 'm'));
    expect(troubleIn('x', `  status: ${code}`, NOW)).toEqual(trouble(what, 'x'));
  });

  it.each([
    ['  status: 401,\n  a\n  status: 500\n', 'server'],
    ['x  status: 500', 'unknown'],
    [' status: 500', 'unknown'],
    ['  status: 5000', 'unknown'],
    ['  status: 50', 'unknown'],
    ['  status: 500, x', 'unknown'],
  ] as const)('is told by the last status on standard error: %j', (stderr, what) => {
    expect(troubleIn('x', stderr, NOW)).toEqual(trouble(what, 'x'));
  });

  it.each<[string, Trouble['what']]>([
    ['The input token count (9) exceeds the maximum', 'context'],
    ['token count exceeds the maximum', 'context'],
    ['API_KEY_INVALID', 'login'],
    ['API key not valid.', 'login'],
    ['When using X you must specify the GEMINI_API_KEY environment variable', 'login'],
    ['Invalid auth method selected.', 'login'],
    ['You have exhausted your daily quota', 'limit'],
    ['You have exhausted your quota', 'limit'],
    ['You have exhausted your capacity', 'limit'],
    ['fetch failed', 'network'],
    ['read ECONNRESET', 'network'],
    ['connect ECONNREFUSED', 'network'],
    ['connect ETIMEDOUT', 'network'],
    ['socket hang up', 'network'],
  ])('is told by the words before any status: %s', (words, what) => {
    expect(troubleIn(words, '  status: 402', NOW)).toEqual(trouble(what, words));
  });

  it.each<[string, number | null]>([
    ['exhausted your quota. Suggested retry after 5s', NOW + 5000],
    ['exhausted your quota. Suggested retry after 12.0001s', NOW + 13_000],
    ['exhausted your quota. Suggested retry after 12.s', null],
    ['exhausted your quota', null],
  ])('with when a limit ends: %s', (words, resetsAt) => {
    expect(troubleIn(words, '', NOW)).toEqual(trouble('limit', words, resetsAt));
  });

  it('without such a time where it is no limit', () => {
    const words = 'fetch failed. Suggested retry after 5s';
    expect(troubleIn(words, '', NOW)).toEqual(trouble('network', words));
  });
});

import { expect, it } from 'vitest';
import { troubleIn } from './trouble.ts';

it.each<[object, string]>([
  [{ message: 'context_length_exceeded', errorType: 'rate_limit' }, 'context'],
  [{ message: 'The Context Window is full', statusCode: 400 }, 'context'],
  [{ message: 'maximum context length' }, 'context'],
  [{ message: 'insufficient_quota', statusCode: 429 }, 'billing'],
  [{ message: 'check your billing details', errorType: 'rate_limit' }, 'billing'],
  [{ message: 'so', errorType: 'rate_limit', statusCode: 500 }, 'limit'],
  [{ message: 'so', errorType: 'authentication', statusCode: 500 }, 'login'],
  [{ message: 'so', errorType: 'query', statusCode: 500 }, 'server'],
  [{ message: 'socket', statusCode: 404 }, 'refused'],
  [{ message: 'so', statusCode: '500' }, 'unknown'],
  [{ message: 'Could not connect' }, 'network'],
  [{ message: 'connect ECONNREFUSED' }, 'network'],
  [{ message: 'getaddrinfo ENOTFOUND' }, 'network'],
  [{ message: 'a network problem' }, 'network'],
  [{ message: 'socket hang up' }, 'network'],
  [{ message: 'it timed out' }, 'network'],
  [{ message: 'a timeout' }, 'network'],
  [{ message: 'so' }, 'unknown'],
])('Copilot’s error %j is %s', (data, what) => {
  expect(troubleIn({ ...data })).toEqual({
    what,
    resetsAt: null,
    said: (data as { message: string }).message,
  });
});

it('may say nothing', () => {
  expect(troubleIn({})).toEqual({ what: 'unknown', resetsAt: null, said: '' });
});

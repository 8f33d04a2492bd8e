import { describe, expect, it } from 'vitest';
import type { Trouble } from '../../headless.ts';
import { troubleOfError, troubleOfRetry } from './trouble.ts';

const NOW = 1_000_000;

describe('why a turn of opencode’s failed', () => {
  it.each<[object, Trouble['what'], string]>([
    [{}, 'unknown', 'The turn failed.'],
    [{ name: 'APIError' }, 'unknown', 'APIError'],
    [{ name: 'APIError', data: {} }, 'unknown', 'APIError'],
    [{ name: 'APIError', data: { message: 'm' } }, 'unknown', 'm'],
    [{ name: 'ContextOverflowError', data: { message: 'm', statusCode: 500 } }, 'context', 'm'],
    [{ data: { message: 'm', statusCode: '500' } }, 'unknown', 'm'],
    [{ data: { message: 'm', statusCode: 400 } }, 'refused', 'm'],
    [{ data: { message: 'm', statusCode: 401 } }, 'login', 'm'],
    [{ data: { message: 'm', statusCode: 402 } }, 'billing', 'm'],
    [{ data: { message: 'm', statusCode: 403 } }, 'login', 'm'],
    [{ data: { message: 'm', statusCode: 404 } }, 'refused', 'm'],
    [{ data: { message: 'm', statusCode: 429 } }, 'limit', 'm'],
    [{ data: { message: 'm', statusCode: 499 } }, 'refused', 'm'],
    [{ data: { message: 'm', statusCode: 500 } }, 'server', 'm'],
    [{ data: { message: 'm', statusCode: 503 } }, 'server', 'm'],
    [{ data: { message: 'Cannot connect to API' } }, 'network', 'Cannot connect to API'],
    [{ data: { message: 'Unable to connect' } }, 'network', 'Unable to connect'],
    [{ data: { message: 'read ECONNRESET' } }, 'network', 'read ECONNRESET'],
    [{ data: { message: 'fetch failed' } }, 'network', 'fetch failed'],
    [{ data: { message: 'it timed out' } }, 'network', 'it timed out'],
    [{ data: { message: 'a timeout' } }, 'network', 'a timeout'],
    [{ name: 'fetch failed' }, 'network', 'fetch failed'],
    [{ data: { message: 'fetch failed', statusCode: 500 } }, 'server', 'fetch failed'],
    [{ data: { message: 'fetch failed', statusCode: null } }, 'unknown', 'fetch failed'],
  ])('%j is %s', (error, what, said) => {
    expect(troubleOfError({ ...error })).toEqual({ what, resetsAt: null, said });
  });

  it.each<[object, Trouble | null]>([
    [{}, null],
    [{ next: String(NOW * 2) }, null],
    [{ next: NOW }, null],
    [{ next: NOW + 60_000, message: 'm' }, null],
    [
      { next: NOW + 60_001, message: 'm' },
      { what: 'limit', resetsAt: NOW + 60_001, said: 'm' },
    ],
    [{ next: NOW + 60_001 }, { what: 'limit', resetsAt: NOW + 60_001, said: 'It tries again later.' }],
  ])('it tries again by itself unless that is long: %j', (retry, trouble) => {
    expect(troubleOfRetry({ ...retry }, NOW)).toEqual(trouble);
  });
});

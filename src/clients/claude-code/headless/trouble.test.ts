import { describe, expect, it } from 'vitest';
import type { Trouble } from '../../headless.ts';
import { resetIn, troubleOfResult } from './trouble.ts';

const NOW = Date.parse('2026-01-31T09:30:00Z');
const failed = (
  more: object,
  failure: object | null = null,
  resetsAt: number | null = null,
): Trouble | null =>
  troubleOfResult({ is_error: true, ...more }, failure === null ? null : { ...failure }, resetsAt, NOW);

describe('a result of Claude Code’s', () => {
  it.each<[object]>([
    [{ is_error: false, result: 'x' }],
    [{ is_error: 'true', result: 'x' }],
    [{ terminal_reason: 'aborted_tools', result: 'x' }],
    [{ terminal_reason: 'aborted_streaming', result: 'x' }],
  ])('is no trouble: %j', (result) => {
    expect(failed(result)).toBeNull();
  });

  it.each<[object, string]>([
    [{ result: 'words', errors: ['e'], subtype: 's' }, 'words'],
    [{ result: '', errors: ['e', 'f'], subtype: 's' }, 'e'],
    [{ errors: [7], subtype: 's' }, 's'],
    [{ errors: [], subtype: 's' }, 's'],
    [{ errors: 'e', subtype: 's' }, 's'],
    [{}, ''],
  ])('is trouble in its own words: %j', (result, said) => {
    expect(failed(result)).toEqual({ what: 'unknown', resetsAt: null, said });
  });

  it.each<[object, object | null, Trouble['what']]>([
    [{ terminal_reason: 'prompt_too_long', api_error_status: 400 }, { error: 'rate_limit' }, 'context'],
    [{ terminal_reason: 'not_aborted' }, null, 'unknown'],
    [{}, { error: 'rate_limit' }, 'limit'],
    [{ api_error_status: 401 }, { error: 'server_error', api_error_status: 500 }, 'server'],
    [{ api_error_status: 500 }, { error: 'server_error' }, 'network'],
    [{}, { error: 'authentication_failed' }, 'login'],
    [{}, { error: 'billing_error' }, 'billing'],
    [{ api_error_status: 500 }, { error: 'odd' }, 'server'],
    [{ api_error_status: 429 }, null, 'limit'],
    [{ api_error_status: 499 }, null, 'refused'],
    [{ api_error_status: 500 }, null, 'server'],
    [{ api_error_status: 529 }, null, 'server'],
    [{ api_error_status: 401 }, null, 'login'],
    [{ api_error_status: 403 }, null, 'refused'],
    [{ api_error_status: 400 }, null, 'refused'],
    [{ api_error_status: '500' }, null, 'unknown'],
  ])('is of a kind: %j with %j is %s', (result, failure, what) => {
    expect(failed({ result: 'x', ...result }, failure)).toEqual({ what, resetsAt: null, said: 'x' });
  });

  it.each<[string, number | null, number | null]>([
    ['Limit reached', null, null],
    ['Limit · resets 10am (UTC)', null, Date.parse('2026-01-31T10:01:00Z')],
    ['Limit · resets 10am (UTC)', 5, 5],
  ])('says when a limit ends: %s with %s', (result, told, resetsAt) => {
    expect(failed({ result, api_error_status: 429 }, null, told)).toEqual({
      what: 'limit',
      resetsAt,
      said: result,
    });
  });

  it('names no such time of anything else', () => {
    const result = 'x resets 10am (UTC)';
    expect(failed({ result }, null, 5)).toEqual({ what: 'unknown', resetsAt: null, said: result });
  });
});

describe('the end of a limit', () => {
  const rejected = (resetsAt: unknown): object => ({ rate_limit_info: { status: 'rejected', resetsAt } });
  it.each<[object, number | null]>([
    [{}, null],
    [{ rate_limit_info: null }, null],
    [{ rate_limit_info: { resetsAt: 5 } }, null],
    [{ rate_limit_info: { status: 'allowed_warning', resetsAt: 5 } }, null],
    [rejected(undefined), null],
    [rejected('5'), null],
    [rejected(0), null],
    [rejected(-1), null],
    [rejected(1), 1000],
    [rejected(1.23456), 1235],
    [rejected(1e13), null],
  ])('%j is %s', (entry, time) => {
    expect(resetIn({ ...entry })).toBe(time);
  });
});

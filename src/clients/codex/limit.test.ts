import { expect, it } from 'vitest';
import { limitOf as limitOfClaude } from '../claude-code/limit.ts';
import type { SessionLimit } from '../client.ts';
import { limitOf } from './limit.ts';

const broken = (status?: unknown, word = 'http_connection_failed') => ({
  [word]: { http_status_code: status },
});

it.each<[unknown, SessionLimit['what'] | null]>([
  ['usage_limit_exceeded', 'rate_limit'],
  ['rate_limit_exceeded', 'rate_limit'],
  ['server_overloaded', 'server_error'],
  ['internal_server_error', 'server_error'],
  ['unauthorized', 'authentication_failed'],
  ['bad_request', null],
  ['constructor', null],
  [undefined, null],
  [{}, null],
  [{ other: { http_status_code: 500 } }, null],
  [{ http_connection_failed: 500 }, null],
  [broken(), 'server_error'],
  [broken(null), 'server_error'],
  [broken(599), 'server_error'],
  [broken(500), 'server_error'],
  [broken(499), null],
  [broken(429), 'rate_limit'],
  [broken(402), 'billing_error'],
  [broken(401), 'authentication_failed'],
  [broken(403), 'authentication_failed'],
  [broken(404), null],
  [broken(429, 'response_stream_connection_failed'), 'rate_limit'],
  [broken(429, 'response_stream_disconnected'), 'rate_limit'],
  [broken(429, 'response_too_many_failed_attempts'), 'rate_limit'],
])('what ended Codex’s turn by %j is %s', (info, what) => {
  expect(limitOf({ codex_error_info: info })).toEqual(what === null ? null : { what, resetsAt: null });
});

it.each<[string, SessionLimit['what'] | null]>([
  ['rate_limit', 'rate_limit'],
  ['server_error', 'server_error'],
  ['overloaded', 'server_error'],
  ['billing_error', 'billing_error'],
  ['authentication_failed', 'authentication_failed'],
  ['oauth_org_not_allowed', 'authentication_failed'],
  ['account_on_hold', 'authentication_failed'],
  ['verification_required', 'authentication_failed'],
  ['invalid_request', null],
  ['toString', null],
])('what ended Claude Code’s turn by %s is %s', (error, what) => {
  expect(limitOfClaude({ error })).toEqual(what === null ? null : { what, resetsAt: null });
});

it.each<[unknown, number | null]>([
  [{ resetsAt: 1.5 }, 1500],
  [{ resetsAt: 1 }, 1000],
  [{ resetsAt: 0 }, null],
  [{ resetsAt: -1 }, null],
  [{ resetsAt: '1' }, null],
  [{ resetsAt: 1e300 }, null],
  [{}, null],
  [undefined, null],
])('the end of Claude Code’s limit with %j is %j', (quotaLimits, resetsAt) => {
  expect(limitOfClaude({ error: 'rate_limit', quotaLimits })).toEqual({ what: 'rate_limit', resetsAt });
});

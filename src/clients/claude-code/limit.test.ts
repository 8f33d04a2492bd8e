import { expect, it } from 'vitest';
import type { SessionLimit } from '../client.ts';
import { limitOf } from './limit.ts';

it.each<[unknown, SessionLimit['what'] | null]>([
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
  [7, null],
  [undefined, null],
])('the error %j is %s', (error, what) => {
  expect(limitOf({ error })).toEqual(what === null ? null : { what, resetsAt: null });
});

it.each<[unknown, number | null]>([
  [undefined, null],
  [{}, null],
  [{ resetsAt: '5' }, null],
  [{ resetsAt: 0 }, null],
  [{ resetsAt: -1 }, null],
  [{ resetsAt: 1 }, 1000],
  [{ resetsAt: 1.2345 }, 1235],
  [{ resetsAt: 1e13 }, null],
])('a limit of %j ends at %s', (quotaLimits, resetsAt) => {
  expect(limitOf({ error: 'rate_limit', quotaLimits })).toEqual({ what: 'rate_limit', resetsAt });
});

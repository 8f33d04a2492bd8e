// Why Claude Code's session could not go on, from the row that stands in its transcript in place of an answer.

import type { Payload, SessionLimit } from '../client.ts';
import { objectField, textField } from '../fields.ts';

/** The words of 2.1.325 for an API error that ends by itself or by a person's doing; the others do not. */
const words: Readonly<Record<string, SessionLimit['what']>> = {
  rate_limit: 'rate_limit',
  server_error: 'server_error',
  overloaded: 'server_error',
  billing_error: 'billing_error',
  authentication_failed: 'authentication_failed',
  oauth_org_not_allowed: 'authentication_failed',
  account_on_hold: 'authentication_failed',
  verification_required: 'authentication_failed',
};

export function limitOf(entry: Payload): SessionLimit | null {
  const word = textField(entry, 'error') ?? '';
  const what = Object.hasOwn(words, word) ? words[word] : undefined;
  return what === undefined ? null : { what, resetsAt: resetOf(entry) };
}

/** When a subscriber's limit ends: in seconds, and in the row alone, not in the event. */
function resetOf(entry: Payload): number | null {
  const seconds = objectField(entry, 'quotaLimits')?.resetsAt;
  if (typeof seconds !== 'number' || seconds <= 0) return null;
  const time = Math.round(seconds * 1000);
  return Number.isSafeInteger(time) ? time : null;
}

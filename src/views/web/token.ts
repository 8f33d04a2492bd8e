// The token: what a browser must show to see a run. It stands in the fragment of the printed address, which no browser
// sends to a server; the page sends it in a header with all it asks for. No cookie: browsers give those of 127.0.0.1 to
// each server there, whatever its port and whoever runs it.

import { randomBytes, timingSafeEqual } from 'node:crypto';

export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** In a time that does not say how much of it was right. */
export function isSame(given: string | undefined, secret: string): boolean {
  if (given === undefined) return false;
  const one = Buffer.from(given);
  const other = Buffer.from(secret);
  return one.length === other.length && timingSafeEqual(one, other);
}

// What a browser must show: the token in the printed address, the cookie it becomes, and the token for what writes.
// Three different ones, so that none of them gives another away.

import { randomBytes, timingSafeEqual } from 'node:crypto';

export type Secrets = {
  /** In the printed address. */
  address: string;
  /** The cookie's value: what a browser has from then on. */
  cookie: string;
  /** Handed to the page, which sends it in a header with whatever writes. */
  action: string;
};

export function newSecrets(): Secrets {
  return { address: random(), cookie: random(), action: random() };
}

/** In a time that does not say how much of it was right. */
export function isSame(given: string | undefined, secret: string): boolean {
  if (given === undefined) return false;
  const one = Buffer.from(given);
  const other = Buffer.from(secret);
  return one.length === other.length && timingSafeEqual(one, other);
}

function random(): string {
  return randomBytes(32).toString('base64url');
}

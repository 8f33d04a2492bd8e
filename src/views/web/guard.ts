// Who may ask this server anything: a browser of this user, at this address, from this page. Every answer carries the
// headers that keep script of others out of the page and the page out of others.

import type { Context, MiddlewareHandler } from 'hono';
import { isSame } from './token.ts';

export type Door = {
  token: string;
  /** Known once the server listens. */
  port(): number;
};

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types dompurify',
].join('; ');

const HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

/** Without a picture of its own a browser would ask for one. */
const HEAD = '<!doctype html><meta charset="utf-8"><title>Holdfast</title><link rel="icon" href="data:,">';

export const guardAnswers: MiddlewareHandler = async (context, next) => {
  await next();
  for (const [name, value] of Object.entries(HEADERS)) context.res.headers.set(name, value);
};

/**
 * A name that leads to 127.0.0.1 is not ours (DNS rebinding), and neither is another site's script; both are compared
 * whole. `localhost` may lead to ::1 as well, where our port may be that of another user's server: from there the browser
 * is sent to the one address that is ours, and takes the fragment along.
 */
export function guardDoor(door: Door): MiddlewareHandler {
  return async (context, next) => {
    const host = `127.0.0.1:${door.port()}`;
    const named = context.req.header('host');
    if (named === `localhost:${door.port()}` && isOpened(context)) return context.redirect(`http://${host}/`);
    if (named !== host) return refuse(context, 421, 'This server answers at 127.0.0.1 alone.');
    const origin = context.req.header('origin');
    const site = context.req.header('sec-fetch-site') ?? 'none';
    const isOwn = site === 'none' || site === 'same-origin' || isOpened(context);
    if (!isOwn || (origin !== undefined && origin !== `http://${host}`))
      return refuse(context, 403, 'Another site may not ask this server.');
    await next();
    return undefined;
  };
}

/** What is a user's: for the page alone, which has the token. */
export function guardData(door: Door): MiddlewareHandler {
  return async (context, next) => {
    if (!isSame(context.req.header('authorization'), `Bearer ${door.token}`))
      return context.json(
        { text: 'Open the address that `holdfast web` printed: it has the token in it.' },
        401,
      );
    await next();
    return undefined;
  };
}

/** What writes needs an origin as well: that of our page. */
export const guardWriting: MiddlewareHandler = async (context, next) => {
  if (context.req.header('origin') === undefined)
    return context.json({ text: 'Only the page of this server may do that.' }, 403);
  await next();
  return undefined;
};

/** The page itself is the same for everyone, and a link in another page, or the file of `--open`, may lead to it. */
function isOpened({ req }: Context): boolean {
  const [mode, destination] = [req.header('sec-fetch-mode'), req.header('sec-fetch-dest')];
  const isPage = mode === undefined || (mode === 'navigate' && destination === 'document');
  return isPage && req.method === 'GET' && req.path === '/';
}

function refuse(context: Context, status: 403 | 421, text: string): Response {
  return context.html(`${HEAD}<p>${text}</p>\n`, status);
}

// Who may ask this server anything: a browser of this user, at this address, from this page. Every answer carries the
// headers that keep script of others out of the page and the page out of others.

import type { Context, MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { isSame, type Secrets } from './secrets.ts';

export type Door = {
  secrets: Secrets;
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

/** First of all: a name that leads to 127.0.0.1 is not ours (DNS rebinding), and neither is another site's script. */
export function guardDoor(door: Door): MiddlewareHandler {
  return async (context, next) => {
    const names = [`127.0.0.1:${door.port()}`, `localhost:${door.port()}`];
    const host = context.req.header('host') ?? '';
    if (!names.includes(host)) return refuse(context, 421, 'This server answers at 127.0.0.1 alone.');
    const origin = context.req.header('origin');
    if (origin !== undefined && origin !== `http://${host}`)
      return refuse(context, 403, 'Another site may not ask this server.');
    if (context.req.query('token') !== undefined) return enter(context, door);
    const site = context.req.header('sec-fetch-site') ?? 'none';
    if (site !== 'none' && site !== 'same-origin')
      return refuse(context, 403, 'Another site may not ask this server.');
    if (!isSame(getCookie(context, cookieName(door)), door.secrets.cookie))
      return refuse(context, 401, 'Open the address that `holdfast web` printed: it has the token in it.');
    await next();
    for (const [name, value] of Object.entries(HEADERS)) context.res.headers.set(name, value);
  };
}

/** What writes also needs the token that only our page was given, and an origin. */
export function guardWriting(door: Door): MiddlewareHandler {
  return async (context, next) => {
    const isOurs = context.req.header('origin') !== undefined;
    if (!isOurs || !isSame(context.req.header('x-holdfast-token'), door.secrets.action))
      return refuse(context, 403, 'This needs the token of the page; load it again.');
    await next();
    return undefined;
  };
}

/**
 * The token becomes a cookie. The way on is a refresh and no redirect: a link in another page led here perhaps, and a
 * browser keeps a strict cookie back until the way begins at our own.
 */
function enter(context: Context, door: Door): Response {
  if (context.req.method !== 'GET' || !isSame(context.req.query('token'), door.secrets.address))
    return refuse(context, 401, 'That token is not of this server; open the address that it printed.');
  setCookie(context, cookieName(door), door.secrets.cookie, {
    httpOnly: true,
    sameSite: 'Strict',
    path: '/',
  });
  const run = context.req.query('run');
  const to = run === undefined ? '/' : `/#/run/${encodeURIComponent(run).replaceAll("'", '%27')}`;
  return plain(context, 200, `${HEAD}<meta http-equiv="refresh" content="0; url=${to}">`);
}

function refuse(context: Context, status: 401 | 403 | 421, text: string): Response {
  return plain(context, status, `${HEAD}<p>${text}</p>\n`);
}

function plain(context: Context, status: 200 | 401 | 403 | 421, html: string): Response {
  for (const [name, value] of Object.entries(HEADERS)) context.header(name, value);
  return context.html(html, status);
}

/** Browsers share cookies between the ports of a host. */
function cookieName(door: Door): string {
  return `holdfast-${door.port()}`;
}

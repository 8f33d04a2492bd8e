import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { guardDoor, guardWriting } from './guard.ts';

const PORT = 4321;
const HOST = `127.0.0.1:${PORT}`;
const door = { secrets: { address: 'address', cookie: 'cookie', action: 'action' }, port: () => PORT };
const app = new Hono();
app.use(guardDoor(door));
app.post('/write', guardWriting(door), (context) => context.text('written'));
app.all('*', (context) => context.text('inside'));

type Asked = { host?: string | null; headers?: Record<string, string>; method?: string };

async function asked(place: string, { host = HOST, headers = {}, method = 'GET' }: Asked = {}) {
  const answer = await app.request(`http://${HOST}${place}`, {
    ...{ method, headers: { ...(host === null ? {} : { host }), ...headers } },
  });
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
}

const HEAD = '<!doctype html><meta charset="utf-8"><title>Holdfast</title><link rel="icon" href="data:,">';
const refused = (text: string): string => `${HEAD}<p>${text}</p>\n`;
const COOKIE = { cookie: `holdfast-${PORT}=cookie` };
const NOT_HERE = refused('This server answers at 127.0.0.1 alone.');
const ANOTHER = refused('Another site may not ask this server.');
const NO_COOKIE = refused('Open the address that `holdfast web` printed: it has the token in it.');
const NO_TOKEN = refused('That token is not of this server; open the address that it printed.');

describe('the door', () => {
  it.each<[string, Asked, number, string]>([
    ['whoever has the cookie', { headers: COOKIE }, 200, 'inside'],
    ['by the other name', { host: `localhost:${PORT}`, headers: COOKIE }, 200, 'inside'],
    ['another name', { host: `evil.example:${PORT}`, headers: COOKIE }, 421, NOT_HERE],
    ['another port', { host: '127.0.0.1:80', headers: COOKIE }, 421, NOT_HERE],
    ['no name', { host: null, headers: COOKIE }, 421, NOT_HERE],
    ['our own origin', { headers: { ...COOKIE, origin: `http://${HOST}` } }, 200, 'inside'],
    ['another origin', { headers: { ...COOKIE, origin: 'http://evil.example' } }, 403, ANOTHER],
    [
      'our other name as origin',
      { headers: { ...COOKIE, origin: `http://localhost:${PORT}` } },
      403,
      ANOTHER,
    ],
    ['typed by hand', { headers: { ...COOKIE, 'sec-fetch-site': 'none' } }, 200, 'inside'],
    ['from our page', { headers: { ...COOKIE, 'sec-fetch-site': 'same-origin' } }, 200, 'inside'],
    ['from another port', { headers: { ...COOKIE, 'sec-fetch-site': 'same-site' } }, 403, ANOTHER],
    ['from another site', { headers: { ...COOKIE, 'sec-fetch-site': 'cross-site' } }, 403, ANOTHER],
    ['without the cookie', {}, 401, NO_COOKIE],
    ['with a wrong one', { headers: { cookie: `holdfast-${PORT}=other` } }, 401, NO_COOKIE],
    ['with that of another port', { headers: { cookie: 'holdfast-1=cookie' } }, 401, NO_COOKIE],
  ])('answers %s', async (_, how, status, text) => {
    const answer = await asked('/', how);
    expect([answer.status, answer.text]).toEqual([status, text]);
  });

  it.each<[string, Asked]>([
    ['that is let in', { headers: COOKIE }],
    ['that is not', {}],
  ])('gives an answer %s the headers that keep others out', async (_, how) => {
    const { headers } = await asked('/', how);
    const names = ['content-security-policy', 'x-content-type-options', 'x-frame-options', 'referrer-policy'];
    const more = ['cross-origin-opener-policy', 'cross-origin-resource-policy', 'cache-control'];
    expect([...names, ...more].map((name) => headers.get(name))).toEqual([
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types dompurify",
      ...['nosniff', 'DENY', 'no-referrer', 'same-origin', 'same-origin', 'no-store'],
    ]);
  });
});

describe('the token of the address', () => {
  it.each([
    ['/?token=address', '/'],
    ['/?token=address&run=p%2Fidle%3Aa', '/#/run/p%2Fidle%3Aa'],
    [`/?token=address&run=${encodeURIComponent(`'"><a'`)}`, '/#/run/%27%22%3E%3Ca%27'],
    ['/?token=address&run=', '/#/run/'],
  ])('%s becomes a cookie, and leads to %s', async (place, to) => {
    // A link in another page may have led here.
    const { status, text, headers } = await asked(place, { headers: { 'sec-fetch-site': 'cross-site' } });
    expect(status).toBe(200);
    expect(text).toBe(`${HEAD}<meta http-equiv="refresh" content="0; url=${to}">`);
    expect(headers.get('set-cookie')).toBe(`holdfast-${PORT}=cookie; Path=/; HttpOnly; SameSite=Strict`);
    expect(headers.get('x-frame-options')).toBe('DENY');
  });

  it.each<[string, Asked]>([
    ['/?token=other', {}],
    ['/?token=', {}],
    ['/?token=cookie', { headers: COOKIE }],
    ['/?token=address', { method: 'POST' }],
  ])('%s with %j opens nothing', async (place, how) => {
    const { status, text, headers } = await asked(place, how);
    expect([status, text, headers.get('set-cookie')]).toEqual([401, NO_TOKEN, null]);
  });

  it.each<[string, Asked, number]>([
    ['at another name', { host: 'evil.example' }, 421],
    ['from another origin', { headers: { origin: 'http://evil.example' } }, 403],
  ])('is of no use %s', async (_, how, status) => {
    expect((await asked('/?token=address', how)).status).toBe(status);
  });
});

describe('what writes', () => {
  const origin = `http://${HOST}`;
  it.each<[Record<string, string>, number]>([
    [{ origin, 'x-holdfast-token': 'action' }, 200],
    [{ 'x-holdfast-token': 'action' }, 403],
    [{ origin, 'x-holdfast-token': 'cookie' }, 403],
    [{ origin }, 403],
  ])('with %j is answered with %d', async (headers, status) => {
    const answer = await asked('/write', { method: 'POST', headers: { ...COOKIE, ...headers } });
    expect(answer.status).toBe(status);
    expect(answer.text).toBe(
      status === 200 ? 'written' : refused('This needs the token of the page; load it again.'),
    );
  });
});

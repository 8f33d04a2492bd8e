import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { guardAnswers, guardData, guardDoor, guardWriting } from './guard.ts';

const PORT = 4321;
const HOST = `127.0.0.1:${PORT}`;
const ORIGIN = `http://${HOST}`;
const door = { token: 'token', port: () => PORT };
const app = new Hono();
app.use(guardAnswers);
app.use(guardDoor(door));
app.get('/', (context) => context.text('page'));
app.use(guardData(door));
app.post('/write', guardWriting, (context) => context.text('written'));
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
const TOKEN = { authorization: 'Bearer token' };
const NOT_HERE = refused('This server answers at 127.0.0.1 alone.');
const ANOTHER = refused('Another site may not ask this server.');
const NO_TOKEN = '{"text":"Open the address that `holdfast web` printed: it has the token in it."}';

describe('the door to data', () => {
  it.each<[string, Asked, number, string]>([
    ['the page, which has the token', { headers: TOKEN }, 200, 'inside'],
    ['no name', { host: null, headers: TOKEN }, 421, NOT_HERE],
    ['our own origin', { headers: { ...TOKEN, origin: ORIGIN } }, 200, 'inside'],
    ['from our page', { headers: { ...TOKEN, 'sec-fetch-site': 'same-origin' } }, 200, 'inside'],
    ['without the token', {}, 401, NO_TOKEN],
    ['by a cookie', { headers: { cookie: `holdfast-${PORT}=token` } }, 401, NO_TOKEN],
  ])('answers %s', async (_, how, status, text) => {
    const answer = await asked('/data', how);
    expect([answer.status, answer.text]).toEqual([status, text]);
  });

  it.each(['Bearer other', 'Bearer toke', 'Bearer token1', 'Bearer', 'token', 'Basic token', 'bearer token'])(
    'is shut for the authorization %j',
    async (authorization) => {
      expect((await asked('/data', { headers: { authorization } })).status).toBe(401);
    },
  );

  it.each([
    ...[`evil.example:${PORT}`, '127.0.0.1', '127.0.0.1:80', `127.0.0.1:${PORT}1`, `1${HOST}`],
    ...[
      `${HOST}.evil.example`,
      `evil.example.${HOST}`,
      `localhost:${PORT}`,
      `[::1]:${PORT}`,
      `x@${HOST}`,
      '',
    ],
  ])('is shut at the name %j', async (host) => {
    const answer = await asked('/data', { host, headers: TOKEN });
    expect([answer.status, answer.text]).toEqual([421, NOT_HERE]);
  });

  it.each([
    ...['http://evil.example', `${ORIGIN}.evil.example`, `${ORIGIN}1`, `${ORIGIN}/`, ORIGIN.slice(0, -1)],
    ...[`https://${HOST}`, `http://localhost:${PORT}`, 'http://127.0.0.1:80', `x${ORIGIN}`, 'null', ''],
  ])('is shut for the origin %j', async (origin) => {
    const answer = await asked('/data', { headers: { ...TOKEN, origin } });
    expect([answer.status, answer.text]).toEqual([403, ANOTHER]);
  });

  it.each(['same-site', 'cross-site'])('is shut for %s, also where it is opened', async (site) => {
    const opened = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    for (const more of [{}, opened]) {
      const answer = await asked('/data', { headers: { ...TOKEN, ...more, 'sec-fetch-site': site } });
      expect([answer.status, answer.text]).toEqual([403, ANOTHER]);
    }
  });

  it.each<[string, Asked]>([
    ['that is let in', { headers: TOKEN }],
    ['that is not', {}],
    ['of another site', { headers: { origin: 'null' } }],
    ['at another name', { host: 'evil.example' }],
  ])('gives an answer %s the headers that keep others out', async (_, how) => {
    const { headers } = await asked('/data', how);
    const names = ['content-security-policy', 'x-content-type-options', 'x-frame-options', 'referrer-policy'];
    const more = ['cross-origin-opener-policy', 'cross-origin-resource-policy', 'cache-control'];
    expect([...names, ...more].map((name) => headers.get(name))).toEqual([
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types dompurify",
      ...['nosniff', 'DENY', 'no-referrer', 'same-origin', 'same-origin', 'no-store'],
    ]);
    expect(headers.get('set-cookie')).toBeNull();
  });
});

describe('the page itself', () => {
  const opened = (dest: string, mode = 'navigate') => ({
    headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': mode, 'sec-fetch-dest': dest },
  });

  it('needs no token, and opens from a link in another page', async () => {
    for (const how of [{}, { headers: { 'sec-fetch-site': 'none' } }, opened('document')])
      expect(await asked('/', how)).toMatchObject({ status: 200, text: 'page' });
  });

  it.each<[string, Asked]>([
    ['in a frame', opened('iframe')],
    ['as a script', opened('script', 'no-cors')],
    ['as what is fetched', opened('empty', 'cors')],
    ['from a form', { ...opened('document'), method: 'POST' }],
  ])('is not for another site %s', async (_, how) => {
    expect(await asked('/', how)).toMatchObject({ status: 403, text: ANOTHER });
  });

  it('sends a browser that comes to localhost to its one address', async () => {
    const { status, headers } = await asked('/', { host: `localhost:${PORT}` });
    expect([status, headers.get('location')]).toEqual([302, `${ORIGIN}/`]);
    for (const host of [`localhost:${PORT}1`, 'localhost', `localhost:${PORT}.evil.example`])
      expect((await asked('/', { host })).status).toBe(421);
  });
});

describe('what writes', () => {
  it.each<[Record<string, string>, number]>([
    [{ ...TOKEN, origin: ORIGIN }, 200],
    [TOKEN, 403],
    [{ origin: ORIGIN }, 401],
    [{ ...TOKEN, origin: `${ORIGIN}1` }, 403],
  ])('with %j is answered with %d', async (headers, status) => {
    expect((await asked('/write', { method: 'POST', headers })).status).toBe(status);
  });
});
